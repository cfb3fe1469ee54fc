// Connections as the client library for Kubernetes configures them: service accounts, kubeconfigs with whatever credentials
// they name, and tokens of our own. The relay and the command line import this by its path; it isn't part of the room's
// index, so that functions, which know a server and a token, don't carry the library. Of the library it is the module of
// the configuration alone, not the typed API classes beside it (docs/decisions.md).
import { KubeConfig } from "@kubernetes/client-node/dist/config.js";
import type { FetchedToken, KubeConnection } from "./access.ts";

/** The library's name for the context of a configuration that was made from one cluster and one user. */
const madeContext = "loaded-context";

/**
 * As the library finds it: by KUBECONFIG, else the user's kubeconfig, else the service account of the pod that this runs
 * in. Throws if there is none of them, or a file that cannot be read.
 */
export function usualConnection(): KubeConnection {
  const config = new KubeConfig();
  config.loadFromDefault();
  // The library falls back on a server on this host, without TLS, which it then refuses at every request.
  if (config.getCurrentContext() === madeContext) {
    throw new Error(
      "no cluster is configured: set KUBECONFIG, or run in a pod that mounts its service account's token",
    );
  }
  return checked(config);
}

/**
 * By the service account whose files lie below `root` where a pod has them (`/var/run/secrets/kubernetes.io/…`), at the
 * address in KUBERNETES_SERVICE_HOST and _PORT. The token is read again every minute, as kubelets renew it.
 */
export function serviceAccountConnection(root: string): KubeConnection {
  const config = new KubeConfig();
  config.loadFromCluster(root);
  return checked(config);
}

export interface TokenAccess {
  readonly cluster: string;
  readonly server: string;
  /** Of the server's certificate authority, PEM in base64 as EKS gives it; empty: the public ones. */
  readonly caBundle: string;
  readonly token: string | FetchedToken;
}

/** With a token that is asked for before each request: EKS tokens live for minutes. Caching is the caller's. */
export function tokenConnection({ cluster, server, caBundle, token }: TokenAccess): KubeConnection {
  const config = new KubeConfig();
  config.addAuthenticator({
    isAuthProvider: () => true,
    async applyAuthentication(_user, options) {
      const text = typeof token === "string" ? token : await token.fetch();
      options.headers = { ...options.headers, Authorization: `Bearer ${text}` };
    },
  });
  config.loadFromClusterAndUser(
    // The library takes a server without TLS only from those who say that nothing can be verified there.
    { name: cluster, server, caData: caBundle, skipTLSVerify: server.startsWith("http:") },
    { name: "caller" },
  );
  return checked(config);
}

/**
 * The library hands on what a token's file holds, as it is. An editor's newline at its end is forgiven; anything else that
 * no header may hold is an error here, which names the reason and can be tried again, instead of one of Node's.
 */
function checked(config: KubeConfig): KubeConnection {
  return {
    getCurrentCluster: () => config.getCurrentCluster(),
    async applyToHTTPSOptions(options) {
      await config.applyToHTTPSOptions(options);
      const headers = options.headers as Record<string, unknown> | undefined;
      if (typeof headers?.Authorization !== "string") return;
      const value = headers.Authorization.trim();
      if (!/^\S+ [!-~]+$/.test(value)) throw new Error("the token is empty, or has white space in it: it is no token");
      headers.Authorization = value;
    },
  };
}
