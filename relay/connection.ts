import { existsSync, readFileSync } from "node:fs";
import type { KubeConnection } from "../shared/adapters/kube/index.ts";
import type { Environment } from "./config.ts";

/** Where a pod finds its service account (Kubernetes' path). */
const usualFolder = "/var/run/secrets/kubernetes.io/serviceaccount";
/** Kubelets renew a pod's token long before it ends: one that was read a minute ago is still good. */
const tokenAgeMs = 60_000;

/**
 * How to reach the API server: in a pod by its service account, elsewhere as the client library's `loadFromDefault` finds
 * it. The library is not loaded in a pod: it would take thirty megabytes there, a fifth of what the relay may have, to read
 * three files. Its order is kept: KUBECONFIG comes first.
 */
export async function connect(env: Environment, now: () => number): Promise<KubeConnection> {
  const folder = env.SERVICE_ACCOUNT_FOLDER || usualFolder;
  const host = env.KUBERNETES_SERVICE_HOST;
  if (!env.KUBECONFIG && host && existsSync(`${folder}/token`)) {
    return inPod({ host, port: env.KUBERNETES_SERVICE_PORT || "443", folder, now });
  }
  const { loadKubeconfig } = await import("./kubeconfig.ts");
  return loadKubeconfig();
}

export interface PodAccess {
  readonly host: string;
  readonly port: string;
  /** Holds `token` and `ca.crt`. */
  readonly folder: string;
  now(): number;
}

/** The connection of a pod. Throws if the files are not there. */
export function inPod({ host, port, folder, now }: PodAccess): KubeConnection {
  const ca = readFileSync(`${folder}/ca.crt`);
  let token = { text: "", readMs: Number.NEGATIVE_INFINITY };
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    getCurrentCluster: () => ({ server }),
    async applyToHTTPSOptions(options) {
      if (now() - token.readMs > tokenAgeMs) {
        const text = readFileSync(`${folder}/token`, "utf8").trim();
        if (/\s/.test(text)) throw new Error(`${folder}/token has white space in it: it is no token`);
        token = { text, readMs: now() };
      }
      options.ca = ca;
      options.headers = { ...(options.headers as object), authorization: `Bearer ${token.text}` };
    },
  };
}
