import type { RequestOptions } from "node:https";

/** A token that is made when it is asked for, and may be kept until the server refuses it. */
export interface FetchedToken {
  fetch(): Promise<string>;
  /** The server refused the token: the next one is made anew. */
  forget(): void;
}

/**
 * Where an API server is, and what a request to it carries. `KubeConfig` of @kubernetes/client-node is one, with whatever
 * credentials its file holds; it is not named here, because functions, which only know tokens, would carry it and all that
 * it needs.
 */
export interface KubeConnection {
  getCurrentCluster(): { readonly server: string; readonly proxyUrl?: string } | null;
  /** Adds credentials (headers, certificates, an agent for a proxy). Called before each request. */
  applyToHTTPSOptions(options: RequestOptions): Promise<void>;
}

/**
 * How to reach an API server: over a connection that someone has configured, or at an address with a token, given or
 * fetched before each call (EKS tokens live for minutes).
 */
export type KubeAccess =
  | { readonly connection: KubeConnection }
  | { readonly server: string; readonly caPem?: string; readonly token: string | FetchedToken };

/** The connection for that access. A token that is fetched is asked for at every call; caching is the caller's. */
export function connectionOf(access: KubeAccess): KubeConnection {
  if ("connection" in access) return access.connection;
  const { server, caPem, token } = access;
  return {
    getCurrentCluster: () => ({ server }),
    async applyToHTTPSOptions(options) {
      if (caPem !== undefined) options.ca = caPem;
      options.headers = {
        ...(options.headers as Record<string, string>),
        Authorization: `Bearer ${typeof token === "string" ? token : await token.fetch()}`,
      };
    },
  };
}
