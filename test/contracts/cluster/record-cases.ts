// Custom resources of claims, conditions and Events: what is written for people to read.
import { expect, it } from "vitest";
import type { NodeClaim } from "../../../shared/core/model/index.ts";
import { claimRecord, nodeClassManifest, nodePoolManifest, podManifest } from "./manifests.ts";
import { type ClusterSubject, otherUid, startMs } from "./subject.ts";

type Get = () => ClusterSubject;

export function claimTests(get: Get): void {
  const mirrorNamed = async (subject: ClusterSubject, name: string) =>
    (await subject.cluster.listClaimMirrors()).find((m) => m.name === name);

  it("mirrors a record, and repeats without a trace", async () => {
    const subject = get();
    const claim = claimRecord("mirror-a");
    const { uid } = await subject.cluster.mirrorClaim(claim, "Pending");
    const mirror = await mirrorNamed(subject, "mirror-a");
    expect(mirror).toMatchObject({ uid, mirroredVersion: 1, finalizers: ["karpenter.sh/termination"] });
    expect(await subject.cluster.mirrorClaim(claim, "Pending")).toEqual({ uid });
    expect(await mirrorNamed(subject, "mirror-a")).toEqual(mirror);
  });

  it("shows evidence as conditions, and never an older record over a newer one", async () => {
    const subject = get();
    const claim = claimRecord("mirror-b");
    const launched: NodeClaim = {
      ...claim,
      version: 3,
      instance: {
        id: "i-000000000000000b1",
        providerId: "aws:///use1-az1/i-000000000000000b1",
        instanceType: "m6a.large",
        zone: "us-east-1a",
        capacityType: "spot",
        priceMicroUsd: 35_000,
        capacity: { cpu: 2000, memory: 8 * 2 ** 30, pods: 29 },
        allocatable: { cpu: 1930, memory: 7 * 2 ** 30, pods: 29 },
        launchedAtMs: startMs + 5_000,
      },
    };
    await subject.cluster.mirrorClaim(claim, "Pending");
    await subject.cluster.mirrorClaim(launched, "Launched");
    await subject.cluster.mirrorClaim({ ...claim, version: 2 }, "Launching");
    expect((await mirrorNamed(subject, "mirror-b"))?.mirroredVersion).toBe(3);
    const conditions = await subject.conditions({ kind: "NodeClaim", name: "mirror-b" });
    const statusOf = (type: string) => conditions.find((c) => c.type === type)?.status;
    expect([statusOf("Launched"), statusOf("Registered"), statusOf("Ready")]).toEqual(["True", "Unknown", "Unknown"]);
  });

  it("shows what a record says beyond Karpenter's fields: why it was made, what it costs, why and by which command it goes", async () => {
    const subject = get();
    const claim: NodeClaim = { ...claimRecord("mirror-e"), reason: "drifted" };
    await subject.cluster.mirrorClaim(claim, "Pending");
    expect((await subject.shown("mirror-e")).reason).toBe("drifted");
    const ending: NodeClaim = {
      ...claim,
      version: 2,
      instance: {
        id: "i-000000000000000e1",
        providerId: "aws:///us-east-1a/i-000000000000000e1",
        instanceType: "m6a.large",
        zone: "us-east-1a",
        capacityType: "spot",
        priceMicroUsd: 35_000,
        capacity: { cpu: 2000 },
        allocatable: { cpu: 1930 },
        launchedAtMs: startMs + 5_000,
      },
      initializedAtMs: startMs + 9_000,
      deletion: {
        requestedAtMs: startMs + 60_000,
        reason: "empty",
        command: { id: "empty-mirror-e-7", decision: "delete", consolidationType: "empty" },
      },
    };
    await subject.cluster.mirrorClaim(ending, "Draining");
    const { instance, deletion, reason, annotations } = await subject.shown("mirror-e");
    expect({ instance, deletion, reason }).toEqual({
      instance: ending.instance,
      deletion: ending.deletion,
      reason: "drifted",
    });
    expect(Object.keys(annotations).filter((key) => key.startsWith("timmerman/"))).toEqual([]);
  });

  it("makes a vanished mirror again, and shows a deletion that people asked for", async () => {
    const subject = get();
    const claim = claimRecord("mirror-c");
    const first = await subject.cluster.mirrorClaim(claim, "Pending");
    expect(await subject.cluster.releaseClaim("mirror-c", { uid: first.uid })).toBe("done");
    expect(await mirrorNamed(subject, "mirror-c")).toBeUndefined();
    const second = await subject.cluster.mirrorClaim(claim, "Pending");
    expect(second.uid).not.toBe(first.uid);
    await subject.remove({ kind: "NodeClaim", name: "mirror-c" });
    const leaving = await mirrorNamed(subject, "mirror-c");
    expect(leaving).toMatchObject({ uid: second.uid, finalizers: ["karpenter.sh/termination"] });
    expect(leaving?.deletionAtMs).toBeTypeOf("number");
    await subject.cluster.mirrorClaim({ ...claim, version: 2 }, "Draining");
    expect((await mirrorNamed(subject, "mirror-c"))?.mirroredVersion).toBe(2);
  });

  it("releases the custom resource that is meant and no other", async () => {
    const subject = get();
    const { uid } = await subject.cluster.mirrorClaim(claimRecord("mirror-d"), "Pending");
    expect(await subject.cluster.releaseClaim("mirror-d", { uid: otherUid })).toBe("gone");
    expect(await mirrorNamed(subject, "mirror-d")).toMatchObject({ uid });
    expect(await subject.cluster.releaseClaim("mirror-d", { uid })).toBe("done");
    expect(await subject.cluster.releaseClaim("mirror-d", { uid })).toBe("gone");
  });
}

