import { afterEach, expect, it } from "vitest";
import { openKubeCluster } from "../../../shared/adapters/kube/index.ts";
import type { Cluster } from "../../../shared/ports/index.ts";
import { type Reply, type ScriptedServer, type SeenRequest, startScriptedServer } from "./scripted-server.ts";

let server: ScriptedServer | undefined;
afterEach(() => server?.stop());

async function clusterOn(reply: (request: SeenRequest, count: number) => Reply): Promise<Cluster> {
  server = await startScriptedServer(reply);
  return openKubeCluster({ server: server.url, token: "t" }, { clock: { now: () => 0, sleep: async () => {} } });
}

const pod = (name: string) => ({
  metadata: { name, namespace: "default", uid: name, resourceVersion: "1", creationTimestamp: "2026-06-01T12:00:00Z" },
  spec: { containers: [{ name: "main", image: "x", resources: { requests: { cpu: "1" } } }] },
  status: { phase: "Pending" },
});

function page(items: object[], resourceVersion: string, more = ""): Reply {
  return { status: 200, body: { metadata: { resourceVersion, ...(more === "" ? {} : { continue: more }) }, items } };
}

/** An empty cluster but for its pods. */
const withPods = (pods: (request: SeenRequest) => Reply) => (request: SeenRequest) =>
  request.path === "/api/v1/pods" ? pods(request) : page([], "40");

it("reads pods last, page by page", async () => {
  const cluster = await clusterOn(
    withPods(({ query }) => (query.get("continue") === "two" ? page([pod("b")], "41") : page([pod("a")], "41", "two"))),
  );
  const view = await cluster.read();
  expect(view.pods.map((p) => p.name)).toEqual(["a", "b"]);
  expect(view.resourceVersion).toBe("41");
  const order = server!.seen.map((r) => r.path);
  expect(order.slice(-2)).toEqual(["/api/v1/pods", "/api/v1/pods"]);
  expect(order.slice(0, -2)).not.toContain("/api/v1/pods");
  expect(server!.seen.at(-1)!.query.get("limit")).toBe("500");
});

const storing = (name: string, nodeName?: string) => ({
  ...pod(name),
  spec: {
    ...pod(name).spec,
    volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
    ...(nodeName === undefined ? {} : { nodeName }),
  },
});
const storagePaths = [
  "/api/v1/persistentvolumeclaims",
  "/api/v1/persistentvolumes",
  "/apis/storage.k8s.io/v1/csinodes",
  "/apis/storage.k8s.io/v1/storageclasses",
];

it("reads storage after the pods, where one that needs a place has volumes, and four lists less elsewhere", async () => {
  const askedFor = async (
    pods: object[],
    options: { leavingNodes?: ReadonlySet<string> } = {},
    nodes: object[] = [],
  ) => {
    const cluster = await clusterOn(({ path }) =>
      page(path === "/api/v1/pods" ? pods : path === "/api/v1/nodes" ? nodes : [], "41"),
    );
    await cluster.read(options);
    const order = server!.seen.map(({ path }) => path);
    await server!.stop();
    return order.slice(order.indexOf("/api/v1/pods") + 1).sort();
  };
  const node = (name: string, spec: object, more: object = {}) => ({ metadata: { name, uid: name, ...more }, spec });
  const disrupted = node("n1", { taints: [{ key: "karpenter.sh/disrupted", effect: "NoSchedule" }] });
  const deleted = node("n1", {}, { deletionTimestamp: "2026-06-01T12:00:00Z" });
  expect(await askedFor([storing("a")])).toEqual(storagePaths);
  expect(await askedFor([pod("a"), storing("b", "n1")])).toEqual([]);
  expect(await askedFor([storing("b", "n1")], { leavingNodes: new Set(["n1"]) })).toEqual(storagePaths);
  expect(await askedFor([storing("b", "n1")], {}, [disrupted])).toEqual(storagePaths);
  expect(await askedFor([storing("b", "n1")], {}, [deleted])).toEqual(storagePaths);
  expect(await askedFor([storing("b", "n2")], {}, [deleted])).toEqual([]);
});

it("reads devices where they are planned with and a pod that needs a place claims some, claims last", async () => {
  const claiming = {
    ...pod("a"),
    spec: { ...pod("a").spec, resourceClaims: [{ name: "gpu", resourceClaimName: "x" }] },
  };
  const group = "/apis/resource.k8s.io/v1";
  const askedFor = async (pods: object[], devices: boolean, status = 200) => {
    const cluster = await clusterOn(({ path }) =>
      path === group ? { status, body: {} } : page(path === "/api/v1/pods" ? pods : [], "41"),
    );
    await cluster.read({ devices });
    const seen = server!.seen.map(({ path }) => path).filter((path) => path.startsWith(group));
    await server!.stop();
    return seen;
  };
  const all = await askedFor([claiming], true);
  expect([...all].sort()).toEqual(
    ["", "/deviceclasses", "/resourceclaims", "/resourceclaimtemplates", "/resourceslices"].map((one) => group + one),
  );
  expect([all[0], all.at(-1)]).toEqual([group, `${group}/resourceclaims`]);
  expect(await askedFor([claiming], true, 404)).toEqual([group]);
  expect(await askedFor([claiming], false)).toEqual([]);
  expect(await askedFor([pod("a")], true)).toEqual([]);
});

