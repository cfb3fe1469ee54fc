import { KubeConfig } from "@kubernetes/client-node";
import type { KubeConnection } from "../shared/adapters/kube/index.ts";

/** The connection that KUBECONFIG, the user's kubeconfig or else a service account gives, as the client library finds it. */
export function loadKubeconfig(): KubeConnection {
  const config = new KubeConfig();
  config.loadFromDefault();
  return config;
}