export function conditionTests(get: Get, clock: { advance(ms: number): void }): void {
  const ready = { type: "Ready", status: "True", reason: "Ready", message: "" } as const;

  it("sets conditions, keeps others' and the time of a status that stays", async () => {
    const subject = get();
    const { uid } = await subject.create(nodePoolManifest("cond-pool"));
    const pool = { kind: "NodePool", name: "cond-pool", uid } as const;
    const valid = { ...ready, type: "ValidationSucceeded", reason: "ValidationSucceeded" };
    expect(await subject.cluster.setConditions(pool, [valid])).toBe("done");
    expect(await subject.cluster.setConditions(pool, [ready])).toBe("done");
    const before = await subject.conditions(pool);
    clock.advance(60_000);
    expect(await subject.cluster.setConditions(pool, [{ ...ready, reason: "StillReady" }])).toBe("done");
    const after = await subject.conditions(pool);
    expect(after.map((c) => [c.type, c.status, c.reason]).sort()).toEqual([
      ["Ready", "True", "StillReady"],
      ["ValidationSucceeded", "True", "ValidationSucceeded"],
    ]);
    const timeOf = (all: typeof after) => Date.parse(all.find((c) => c.type === "Ready")!.lastTransitionTime);
    expect(timeOf(after)).toBe(timeOf(before));
    expect(await subject.cluster.setConditions(pool, [{ ...ready, status: "False", reason: "NotReady" }])).toBe("done");
    expect(timeOf(await subject.conditions(pool))).toBe(timeOf(before) + 60_000);
  });

  it("replaces a status field as a whole, and leaves the others", async () => {
    const subject = get();
    const { uid } = await subject.create(nodePoolManifest("cond-fields"));
    const pool = { kind: "NodePool", name: "cond-fields", uid } as const;
    const set = (status: Record<string, unknown>) => subject.cluster.setConditions(pool, [], status);
    expect(await set({ nodes: 2, resources: { cpu: "4", memory: "8Gi" } })).toBe("done");
    expect(await set({ resources: { cpu: "2" } })).toBe("done");
    expect(await subject.statusField(pool, "resources")).toEqual({ cpu: "2" });
    expect(await subject.statusField(pool, "nodes")).toBe(2);
  });

  it("writes what was found for a node class, which readings then show", async () => {
    const subject = get();
    const { uid } = await subject.create(nodeClassManifest("cond-class"));
    const nodeClass = { kind: "EC2NodeClass", name: "cond-class", uid } as const;
    const status = {
      subnets: [{ id: "subnet-1", zone: "us-east-1a", zoneID: "use1-az1" }],
      securityGroups: [{ id: "sg-1", name: "nodes" }],
      amis: [{ id: "ami-1", requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }] }],
    };
    expect(await subject.cluster.setConditions(nodeClass, [ready], status)).toBe("done");
    const found = (await subject.cluster.read({ pods: false })).nodeClasses.find((c) => c.name === "cond-class");
    expect(found).toMatchObject({
      ready: true,
      resolved: {
        subnets: [{ id: "subnet-1", zone: "us-east-1a" }],
        securityGroupIds: ["sg-1"],
        amis: [{ id: "ami-1" }],
      },
    });
  });

  it("touches no other object of that name", async () => {
    const subject = get();
    await subject.create(nodePoolManifest("cond-other"));
    const pool = { kind: "NodePool", name: "cond-other", uid: otherUid } as const;
    expect(await subject.cluster.setConditions(pool, [ready])).toBe("gone");
    expect(await subject.cluster.setConditions({ ...pool, name: "cond-none" }, [ready])).toBe("gone");
    expect(await subject.conditions({ kind: "NodePool", name: "cond-other" })).toEqual([]);
  });
}

