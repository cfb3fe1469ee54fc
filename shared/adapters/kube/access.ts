import { KubeConfig } from "@kubernetes/client-node";

/** A token that is made when it is asked for, and may be kept until the server refuses it. */
export interface FetchedToken {
  fetch(): Promise<string>;
  /** The server refused the token: the next one is made anew. */
  forget(): void;
}

/**
 * How to reach an API server: a kubeconfig's text (any kind of credentials that it may hold), or an address with a
 * token, given or fetched before each call (EKS tokens live for minutes).
 */
export type KubeAccess =
  | { readonly kubeconfig: string }
  | { readonly server: string; readonly caPem?: string; readonly token: string | FetchedToken };

const fetchedToken = "timmerman-fetched-token";

/** A client configuration for that access. A token that is fetched is asked for at every call; caching is the caller's. */
export function loadAccess(access: KubeAccess): KubeConfig {
  const config = new KubeConfig();
  if ("kubeconfig" in access) {
    config.loadFromString(access.kubeconfig);
    return config;
  }
  const { server, caPem, token } = access;
  const user =
    typeof token === "string"
      ? { name: "timmerman", token }
      : { name: "timmerman", authProvider: { name: fetchedToken } };
  config.loadFromClusterAndUser(
    {
      name: "cluster",
      server,
      // The client refuses plain HTTP otherwise; only loopback servers speak it.
      skipTLSVerify: server.startsWith("http:"),
      ...(caPem === undefined ? {} : { caData: Buffer.from(caPem).toString("base64") }),
    },
    user,
  );
  if (typeof token !== "string") {
    config.addAuthenticator({
      isAuthProvider: (candidate) => candidate.authProvider?.name === fetchedToken,
      applyAuthentication: async (_user, options) => {
        options.headers = {
          ...(options.headers as Record<string, string>),
          Authorization: `Bearer ${await token.fetch()}`,
        };
      },
    });
  }
  return config;
}
