// The Go program beside this file, built once from the Go module proxy and kept in the cache, one folder for each state of
// its sources.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const sources = fileURLToPath(new URL(".", import.meta.url));
const progressIntervalMs = 15_000;

/** The program, or why there is none. */
export type KarpenterProgram = { readonly path: string } | { readonly reason: string };

/** `$TIMMERMAN_CACHE`, else the user's cache folder. */
function programPath(env: NodeJS.ProcessEnv): string {
  const base = env.TIMMERMAN_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "timmerman");
  const hash = createHash("sha256");
  for (const file of readdirSync(sources).sort()) {
    if (/\.go$|^go\.(mod|sum)$/.test(file)) hash.update(`${file}\n`).update(readFileSync(join(sources, file)));
  }
  const folder = `${hash.digest("hex").slice(0, 16)}-${process.platform}-${process.arch}`;
  return join(base, "karpenter", folder, "karpenter-bench");
}

/** Builds it if it isn't there: some minutes on a cold cache, with a word on stderr now and then. Rejects if that fails. */
export async function provideKarpenter(env: NodeJS.ProcessEnv = process.env): Promise<KarpenterProgram> {
  const path = programPath(env);
  if (existsSync(path)) return { path };
  if (spawnSync("go", ["version"]).status !== 0) {
    return { reason: "Go is not installed, which builds Karpenter's scheduler (https://go.dev/dl, 1.26 or later)" };
  }
  const draft = `${dirname(path)}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    await build(join(draft, "karpenter-bench"), env);
    // Whoever comes second throws its own away: the sources, and so the programs, are the same.
    if (existsSync(path)) rmSync(draft, { recursive: true });
    else renameSync(draft, dirname(path));
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true });
    throw cause;
  }
  return { path };
}

function build(target: string, env: NodeJS.ProcessEnv): Promise<void> {
  const startedAt = Date.now();
  const say = (what: string) =>
    process.stderr.write(`karpenter: the scheduler ${what} (${Math.round((Date.now() - startedAt) / 1000)} s)\n`);
  say("is being built");
  const progress = setInterval(() => say("is still being built"), progressIntervalMs);
  return new Promise<void>((resolve, reject) => {
    const child = spawn("nice", ["-n", "10", "go", "build", "-o", target, "."], {
      cwd: sources,
      stdio: ["ignore", "inherit", "pipe"],
      env: { ...env, GOFLAGS: "-buildvcs=false" },
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-4000);
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`go build of Karpenter's scheduler ended with ${code}:\n${errors}`)),
    );
  }).finally(() => {
    clearInterval(progress);
    say("is done with");
  });
}
