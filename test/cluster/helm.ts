// Helm: built from the Go module proxy once (helm/go.mod) and kept in the cache; without Go, the one on the PATH.
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build, cacheFolder, type GoModule, searchPath } from "./binaries.ts";

const run = promisify(execFile);

const module: GoModule = {
  name: "helm",
  programs: { helm: "helm.sh/helm/v3/cmd/helm" },
  versions: {
    "helm.sh/helm/v3/internal/version.version": "v3.22.0",
    // The Kubernetes that `helm template` takes a cluster for.
    "helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor": "1",
    "helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor": "36",
  },
};

/** The program, or why there is none. A build takes some two minutes; what it does goes to stderr. */
export type HelmProgram = { readonly path: string } | { readonly reason: string };

export async function provideHelm(env: NodeJS.ProcessEnv = process.env): Promise<HelmProgram> {
  const path = join(cacheFolder(module, env), "helm");
  if (existsSync(path)) return { path };
  if (spawnSync("go", ["version"]).status === 0) {
    await build(module, env);
    return { path };
  }
  const installed = searchPath(env)
    .map((folder) => join(folder, "helm"))
    .find((candidate) => existsSync(candidate));
  if (installed !== undefined) return { path: installed };
  const reason = "neither Helm nor Go, which would build it, is installed";
  if (env.CI === "true") throw new Error(reason);
  return { reason };
}

/** Runs helm with folders of its own, so that nobody's repositories and plugins count. Rejects with what it said. */
export interface Helm {
  (...args: readonly string[]): Promise<string>;
  close(): void;
}

export function openHelm(path: string): Helm {
  const folder = mkdtempSync(join(tmpdir(), "timmerman-helm-"));
  const env = {
    ...process.env,
    HELM_CACHE_HOME: join(folder, "cache"),
    HELM_CONFIG_HOME: join(folder, "config"),
    HELM_DATA_HOME: join(folder, "data"),
    // What API servers told it, by their addresses, which other servers of other tests have had.
    KUBECACHEDIR: join(folder, "kube"),
  };
  const helm = async (...args: readonly string[]) =>
    (await run(path, [...args], { env, cwd: folder, maxBuffer: 64 * 2 ** 20 })).stdout;
  return Object.assign(helm, { close: () => rmSync(folder, { recursive: true, force: true }) });
}
