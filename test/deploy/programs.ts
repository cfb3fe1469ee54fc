// Pulumi's engine and Lambda's runtime interface emulator: an earlier build, or one from the Go module proxy
// (engine/go.mod, minutes). Kept outside the project, one folder for each go.sum, as the control plane's programs are.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const moduleFolder = fileURLToPath(new URL("engine", import.meta.url));
/** The one that SST 4.17.1 demands; it asks the engine for its version. */
const engineVersion = "v3.215.0";

const programs = {
  pulumi: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  "aws-lambda-rie": "github.com/aws/aws-lambda-runtime-interface-emulator/cmd/aws-lambda-rie",
} as const;

export type Programs = { readonly [program in keyof typeof programs]: string };

/** Paths of the programs, built if need be (progress goes to stderr); without Go, the reason why there are none. */
export async function providePrograms(env: NodeJS.ProcessEnv = process.env): Promise<Programs | { reason: string }> {
  const folder = cacheFolder(env);
  if (!existsSync(folder)) {
    if (spawnSync("go", ["version"]).status !== 0) {
      return {
        reason: "Go is not installed, and neither Pulumi's engine nor the Lambda emulator can be built without",
      };
    }
    await build(folder);
  }
  return { pulumi: join(folder, "pulumi"), "aws-lambda-rie": join(folder, "aws-lambda-rie") };
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  const base = env.TIMMERMAN_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "timmerman");
  const hash = createHash("sha256");
  for (const file of ["go.mod", "go.sum"]) hash.update(readFileSync(join(moduleFolder, file)));
  return join(base, "deploy", `${hash.digest("hex").slice(0, 16)}-${process.platform}-${process.arch}`);
}

async function build(target: string): Promise<void> {
  const draft = `${target}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    for (const [program, path] of Object.entries(programs)) await compile(program, path, draft);
    // Whoever comes second throws its own away: the sources, and so the programs, are the same.
    if (existsSync(target)) rmSync(draft, { recursive: true });
    else renameSync(draft, target);
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true });
    throw cause;
  }
}

function compile(program: string, path: string, folder: string): Promise<void> {
  const version = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${engineVersion}`;
  const args = ["build", "-trimpath", "-ldflags", `-s -w ${version}`, "-o", join(folder, program), path];
  process.stderr.write(`deployment's programs: building ${program}, which takes minutes …\n`);
  return new Promise((resolve, reject) => {
    const child = spawn("nice", ["-n", "10", "go", ...args], {
      cwd: moduleFolder,
      stdio: ["ignore", "inherit", "pipe"],
      env: { ...process.env, GOFLAGS: "-buildvcs=false" },
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-4000);
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`go build of ${program} ended with ${code}:\n${errors}`)),
    );
  });
}
