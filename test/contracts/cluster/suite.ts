import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Node } from "../../../shared/core/model/index.ts";
import { classTests } from "./class-cases.ts";
import { deviceTests } from "./device-cases.ts";
import { budgetManifest, nodeClassManifest, nodeManifest, nodePoolManifest, podManifest } from "./manifests.ts";
import { poolTests } from "./pool-cases.ts";
import { claimTests, conditionTests, eventTests } from "./record-cases.ts";
import { spreadTests } from "./spread-cases.ts";
import { storageTests } from "./storage-cases.ts";
import { type ClusterSubject, type MakeClusterSubject, otherUid, standingClock, startMs } from "./subject.ts";

/**
 * What every `Cluster` does, whatever is behind it. Tests share one subject and keep apart by names, since a real server
 * takes seconds to boot.
 */
export function runClusterSuite(name: string, makeSubject: MakeClusterSubject, options: { skip?: boolean } = {}): void {
  describe.skipIf(options.skip ?? false)(`Cluster: ${name}`, () => {
    const clock = standingClock(startMs);
    let subject: ClusterSubject;
    beforeAll(async () => {
      subject = await makeSubject(clock);
    });
    afterAll(() => subject?.stop());
    const get = () => subject;
    describe("reading", () => readingTests(get));
    describe("storage", () => storageTests(get));
    describe("devices", () => deviceTests(get));
    describe("default topology spread", () => spreadTests(get));
    describe("overlays and buffers", () => poolTests(get));
    describe("nodes", () => nodeTests(get));
    describe("pods", () => podTests(get));
    describe("claims' custom resources", () => claimTests(get));
    describe("node classes", () => classTests(get));
    describe("conditions", () => conditionTests(get, clock));
    describe("events", () => eventTests(get, clock));
  });
}

type Get = () => ClusterSubject;

async function nodeNamed(subject: ClusterSubject, name: string): Promise<Node> {
  const node = await subject.cluster.findNode({ name });
  if (node === undefined) throw new Error(`no node ${name}`);
  return node;
}

function readingTests(get: Get): void {
  it("shows every kind as nouns, as fresh as asked", async () => {
    const { cluster, create } = get();
    await create(nodePoolManifest("read-pool"));
    await create(nodeClassManifest("read-class"));
    await create(nodeManifest("read-node", { providerID: "aws:///use1-az1/i-00000000000000001" }));
    await create(budgetManifest("read-budget", "read", 0));
    await create(podManifest("read-bound", { nodeName: "read-node", labels: { app: "read" } }));
    const { resourceVersion } = await create(podManifest("read-pending"));

    const view = await cluster.read({ atLeast: resourceVersion });

    expect(view.nodePools.find((p) => p.name === "read-pool")).toMatchObject({
      weight: 7,
      limits: { cpu: 100_000 },
      labels: { team: "blue" },
      nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "class" },
      consolidationPolicy: "WhenEmptyOrUnderutilized",
    });
    expect(view.nodeClasses.find((c) => c.name === "read-class")).toMatchObject({ role: "node-role", ready: false });
    expect(view.nodes.find((n) => n.name === "read-node")).toMatchObject({
      providerId: "aws:///use1-az1/i-00000000000000001",
      allocatable: { cpu: 3920, memory: 15 * 2 ** 30, pods: 58 },
      taints: [{ key: "team", value: "blue", effect: "NoSchedule" }],
      cordoned: false,
      finalizers: [],
    });
    expect(view.podDisruptionBudgets.find((b) => b.name === "read-budget")).toMatchObject({ disruptionsAllowed: 1 });
    expect(view.pods.find((p) => p.name === "read-bound")).toMatchObject({ nodeName: "read-node", phase: "Running" });
    const pending = view.pods.find((p) => p.name === "read-pending")!;
    expect(pending).toMatchObject({
      phase: "Pending",
      unschedulable: true,
      requests: { cpu: 250, memory: 2 ** 27, pods: 1 },
    });
    expect(pending.nodeName).toBeUndefined();
    expect(view.namespaces.map((n) => n.name)).toContain("default");
    expect(BigInt(view.resourceVersion) >= BigInt(resourceVersion)).toBe(true);
  });

  it("without pods still shows the rest", async () => {
    const { cluster, create } = get();
    await create(nodePoolManifest("read-alone"));
    const view = await cluster.read({ pods: false });
    expect(view.nodePools.map((p) => p.name)).toContain("read-alone");
  });

  it("finds a node by provider id and by name, or nothing", async () => {
    const { cluster, create } = get();
    await create(nodeManifest("find-a", { providerID: "aws:///use1-az1/i-0000000000000000a" }));
    await create(nodeManifest("find-b"));
    expect((await cluster.findNode({ providerId: "aws:///use1-az1/i-0000000000000000a" }))?.name).toBe("find-a");
    expect((await cluster.findNode({ name: "find-b" }))?.name).toBe("find-b");
    expect(await cluster.findNode({ providerId: "aws:///use1-az1/i-0000000000000000f" })).toBeUndefined();
    expect(await cluster.findNode({ name: "find-none" })).toBeUndefined();
  });

  it("finds a node by provider id beside a name that may be another's or nobody's by now", async () => {
    const { cluster, create } = get();
    const providerId = "aws:///use1-az1/i-000000000000000aa";
    await create(nodeManifest("hint-a", { providerID: providerId }));
    await create(nodeManifest("hint-b", { providerID: "aws:///use1-az1/i-000000000000000bb" }));
    for (const name of ["hint-a", "hint-b", "hint-none", undefined]) {
      expect((await cluster.findNode({ providerId, name }))?.name).toBe("hint-a");
    }
    const elsewhere = "aws:///use1-az1/i-000000000000000cc";
    expect(await cluster.findNode({ providerId: elsewhere, name: "hint-a" })).toBeUndefined();
  });

  it("lists the pods of one node", async () => {
    const { cluster, create } = get();
    await create(nodeManifest("on-node"));
    await create(podManifest("on-it", { nodeName: "on-node" }));
    await create(podManifest("on-none"));
    expect((await cluster.podsOn("on-node")).map((p) => p.name)).toEqual(["on-it"]);
  });
}

