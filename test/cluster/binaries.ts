// Where the control plane's programs come from: a folder that is named, an earlier build, or a build from the Go module
// proxy (controlplane/go.mod). Builds are kept outside the project, one folder for each go.sum, so that a fresh clone
// finds what another built.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const kubernetesVersion = "v1.36.3";
const progressIntervalMs = 15_000;

/** Programs that are built from a Go module beside this file. */
export interface GoModule {
  /** Folder of the module, and of what is built from it in the cache. */
  readonly name: string;
  /** Import path of every program, by the name that its binary gets. */
  readonly programs: Readonly<Record<string, string>>;
  /** Versions by the variable that they are written to: programs built without them take themselves for 0.0. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Import path of every program, by the name that its binary gets. */
const programs = {
  "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
  "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
  "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
  kubectl: "k8s.io/kubernetes/cmd/kubectl",
  etcd: "go.etcd.io/etcd/server/v3",
} as const;

const controlPlane: GoModule = {
  name: "controlplane",
  programs,
  // Without them the controller manager refuses to start.
  versions: {
    "k8s.io/component-base/version.gitVersion": kubernetesVersion,
    "k8s.io/client-go/pkg/version.gitVersion": kubernetesVersion,
  },
};

export type Program = keyof typeof programs;

/** A folder for each program, or why there is none. */
export type Binaries = { paths: Partial<Record<Program, string>> } | { reason: string };

/** Programs that were built or named, without building: for a look at what is there. */
export function findBinaries(env: NodeJS.ProcessEnv = process.env): Binaries {
  const named = env.KUBEBUILDER_ASSETS;
  const folder = named ?? cacheFolder(controlPlane, env);
  const paths: Partial<Record<Program, string>> = {};
  for (const program of Object.keys(programs) as Program[]) {
    const path = [folder, ...(program === "etcd" || program === "kube-apiserver" ? [] : searchPath(env))]
      .map((f) => join(f, program))
      .find((p) => existsSync(p));
    if (path !== undefined) paths[program] = path;
  }
  if (paths["kube-apiserver"] === undefined || paths.etcd === undefined) {
    return { reason: `no kube-apiserver and etcd in ${named === undefined ? "the cache" : "KUBEBUILDER_ASSETS"}` };
  }
  return { paths };
}

/**
 * Programs that are there, after a build if need be (minutes on a cold cache; what it does goes to stderr).
 * Without Go, answers with the reason; in CI that is an error, as is a build that fails.
 */
export async function provideBinaries(env: NodeJS.ProcessEnv = process.env): Promise<Binaries> {
  const found = findBinaries(env);
  if (!("reason" in found)) return found;
  if (env.KUBEBUILDER_ASSETS !== undefined) throw new Error(`${found.reason}; unset it to build them with Go`);
  if (spawnSync("go", ["version"]).status !== 0) {
    const reason = "Go is not installed, so that no control plane can be built (KUBEBUILDER_ASSETS may name one)";
    if (env.CI === "true") throw new Error(reason);
    return { reason };
  }
  await build(controlPlane, env);
  return findBinaries(env);
}

export function searchPath(env: NodeJS.ProcessEnv): string[] {
  return (env.PATH ?? "").split(delimiter).filter((f) => f !== "");
}

/** `$TIMMERMAN_CACHE`, else the user's cache folder; below it one folder for each set of sources. */
export function cacheFolder({ name }: GoModule, env: NodeJS.ProcessEnv): string {
  const base = env.TIMMERMAN_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "timmerman");
  const hash = createHash("sha256");
  for (const file of ["go.mod", "go.sum"]) hash.update(readFileSync(join(sourceFolder(name), file)));
  return join(base, name, `${hash.digest("hex").slice(0, 16)}-${process.platform}-${process.arch}`);
}

function sourceFolder(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Builds every program of a module into its folder of the cache. What it does goes to stderr. */
export async function build(module: GoModule, env: NodeJS.ProcessEnv): Promise<void> {
  const target = cacheFolder(module, env);
  const draft = `${target}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    for (const program of Object.keys(module.programs)) await compile(module, program, draft);
    // Whoever comes second throws its own away: the sources, and so the programs, are the same.
    if (existsSync(target)) rmSync(draft, { recursive: true });
    else renameSync(draft, target);
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true });
    throw cause;
  }
}

function compile(module: GoModule, program: string, folder: string): Promise<void> {
  const version = Object.entries(module.versions).map(([variable, value]) => `-X ${variable}=${value}`);
  const flags = ["-s", "-w", ...version].join(" ");
  const args = ["build", "-trimpath", "-ldflags", flags, "-o", join(folder, program), module.programs[program]!];
  const startedAt = Date.now();
  const say = (what: string) =>
    process.stderr.write(`${module.name}: ${program} ${what} (${Math.round((Date.now() - startedAt) / 1000)} s)\n`);
  say("is being built");
  const progress = setInterval(() => say("is still being built"), progressIntervalMs);
  return new Promise<void>((resolve, reject) => {
    const child = spawn("nice", ["-n", "10", "go", ...args], {
      cwd: sourceFolder(module.name),
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
  }).finally(() => {
    clearInterval(progress);
    say("is done with");
  });
}
