import { request } from "node:https";
import { afterEach, expect, it } from "vitest";
import { createSeededIds } from "../../../local/kube/ids.ts";
import { createApiServer } from "../../../local/kube/server.ts";
import type { ApiServer } from "../../../local/kube/types.ts";

const servers: ApiServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function openServer(options: { token?: string } = {}) {
  const server = createApiServer({ clock: { now: () => Date.UTC(2026, 0, 1) }, ids: createSeededIds(1), ...options });
  servers.push(server);
  const { port } = await server.listen();
  const { token, ca } = server.kubeconfig();
  const statusOf = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      const outgoing = request({ host: "127.0.0.1", port, ca, path, headers, agent: false }, (incoming) => {
        incoming.resume();
        incoming.on("end", () => resolve(incoming.statusCode));
      });
      outgoing.on("error", reject);
      outgoing.end();
    });
  return { token, statusOf };
}

it("answers what is no path of its own with 400, and goes on", async () => {
  const { statusOf } = await openServer();
  for (const path of ["//", "//other.example/api", "http://[/", "/api/v1/namespaces/%ff", "*"]) {
    expect([path, await statusOf(path)]).toEqual([path, 400]);
  }
  expect(await statusOf("/api/v1/namespaces")).toBe(200);
});

it("has a token that nobody can know before, unless one is given", async () => {
  const [one, two] = [await openServer(), await openServer()];
  expect(one.token).not.toBe(two.token);
  expect(one.token).toMatch(/^[\w-]{32,}$/);
  expect(await two.statusOf("/api/v1/namespaces")).toBe(200);
  expect((await openServer({ token: "given" })).token).toBe("given");
});
