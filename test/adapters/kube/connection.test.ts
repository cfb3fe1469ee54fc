import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createCertificate } from "../../../local/kube/certificate.ts";
import { connectionOf, type KubeAccess } from "../../../shared/adapters/kube/access.ts";
import { openKubeCluster } from "../../../shared/adapters/kube/index.ts";
import { openTransport } from "../../../shared/adapters/kube/transport.ts";
import { product } from "../../../shared/ports/index.ts";

const slept: number[] = [];
const clock = { now: () => 0, sleep: async (ms: number) => void slept.push(ms) };
const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  slept.length = 0;
});

async function listen(server: Server & { closeAllConnections?(): void }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    server.closeAllConnections?.();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

const answers: Record<string, object> = {
  "/version": { major: "1", minor: "34+", gitVersion: "v1.34.1-eks-abcdef0" },
  "/api/v1/namespaces/kube-system": { metadata: { name: "kube-system", uid: "uid-of-kube-system" } },
};

/** An API server that counts its connections. */
async function startCounting() {
  const seen = { connections: 0, agents: [] as string[] };
  const server = createHttpServer((request, response) => {
    seen.agents.push(String(request.headers["user-agent"]));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answers[request.url ?? ""] ?? {}));
  });
  server.on("connection", () => {
    seen.connections += 1;
  });
  return { seen, url: `http://127.0.0.1:${await listen(server)}` };
}

describe("a connection to an API server", () => {
  it("is kept from call to call, and so from one invocation to the next", async () => {
    const { seen, url } = await startCounting();
    const cluster = openKubeCluster({ server: url, token: "t" }, { clock });
    for (let at = 0; at < 4; at++) await cluster.readVersion();
    expect(seen).toMatchObject({ connections: 1, agents: { length: 4 } });
  });

  it("names the product, its version and the function that asks", async () => {
    const { seen, url } = await startCounting();
    const userAgent = "timmerman/9.9.9 (provision)";
    await openKubeCluster({ server: url, token: "t" }, { clock, userAgent }).readVersion();
    await openKubeCluster({ server: url, token: "t" }, { clock }).readVersion();
    expect(seen.agents).toEqual([userAgent, `timmerman/${product.version}`]);
  });

  it("tells the cluster's version and uid", async () => {
    const { url } = await startCounting();
    const cluster = openKubeCluster({ server: url, token: "t" }, { clock });
    expect(await cluster.readVersion()).toBe("1.34");
    expect(await cluster.readUid()).toBe("uid-of-kube-system");
  });

  it("to something else that answers says that it is no API server", async () => {
    const server = createHttpServer((_request, response) => response.end("<html>"));
    const url = `http://127.0.0.1:${await listen(server)}`;
    const cluster = openKubeCluster({ server: url, token: "t" }, { clock });
    await expect(cluster.readVersion()).rejects.toMatchObject({ message: expect.stringContaining("GET /version") });
    await expect(cluster.readUid()).rejects.toMatchObject({ code: "invalid" });
  });
});

describe("the certificate of an API server", () => {
  async function startTls() {
    const certificate = createCertificate(Date.now());
    const server = createHttpsServer(certificate, (_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answers["/version"]));
    });
    return { ca: certificate.cert, url: `https://127.0.0.1:${await listen(server)}` };
  }
  const versionAt = (access: KubeAccess) => openKubeCluster(access, { clock }).readVersion();

  it("is trusted by the CA that the cluster was registered with", async () => {
    const { ca, url } = await startTls();
    expect(await versionAt({ server: url, caPem: ca, token: "t" })).toBe("1.34");
  });

  it.each([
    ["another CA", () => createCertificate(Date.now()).cert],
    ["the public CAs", () => undefined],
  ])("is not trusted by %s, and no token is sent", async (_what, caOf) => {
    const { url } = await startTls();
    const caPem = caOf();
    const access = { server: url, token: "t", ...(caPem === undefined ? {} : { caPem }) };
    await expect(versionAt(access)).rejects.toMatchObject({ code: "unreachable", retry: "later" });
  });
});

describe("an API server that cannot be reached", () => {
  const sendTo = (server: string) => openTransport(connectionOf({ server, token: "t" }));

  it("is told apart from one that is slow: nothing was sent, and the endpoint may be private", async () => {
    const silent = createTcpServer(() => {});
    const sockets = new Set<{ destroy(): void }>();
    silent.on("connection", (socket) => sockets.add(socket));
    const url = `https://127.0.0.1:${await listen(silent)}`;
    const request = { method: "DELETE", path: "/x", connectTimeoutMs: 40, timeoutMs: 5_000 } as const;
    const failure = await sendTo(url)(request).catch((error: unknown) => error);
    for (const socket of sockets) socket.destroy();
    expect(failure).toMatchObject({ code: "unreachable", retry: "later", outcomeUnknown: false });
    expect((failure as Error).message).toContain(
      "within 40 ms (if its endpoint is private, the caller must be in its VPC)",
    );
  });

  it("is given up within a time that a run has", async () => {
    const cluster = openKubeCluster({ server: "http://127.0.0.1:9", token: "t" }, { clock });
    await expect(cluster.readVersion()).rejects.toMatchObject({ code: "unreachable" });
    expect(slept).toEqual([200, 1_000]);
  });
});

describe("an API server that sheds load (priority and fairness)", () => {
  it("is asked three times, each time after as long as it asks for, and then left to the next run", async () => {
    let requests = 0;
    const server = createHttpServer((_request, response) => {
      requests += 1;
      response.writeHead(429, { "retry-after": "1", "x-kubernetes-pf-flowschema-uid": "u" });
      response.end();
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    const cluster = openKubeCluster({ server: url, token: "t" }, { clock });
    await expect(cluster.readVersion()).rejects.toMatchObject({ code: "throttled", retry: "later" });
    expect(requests).toBe(3);
    expect(slept).toEqual([1_000, 1_000]);
  });
});