function nodeTests(get: Get): void {
  it("patches labels, annotations and the cordon, and leaves the rest", async () => {
    const subject = get();
    const { uid } = await subject.create(nodeManifest("patch-node"));
    const patch = { labels: { team: null, role: "web" }, annotations: { note: "x" }, cordoned: true };
    expect(await subject.cluster.patchNode("patch-node", { uid }, patch)).toBe("done");
    const patched = await nodeNamed(subject, "patch-node");
    expect(patched.labels).toEqual({ "kubernetes.io/hostname": "patch-node", role: "web" });
    expect(patched.annotations).toMatchObject({ note: "x" });
    expect(patched.cordoned).toBe(true);
    expect(patched.taints).toContainEqual({ key: "team", value: "blue", effect: "NoSchedule" });
    expect(await subject.cluster.patchNode("patch-node", { uid }, { cordoned: false })).toBe("done");
    expect((await nodeNamed(subject, "patch-node")).cordoned).toBe(false);
  });

  it("replaces taints and finalizers of the state that was seen", async () => {
    const subject = get();
    const { uid } = await subject.create(nodeManifest("taint-node"));
    const seen = await nodeNamed(subject, "taint-node");
    const taints = [{ key: "karpenter.sh/disrupted", value: "", effect: "NoSchedule" }] as const;
    const precondition = { uid, resourceVersion: seen.resourceVersion };
    expect(
      await subject.cluster.patchNode("taint-node", precondition, { taints, finalizers: ["karpenter.sh/termination"] }),
    ).toBe("done");
    const tainted = await nodeNamed(subject, "taint-node");
    expect(tainted.taints).toEqual(taints);
    expect(tainted.finalizers).toEqual(["karpenter.sh/termination"]);
    expect(await subject.cluster.patchNode("taint-node", precondition, { taints: [] })).toBe("changed");
    expect((await nodeNamed(subject, "taint-node")).taints).toEqual(taints);
  });

  it("adds an owner beside the others, once", async () => {
    const subject = get();
    const { uid } = await subject.create(nodeManifest("owned-node"));
    const owner = { name: "claim-1", uid: "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee" };
    expect(await subject.cluster.patchNode("owned-node", { uid }, { owner })).toBe("done");
    expect(await subject.cluster.patchNode("owned-node", { uid }, { owner })).toBe("done");
  });

  it("touches no other node of that name", async () => {
    const subject = get();
    await subject.create(nodeManifest("other-node"));
    const patch = { labels: { role: "web" } };
    expect(await subject.cluster.patchNode("other-node", { uid: otherUid }, patch)).toBe("gone");
    expect(await subject.cluster.patchNode("none-node", { uid: otherUid }, patch)).toBe("gone");
    expect(await subject.cluster.deleteNode("other-node", { uid: otherUid })).toBe("gone");
    expect(await subject.cluster.deleteNode("none-node", { uid: otherUid })).toBe("gone");
    expect((await nodeNamed(subject, "other-node")).labels.role).toBeUndefined();
  });

  it("deletes the node that was seen, which finalizers hold back", async () => {
    const subject = get();
    const metadata = { finalizers: ["karpenter.sh/termination"] };
    const { uid, resourceVersion } = await subject.create(nodeManifest("held-node", { metadata }));
    await subject.label({ kind: "Node", name: "held-node" }, "moved", "yes");
    expect(await subject.cluster.deleteNode("held-node", { uid, resourceVersion })).toBe("changed");
    expect(await subject.cluster.deleteNode("held-node", { uid })).toBe("done");
    const held = await nodeNamed(subject, "held-node");
    expect(held.deletionAtMs).toBeTypeOf("number");
    const seen = { uid, resourceVersion: held.resourceVersion };
    expect(await subject.cluster.patchNode("held-node", seen, { finalizers: [] })).toBe("done");
    expect(await subject.cluster.findNode({ name: "held-node" })).toBeUndefined();
  });
}

