import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { connectionOf, type FetchedToken } from "../../../shared/adapters/kube/access.ts";
import { openKubeCluster } from "../../../shared/adapters/kube/index.ts";
import { openTransport } from "../../../shared/adapters/kube/transport.ts";
import { type Cluster, OperationError } from "../../../shared/ports/index.ts";
import { type Reply, type ScriptedServer, type SeenRequest, startScriptedServer } from "./scripted-server.ts";

const secret = "s3cr3t-token";
let server: ScriptedServer | undefined;
const slept: number[] = [];

afterEach(async () => {
  await server?.stop();
  server = undefined;
  slept.length = 0;
});

async function clusterOn(
  reply: (request: SeenRequest, count: number) => Reply,
  token: string | FetchedToken = secret,
): Promise<Cluster> {
  server = await startScriptedServer(reply);
  const clock = { now: () => 0, sleep: async (ms: number) => void slept.push(ms) };
  return openKubeCluster({ server: server.url, token }, { clock });
}

async function failureOf(promise: Promise<unknown>): Promise<OperationError> {
  const failure = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof OperationError)) throw new Error(`no OperationError but ${inspect(failure)}`);
  return failure;
}

const node = (resourceVersion = "1") => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "n", uid: "u", resourceVersion, creationTimestamp: "2026-06-01T12:00:00Z" },
});
const status = (reason: string, message: string, causes: object[] = []) => ({
  kind: "Status",
  status: "Failure",
  reason,
  message,
  details: { causes },
});
const pod = { namespace: "default", name: "p", uid: "pu" };

describe("tries again", () => {
  it("after a server error, with growing waits", async () => {
    const cluster = await clusterOn((_, count) => (count < 3 ? { status: 503 } : { status: 200, body: node() }));
    expect((await cluster.findNode({ name: "n" }))?.uid).toBe("u");
    expect(slept).toEqual([200, 1_000]);
  });

  it.each([
    ["a throttling server", { status: 429, headers: { "retry-after": "2" } }, 5_000, 4_999],
    ["a server error", { status: 503 }, 3_200, 3_199],
  ] as const)("after %s only if the run has the time", async (_, reply, enoughMs, tooLittleMs) => {
    for (const [leftMs, asked] of [
      [enoughMs, 2],
      [tooLittleMs, 1],
    ] as const) {
      const { seen, url, stop } = await startScriptedServer((__, count) => (count === 1 ? reply : { status: 403 }));
      const clock = { now: () => 0, sleep: async () => {} };
      const cluster = openKubeCluster({ server: url, token: secret }, { clock, remainingMs: () => leftMs });
      await failureOf(cluster.findNode({ name: "n" }));
      expect(seen).toHaveLength(asked);
      await stop();
    }
  });

  it("after as long as a throttling server asks for", async () => {
    const reply: Reply = { status: 429, headers: { "retry-after": "2" }, body: status("TooManyRequests", "slow down") };
    const cluster = await clusterOn((_, count) => (count === 1 ? reply : { status: 200, body: node() }));
    await cluster.findNode({ name: "n" });
    expect(slept).toEqual([2_000]);
  });

  it("after a cut connection", async () => {
    const cluster = await clusterOn((_, count) => (count === 1 ? "cut" : { status: 200, body: node() }));
    expect((await cluster.findNode({ name: "n" }))?.uid).toBe("u");
  });

  it("with a fresh token after a 401", async () => {
    let made = 1;
    const cluster = await clusterOn(
      ({ token }) => (token === "Bearer token-2" ? { status: 200, body: node() } : { status: 401 }),
      { fetch: async () => `token-${made}`, forget: () => void made++ },
    );
    expect((await cluster.findNode({ name: "n" }))?.uid).toBe("u");
    expect(server?.seen.map((r) => r.token)).toEqual(["Bearer token-1", "Bearer token-2"]);
  });
});