it("leaves pods out when nobody wants them", async () => {
  const cluster = await clusterOn(withPods(() => ({ status: 500 })));
  expect((await cluster.read({ pods: false })).pods).toEqual([]);
});

it("begins a list again whose continuation has expired, and shows nothing twice", async () => {
  let expired = 0;
  const cluster = await clusterOn(
    withPods(({ query }) => {
      if (query.get("continue") === null) return page([pod("a")], String(50 + expired), "two");
      return expired++ === 0 ? { status: 410 } : page([pod("b")], "51");
    }),
  );
  expect((await cluster.read()).pods.map((p) => p.name)).toEqual(["a", "b"]);
});

it("asks for a list in one piece when it expires again and again", async () => {
  const cluster = await clusterOn(
    withPods(({ query }) => {
      if (query.get("limit") === null) return page([pod("a"), pod("b")], "60");
      return query.get("continue") === null ? page([pod("a")], "59", "two") : { status: 410 };
    }),
  );
  expect((await cluster.read()).pods.map((p) => p.name)).toEqual(["a", "b"]);
});

it("waits for the state that is asked for, and says so when it does not come", async () => {
  const lagging = (query: URLSearchParams) => (query.get("resourceVersionMatch") === "NotOlderThan" ? "90" : "80");
  const cluster = await clusterOn(({ query }) => page([], lagging(query)));
  expect((await cluster.read({ atLeast: "90" })).resourceVersion).toBe("90");
  await expect(cluster.read({ atLeast: "100" })).rejects.toMatchObject({ code: "stale", retry: "later" });
});

it("compares versions as numbers of any length", async () => {
  const cluster = await clusterOn(() => page([], "100000000000000000001"));
  expect((await cluster.read({ atLeast: "99999999999999999999" })).resourceVersion).toBe("100000000000000000001");
});

it("names an object that can't be read and shows the others", async () => {
  const broken = { ...pod("broken"), spec: { containers: [{ name: "c", resources: { requests: { cpu: "one" } } }] } };
  const cluster = await clusterOn(withPods(() => page([pod("a"), broken], "41")));
  const view = await cluster.read();
  expect(view.pods.map((p) => p.name)).toEqual(["a"]);
  expect(view.unreadable).toMatchObject([{ kind: "Pod", name: "default/broken" }]);
});

it("shows a pod on a node as present when its containers can't be read, and the others beside it", async () => {
  const broken = {
    ...pod("broken"),
    spec: {
      nodeName: "n",
      priority: 7,
      tolerations: [{ key: "a", operator: "Exists" }],
      containers: [{ name: "c", resources: { requests: { cpu: "one" } } }],
    },
  };
  const cluster = await clusterOn(withPods(() => page([broken, pod("a")], "41")));
  const found = await cluster.podsOn("n");
  expect(found.map((p) => p.name)).toEqual(["broken", "a"]);
  expect(found[0]).toMatchObject({ uid: "broken", nodeName: "n", priority: 7, tolerations: [{ key: "a" }] });
});

it("says as an operating error which pod on a node or which node can't be read at all", async () => {
  const node = { metadata: { ...pod("n").metadata, creationTimestamp: 5 } };
  const cluster = await clusterOn(({ path }) =>
    path === "/api/v1/pods"
      ? page([{ ...pod("broken"), status: { phase: "Odd" } }, pod("a")], "41")
      : { status: 200, body: node },
  );
  const later = { name: "OperationError", code: "unreadable", retry: "later" };
  await expect(cluster.podsOn("n")).rejects.toMatchObject({
    ...later,
    message: expect.stringContaining("default/broken"),
  });
  await expect(cluster.findNode({ name: "n" })).rejects.toMatchObject(later);
});

it("finds a node whose name is known with a single look, and lists only when it is not that one", async () => {
  const node = { metadata: pod("n").metadata, spec: { providerID: "aws:///a/i-1" } };
  const cluster = await clusterOn(({ path }) =>
    path === "/api/v1/nodes" ? page([node], "41") : { status: 200, body: node },
  );
  expect((await cluster.findNode({ providerId: "aws:///a/i-1", name: "n" }))?.name).toBe("n");
  expect(server!.seen.map((r) => r.path)).toEqual(["/api/v1/nodes/n"]);
  expect(await cluster.findNode({ providerId: "aws:///a/i-2", name: "n" })).toBeUndefined();
  expect(server!.seen.map((r) => r.path).slice(1)).toEqual(["/api/v1/nodes/n", "/api/v1/nodes"]);
});

it("says which kind a cluster without our CRDs doesn't serve", async () => {
  const cluster = await clusterOn(({ path }) =>
    path.startsWith("/apis/karpenter")
      ? { status: 404, text: "404 page not found", headers: { "content-type": "text/plain" } }
      : page([], "1"),
  );
  await expect(cluster.listClaimMirrors()).rejects.toMatchObject({
    code: "not-served",
    retry: "later",
    message: "the cluster does not serve /apis/karpenter.sh/v1/nodeclaims: install the CRDs of charts/timmerman",
  });
});