function podTests(get: Get): void {
  const isLeaving = async (subject: ClusterSubject, node: string, name: string) => {
    const pod = (await subject.cluster.podsOn(node)).find((p) => p.name === name);
    return pod === undefined || pod.deletionAtMs !== undefined;
  };

  it("evicts through the eviction API, and only that pod", async () => {
    const subject = get();
    await subject.create(nodeManifest("evict-node"));
    const { uid } = await subject.create(podManifest("evict-a", { nodeName: "evict-node" }));
    const pod = { namespace: "default", name: "evict-a" };
    expect(await subject.cluster.evictPod({ ...pod, uid: otherUid })).toMatchObject({ kind: "gone" });
    expect(await isLeaving(subject, "evict-node", "evict-a")).toBe(false);
    expect(await subject.cluster.evictPod({ ...pod, uid })).toMatchObject({ kind: "evicted" });
    expect(await isLeaving(subject, "evict-node", "evict-a")).toBe(true);
    expect((await subject.cluster.evictPod({ ...pod, name: "evict-none", uid })).kind).toBe("gone");
  });

  it("shortens a grace period, but does not lengthen it", async () => {
    const subject = get();
    await subject.create(nodeManifest("grace-node"));
    const short = await subject.create(podManifest("grace-short", { nodeName: "grace-node" }));
    const long = await subject.create(podManifest("grace-long", { nodeName: "grace-node" }));
    const pod = (name: string, uid: string) => ({ namespace: "default", name, uid });
    expect((await subject.cluster.evictPod(pod("grace-short", short.uid), 20_000)).kind).toBe("evicted");
    expect((await subject.cluster.evictPod(pod("grace-long", long.uid), 900_000)).kind).toBe("evicted");
    const due = new Map((await subject.cluster.podsOn("grace-node")).map((p) => [p.name, p.deletionAtMs]));
    // Whoever removes evicted pods at once has no due times to compare.
    const [shortAtMs, longAtMs] = [due.get("grace-short"), due.get("grace-long")];
    if (due.size > 0) expect(Math.round((longAtMs! - shortAtMs!) / 1000)).toBeGreaterThanOrEqual(38);
    if (due.size > 0) expect(Math.round((longAtMs! - shortAtMs!) / 1000)).toBeLessThanOrEqual(45);
  });

  it("is refused by a budget that allows nothing; deletion past a deadline isn't", async () => {
    const subject = get();
    await subject.create(nodeManifest("budget-node"));
    await subject.create(budgetManifest("budget-none", "guarded", 1));
    const { uid } = await subject.create(
      podManifest("guarded", { nodeName: "budget-node", labels: { app: "guarded" } }),
    );
    const pod = { namespace: "default", name: "guarded", uid };
    expect((await subject.cluster.evictPod(pod)).kind).toBe("blocked");
    expect(await isLeaving(subject, "budget-node", "guarded")).toBe(false);
    expect(await subject.cluster.deletePod({ ...pod, uid: otherUid }, 5_000)).toBe("gone");
    expect(await subject.cluster.deletePod(pod, 5_000)).toBe("done");
    expect(await isLeaving(subject, "budget-node", "guarded")).toBe(true);
    expect(await subject.cluster.deletePod({ ...pod, name: "never-was" }, 5_000)).toBe("gone");
  });

  it("is refused for good by two budgets over one pod", async () => {
    const subject = get();
    await subject.create(nodeManifest("twice-node"));
    await subject.create(budgetManifest("twice-a", "twice", 0));
    await subject.create(budgetManifest("twice-b", "twice", 0));
    const { uid } = await subject.create(podManifest("twice", { nodeName: "twice-node", labels: { app: "twice" } }));
    const outcome = await subject.cluster.evictPod({ namespace: "default", name: "twice", uid });
    expect(outcome.kind).toBe("misconfigured");
  });
}