describe("gives up", () => {
  it.each([
    [{ status: 500 }, "server-error", "later", true],
    [{ status: 503 }, "server-error", "later", false],
    [{ status: 429 }, "throttled", "later", false],
    [{ status: 401 }, "unauthenticated", "later", false],
    ["cut", "unreachable", "later", true],
  ] as const)("after three tries: %j is %s", async (reply, code, retry, outcomeUnknown) => {
    const cluster = await clusterOn(() => reply);
    const failure = await failureOf(cluster.patchNode("n", { uid: "u" }, { cordoned: true }));
    expect(failure).toMatchObject({ code, retry, outcomeUnknown });
    expect(server?.seen).toHaveLength(3);
  });

  it.each([
    [{ status: 403, body: status("Forbidden", "nodes is forbidden") }, "forbidden", "never"],
    [{ status: 422, body: status("Invalid", "bad label") }, "invalid", "never"],
    [{ status: 429, headers: { "retry-after": "60" } }, "throttled", "later"],
  ] as const)("at once: %j is %s", async (reply, code, retry) => {
    const cluster = await clusterOn(() => reply);
    const failure = await failureOf(cluster.patchNode("n", { uid: "u" }, { cordoned: true }));
    expect(failure).toMatchObject({ code, retry, outcomeUnknown: false });
    expect(server?.seen).toHaveLength(1);
  });

  it("on a server that isn't there, knowing that nothing happened", async () => {
    const cluster = await clusterOn(() => "cut");
    await server?.stop();
    const failure = await failureOf(cluster.deleteNode("n", { uid: "u" }));
    expect(failure).toMatchObject({ code: "unreachable", outcomeUnknown: false });
  });

  it("on a silent server after the call's time", async () => {
    server = await startScriptedServer(() => "silence");
    const send = openTransport(connectionOf({ server: server.url, token: secret }));
    const failure = await failureOf(send({ method: "POST", path: "/x", body: {}, timeoutMs: 40 }));
    expect(failure).toMatchObject({ code: "timeout", retry: "later", outcomeUnknown: true });
  });

  it("on an answer that is no JSON", async () => {
    const cluster = await clusterOn(() => ({ status: 200, text: '{"metadata": ' }));
    expect(await failureOf(cluster.findNode({ name: "n" }))).toMatchObject({ code: "unreachable" });
  });

  it.each([
    ["is a page to log in", { status: 200, text: "<html>", headers: { "content-type": "text/html" } }],
    ["is empty", { status: 200, text: "" }],
    ["has no items", { status: 200, body: { metadata: { resourceVersion: "1" } } }],
    ["leads elsewhere", { status: 302, headers: { location: "http://127.0.0.1:9/" } }],
  ] as const)("on a list that %s: nothing there would be something else", async (_, reply) => {
    const cluster = await clusterOn(() => reply);
    await expect(cluster.read()).rejects.toThrow(OperationError);
  });

  it("without telling the token", async () => {
    for (const reply of ["cut", { status: 500 }, { status: 403 }] as const) {
      const cluster = await clusterOn(() => reply);
      const failure = await failureOf(cluster.findNode({ name: "n" }));
      expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain(secret);
      await server?.stop();
    }
  });
});

describe("evictions", () => {
  it("take a server that sheds load for no budget's refusal", async () => {
    const cluster = await clusterOn(() => ({ status: 429, body: status("TooManyRequests", "too many requests") }));
    expect(await failureOf(cluster.evictPod(pod))).toMatchObject({ code: "throttled", retry: "later" });
  });

  it("take an unknown server error for no misconfigured budget", async () => {
    const cluster = await clusterOn(() => ({ status: 500, body: status("InternalError", "etcd is ill") }));
    expect(await failureOf(cluster.evictPod(pod))).toMatchObject({ code: "server-error" });
  });

  it("that meet at a budget are blocked, not gone", async () => {
    const cluster = await clusterOn(({ method }) =>
      method === "POST"
        ? { status: 409, body: status("Conflict", "the object has been modified") }
        : { status: 200, body: { metadata: { ...node().metadata, name: "p", uid: "pu" } } },
    );
    expect(await cluster.evictPod(pod)).toMatchObject({ kind: "blocked" });
  });
});

