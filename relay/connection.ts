import type { KubeConnection } from "../shared/adapters/kube/index.ts";
import { serviceAccountConnection, usualConnection } from "../shared/adapters/kube/kubeconfig.ts";
import type { Environment } from "./config.ts";

/**
 * How to reach the API server, as the client library configures it: in a pod by its service account, elsewhere by a
 * kubeconfig. Throws if there is neither.
 */
export function connect(env: Environment): KubeConnection {
  const root = env.SERVICE_ACCOUNT_ROOT;
  return root && !env.KUBECONFIG ? serviceAccountConnection(root) : usualConnection();
}
