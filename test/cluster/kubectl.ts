// kubectl as a person has it, but for its cache: tests that share ~/.kube/cache see what a cluster that is gone said
// under an address that is theirs now.
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { ControlPlane } from "./control-plane.ts";
import type { Document } from "./documents.ts";

const run = promisify(execFile);
const documentedTimeoutMs = 90_000;
const lookEveryMs = 200;

/** Runs kubectl on a cluster; answers with its standard output, rejects with what it said. */
export type Kubectl = (...args: readonly string[]) => Promise<string>;

export function openKubectl({ kubectlPath, kubeconfigPath, cacheFolder }: ControlPlane): Kubectl {
  if (kubectlPath === undefined) throw new Error("no kubectl beside kube-apiserver or on the PATH");
  const own = ["--kubeconfig", kubeconfigPath, "--cache-dir", cacheFolder];
  return async (...args) => (await run(kubectlPath, [...own, ...args], { maxBuffer: 64 * 2 ** 20 })).stdout;
}

interface Crd extends Document {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

interface OpenApi {
  readonly paths?: Readonly<Record<string, unknown>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
}

/**
 * Waits until the server's OpenAPI v3 documents hold the kinds of the CustomResourceDefinitions: `kubectl explain`, and its
 * checks before it applies something, read those. They follow some moments after a definition is Established, at first
 * perhaps with another of its group's kinds only.
 */
export async function untilDocumented(kubectl: Kubectl, crds: readonly Document[]): Promise<void> {
  const deadline = performance.now() + documentedTimeoutMs;
  for (const { spec } of crds as readonly Crd[]) {
    const { kind } = spec.names;
    for (const { name: version, served } of spec.versions) {
      while (served && !(await isDocumented(kubectl, { group: spec.group, version, kind }))) {
        const where = `/openapi/v3/apis/${spec.group}/${version}`;
        if (performance.now() > deadline) throw new Error(`${kind} is not in ${where} in time`);
        await sleep(lookEveryMs);
      }
    }
  }
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

async function isDocumented(kubectl: Kubectl, { group, version, kind }: Kind): Promise<boolean> {
  const path = `apis/${group}/${version}`;
  const read = async (from: string) => JSON.parse(await kubectl("get", "--raw", from)) as OpenApi;
  if ((await read("/openapi/v3")).paths?.[path] === undefined) return false;
  const { components } = await read(`/openapi/v3/${path}`);
  return Object.values(components?.schemas ?? {}).some((schema) => {
    const kinds = (schema["x-kubernetes-group-version-kind"] ?? []) as readonly Kind[];
    return kinds.some((one) => one.group === group && one.version === version && one.kind === kind);
  });
}