export function eventTests(get: Get, clock: { advance(ms: number): void }): void {
  it("counts what is said again, whenever that is, and shows its latest words", async () => {
    const subject = get();
    const { uid } = await subject.create(podManifest("event-pod"));
    const event = {
      key: "nothing fits",
      kind: "Pod",
      namespace: "default",
      name: "event-pod",
      uid,
      type: "Warning",
      reason: "FailedScheduling",
      message: "no pool takes it",
    } as const;
    const seen = async () => (await subject.events("default")).filter((e) => e.objectUid === uid);
    await subject.cluster.publish(event);
    await subject.cluster.publish(event);
    expect(await seen()).toMatchObject([{ reason: "FailedScheduling", message: "no pool takes it", count: 2 }]);
    await subject.cluster.publish({ ...event, key: "another", message: "another" });
    expect(await seen()).toHaveLength(2);
    clock.advance(60 * 60_000);
    await subject.cluster.publish({ ...event, message: "no pool takes it now" });
    expect(await seen()).toHaveLength(2);
    expect(await seen()).toContainEqual(expect.objectContaining({ message: "no pool takes it now", count: 3 }));
  });

  it("says again what stands for long only after its time, or in other words", async () => {
    const subject = get();
    const { uid } = await subject.create(nodePoolManifest("warned-pool"));
    const event = {
      key: "odd",
      kind: "NodePool",
      name: "warned-pool",
      uid,
      type: "Warning",
      reason: "PlanWarning",
      message: "it is odd",
      repeatAfterMs: 30 * 60_000,
    } as const;
    const seen = async () => (await subject.events("default")).filter((e) => e.objectUid === uid);
    await subject.cluster.publish(event);
    clock.advance(30 * 60_000 - 1_000);
    await subject.cluster.publish(event);
    expect(await seen()).toMatchObject([{ message: "it is odd", count: 1 }]);
    clock.advance(1_000);
    await subject.cluster.publish(event);
    expect(await seen()).toMatchObject([{ count: 2 }]);
    await subject.cluster.publish({ ...event, message: "it is odder" });
    expect(await seen()).toMatchObject([{ message: "it is odder", count: 3 }]);
  });

  it("about objects without a namespace are kept too", async () => {
    const subject = get();
    const { uid } = await subject.create(nodePoolManifest("event-pool"));
    const event = { key: "k", kind: "NodePool", name: "event-pool", uid, type: "Normal", message: "hello" } as const;
    await subject.cluster.publish({ ...event, reason: "Hello" });
    expect((await subject.events("default")).filter((e) => e.objectUid === uid)).toMatchObject([
      { reason: "Hello", count: 1 },
    ]);
  });
}
