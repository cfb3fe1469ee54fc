import { createSeededIds } from "../../../local/kube/ids.ts";
import { createApiServer } from "../../../local/kube/server.ts";
import { runKubeApiSuite } from "./suite.ts";

async function connect(): Promise<{ url: string; token: string; ca: string; close: () => Promise<void> }> {
  const server = createApiServer({ clock: { now: () => Date.UTC(2026, 0, 1) }, ids: createSeededIds(1) });
  await server.listen();
  const { server: url, token, ca } = server.kubeconfig();
  return { url, token, ca, close: () => server.close() };
}

runKubeApiSuite("the embedded world", connect, { controllers: true });