describe("writes", () => {
  it("of taints need the version that was seen", async () => {
    const cluster = await clusterOn(() => ({ status: 200, body: node() }));
    await expect(cluster.patchNode("n", { uid: "u" }, { taints: [] })).rejects.toBeInstanceOf(TypeError);
    await expect(cluster.patchNode("n", { uid: "u" }, { finalizers: [] })).rejects.toBeInstanceOf(TypeError);
    expect(server?.seen).toEqual([]);
  });

  it("of taints keep the time at which one that stays was added", async () => {
    const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoExecute", timeAdded: "2026-06-01T12:00:00Z" };
    const cluster = await clusterOn(() => ({ status: 200, body: { ...node(), spec: { taints: [notReady] } } }));
    const taints = [
      { key: "node.kubernetes.io/not-ready", value: "", effect: "NoExecute" },
      { key: "karpenter.sh/disrupted", value: "", effect: "NoSchedule" },
    ] as const;
    expect(await cluster.patchNode("n", { uid: "u", resourceVersion: "1" }, { taints })).toBe("done");
    expect(server?.seen.at(-1)?.body).toEqual({
      metadata: { uid: "u", resourceVersion: "1" },
      spec: { taints: [notReady, { key: "karpenter.sh/disrupted", effect: "NoSchedule" }] },
    });
  });

  it("of a class's finalizers look again when somebody else wrote, and keep theirs", async () => {
    const bearing = (resourceVersion: string, ...finalizers: string[]) => ({
      status: 200,
      body: { kind: "EC2NodeClass", metadata: { name: "c", uid: "u", resourceVersion, finalizers } },
    });
    const replies: Reply[] = [
      bearing("1", "karpenter.k8s.aws/termination"),
      { status: 409, body: status("Conflict", "the object has been modified") },
      bearing("2", "karpenter.k8s.aws/termination", "example.com/theirs"),
      bearing("2", "karpenter.k8s.aws/termination", "example.com/theirs"),
      bearing("3", "example.com/theirs"),
    ];
    const cluster = await clusterOn((_, count) => replies[count - 1]!);
    expect(await cluster.releaseNodeClass("c", { uid: "u" })).toBe("done");
    expect(server?.seen.map(({ method }) => method)).toEqual(["GET", "PATCH", "GET", "GET", "PATCH"]);
    expect(server?.seen.at(-1)?.body).toEqual({
      metadata: { uid: "u", resourceVersion: "2", finalizers: ["example.com/theirs"] },
    });
  });

  it("of events that stand for long are left out where another process made them of late", async () => {
    const said = { message: "m", count: 4, lastTimestamp: new Date(-10 * 60_000).toISOString() };
    const about = { kind: "NodePool", name: "p", uid: "u", key: "k", type: "Warning", reason: "R" } as const;
    const event = { ...about, message: "m", repeatAfterMs: 30 * 60_000 };
    const late = await clusterOn(() => ({ status: 200, body: said }));
    await late.publish(event);
    await late.publish(event);
    expect(server?.seen.map(({ method }) => method)).toEqual(["GET"]);
    await server?.stop();
    const older = { ...said, lastTimestamp: new Date(-40 * 60_000).toISOString() };
    const early = await clusterOn(() => ({ status: 200, body: older }));
    await early.publish(event);
    await early.publish(event);
    expect(server?.seen.map(({ method, body }) => [method, body?.count])).toEqual([
      ["GET", undefined],
      ["PATCH", 5],
    ]);
  });

  it("of events in a namespace that is going are nobody's loss; a missing permission is", async () => {
    const causes = [{ reason: "NamespaceTerminating", field: "metadata.namespace" }];
    const event = { key: "k", kind: "Pod", ...pod, type: "Normal", reason: "R", message: "m" } as const;
    const going = await clusterOn(() => ({ status: 403, body: status("Forbidden", "it is being terminated", causes) }));
    await going.publish(event);
    await server?.stop();
    const forbidding = await clusterOn(() => ({ status: 403, body: status("Forbidden", "events is forbidden") }));
    expect(await failureOf(forbidding.publish(event))).toMatchObject({ code: "forbidden" });
  });
});
