// The embedded API server, put together: the store, its HTTP face on loopback, a kubeconfig for it.
import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { stringify } from "yaml";
import { createCertificate } from "./certificate.ts";
import { createHttpFace } from "./http/server.ts";
import { createSeedObjects } from "./seed-objects.ts";
import { createContext, createStore } from "./store/store.ts";
import type { ApiServer, ApiServerOptions, Kubeconfig } from "./types.ts";

function kubeconfigFor(server: string, token: string, ca: string): Kubeconfig {
  const name = "timmerman";
  const yaml = stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority-data": Buffer.from(ca).toString("base64") } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: "default" } }],
    "current-context": name,
  });
  return { yaml, server, token, ca };
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * A new, empty cluster's API. New nodes carry the not-ready:NoSchedule taint until something takes it off, as on a cluster
 * (there the node lifecycle controller does). Whoever is on this host can reach the port, so the token is made by chance.
 */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const token = options.token ?? randomBytes(24).toString("base64url");
  const context = createContext(options);
  createSeedObjects(context);
  const face = createHttpFace(context, token, (error) => {
    console.error("embedded Kubernetes API: a request failed through a fault of the server:", error);
  });
  const certificate = createCertificate(Date.now());
  const server = createServer({ ...certificate, keepAliveTimeout: 60_000 }, face.handle);
  let url: string | undefined;
  return {
    store: createStore(context),
    listen: async (port = 0) => {
      const bound = await listenOn(server, port);
      url = `https://127.0.0.1:${bound}`;
      return { url, port: bound };
    },
    close: async () => {
      face.endWatches();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
    kubeconfig: () => {
      if (url === undefined) throw new Error("kubeconfig(): the server has no address before listen()");
      return kubeconfigFor(url, token, certificate.cert);
    },
  };
}
