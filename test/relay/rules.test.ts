import { describe, expect, it } from "vitest";
import type { KeptBudget, KeptNodePool } from "../../relay/objects.ts";
import { createView } from "../../relay/view.ts";
import { isWaiting, type Surroundings, surroundingsIn, wakeRules } from "../../relay/wakes/rules.ts";
import { keptClaim, keptNode, keptPod } from "./objects.ts";

const waiting = keptPod({ unschedulable: true });
const bound = keptPod({ nodeName: "node-1", phase: "Running", scheduledAtMs: 5_000 });
/** Nothing is on its way out, and no room is kept. */
const nowhere: Surroundings = { isLeavingNode: () => false, keepsRoom: () => false, isCountedIn: () => false };
const disrupted = { key: "karpenter.sh/disrupted", value: "", effect: "NoSchedule" } as const;

describe("a pod that waits for a node", () => {
  it.each([
    ["kube-scheduler found none", {}, true],
    ["nobody has said so yet", { unschedulable: false }, false],
    ["it is bound", { nodeName: "node-1" }, false],
    ["gates hold it back", { gated: true }, false],
    ["it is being deleted", { deletionAtMs: 9 }, false],
    ["room is being made for it", { nominated: true }, false],
    ["its DaemonSet places it", { isDaemon: true }, false],
    ["its kubelet runs it", { isStatic: true }, false],
    ["it has failed", { phase: "Failed" as const }, false],
  ])("%s", (_, given, is) => {
    expect(isWaiting({ ...waiting, ...given })).toBe(is);
  });
});

describe("a change of a pod wakes", () => {
  it.each([
    ["provision when it begins to wait", keptPod(), waiting, ["provision"]],
    ["provision when it first shows waiting", undefined, waiting, ["provision"]],
    ["disrupt when it is bound", waiting, bound, ["disrupt"]],
    ["disrupt when it begins to end", bound, { ...bound, deletionAtMs: 9 }, ["disrupt"]],
    ["disrupt when it has ended", bound, { ...bound, phase: "Succeeded" as const }, ["disrupt"]],
    ["disrupt when it is gone", { ...bound, deletionAtMs: 9 }, undefined, ["disrupt"]],
    ["nobody when one that was over goes", { ...bound, phase: "Failed" as const }, undefined, []],
    ["nobody when it becomes ready", bound, { ...bound, ready: true, readyAtMs: 9 }, []],
    ["nobody when a waiting one is deleted", waiting, undefined, []],
    ["disrupt when it blocks no longer", { ...bound, doNotDisrupt: "true" }, bound, ["disrupt"]],
  ])("%s", (_, before, after, targets) => {
    expect(wakeRules.Pod(before, after, nowhere)).toEqual(targets);
  });

  it.each([
    ["begins to end", bound, { ...bound, deletionAtMs: 9 }],
    ["has ended", bound, { ...bound, phase: "Succeeded" as const }],
    ["is gone", { ...bound, deletionAtMs: 9 }, undefined],
    ["blocks no longer", { ...bound, doNotDisrupt: "true" }, bound],
  ])("who drains, too, when it %s on a node that is on its way out, and on no other", (_, before, after) => {
    const asked: string[] = [];
    const isLeavingNode = (node: string) => asked.push(node) > 0;
    expect(wakeRules.Pod(before, after, { ...nowhere, isLeavingNode })).toEqual(["disrupt", "lifecycle"]);
    expect(asked).toEqual(["node-1"]);
  });
});

describe("a change of a node or claim wakes", () => {
  it("those who act on nodes, and provision when its pods will need another place", () => {
    expect(wakeRules.Node(undefined, keptNode(), nowhere)).toEqual(["lifecycle", "disrupt"]);
    expect(wakeRules.Node(keptNode(), keptNode({ taints: [disrupted] }), nowhere)).toContain("provision");
    expect(
      wakeRules.Node(keptNode({ taints: [disrupted] }), keptNode({ taints: [disrupted], cordoned: true }), nowhere),
    ).toEqual(["lifecycle", "disrupt"]);
    expect(wakeRules.Node(keptNode(), undefined, nowhere)).toContain("provision");
  });

  it("nobody when the functions wrote a claim's status or their own annotations", () => {
    const conditions = [{ type: "Launched", status: "True", reason: "Launched", changedAtMs: 9 }] as const;
    expect(wakeRules.NodeClaim(keptClaim(), keptClaim({ conditions }), nowhere)).toEqual([]);
    expect(wakeRules.NodeClaim(keptClaim(), keptClaim({ lastPodEventAtMs: 9 }), nowhere)).toEqual([]);
    expect(
      wakeRules.NodeClaim(keptClaim(), keptClaim({ annotations: { "timmerman/record-version": "2" } }), nowhere),
    ).toEqual([]);
  });

  it("everybody but the classes when somebody deletes a claim", () => {
    expect(wakeRules.NodeClaim(keptClaim(), keptClaim({ deletionAtMs: 9 }), nowhere)).toEqual([
      "lifecycle",
      "provision",
      "disrupt",
    ]);
    expect(wakeRules.NodeClaim(undefined, keptClaim(), nowhere)).toEqual(["lifecycle"]);
  });
});

describe("a change of a pool, budget, DaemonSet or volume wakes", () => {
  const pool: KeptNodePool = {
    uid: "o1",
    name: "default",
    generation: 1,
    labels: {},
    conditions: [],
    createdAtMs: 1,
    deletionAtMs: undefined,
    weight: 0,
    limits: {},
    usage: {},
    nodeClassName: "default",
    replicas: undefined,
    consolidationPolicy: "WhenEmpty",
    consolidateAfterMs: 0,
    budgets: [],
  };
  const ready = { ...pool, conditions: [{ type: "Ready", status: "True", reason: "Ready", changedAtMs: 2 }] as const };

  it("those whom a pool concerns, when people change it; provision when it becomes ready; nobody for its usage", () => {
    expect(wakeRules.NodePool(pool, { ...pool, generation: 2 }, nowhere)).toEqual([
      "resolve-node-classes",
      "provision",
      "disrupt",
    ]);
    expect(wakeRules.NodePool(pool, ready, nowhere)).toEqual(["provision"]);
    expect(wakeRules.NodePool(ready, { ...ready, usage: { cpu: 1 } }, nowhere)).toEqual([]);
  });

  it("disrupt when other images were found for a class", () => {
    const nodeClass = { ...ready, resolvedIds: "ami-1", reservations: "" };
    expect(wakeRules.EC2NodeClass(nodeClass, { ...nodeClass, resolvedIds: "ami-2" }, nowhere)).toEqual(["disrupt"]);
    expect(wakeRules.EC2NodeClass(undefined, nodeClass, nowhere)).toEqual([
      "resolve-node-classes",
      "provision",
      "disrupt",
    ]);
  });

  it("provision when other reservations were found for a class, or one is open again or ends at another time", () => {
    const before = { ...ready, resolvedIds: "ami-1 cr-1", reservations: "cr-1/active/2026-01-01T00:00:00Z" };
    const after = { ...before, reservations: "cr-1/expiring/2026-01-01T00:00:00Z" };
    expect(wakeRules.EC2NodeClass(before, after, nowhere)).toEqual(["provision"]);
    const more = { ...after, resolvedIds: "ami-1 cr-1 cr-2", reservations: `${after.reservations} cr-2/active/` };
    expect(wakeRules.EC2NodeClass(after, more, nowhere)).toEqual(["provision", "disrupt"]);
    const { generation } = before;
    expect(wakeRules.EC2NodeClass(before, { ...more, generation: generation + 1 }, nowhere)).toEqual([
      "resolve-node-classes",
      "provision",
      "disrupt",
    ]);
  });

  it("those whom a budget held back, when it gives way", () => {
    const budget: KeptBudget = { uid: "b1", namespace: "a", name: "b", generation: 1, disruptionsAllowed: 0 };
    expect(wakeRules.PodDisruptionBudget(budget, { ...budget, disruptionsAllowed: 1 }, nowhere)).toEqual([
      "disrupt",
      "lifecycle",
    ]);
    expect(wakeRules.PodDisruptionBudget({ ...budget, disruptionsAllowed: 1 }, budget, nowhere)).toEqual([]);
    expect(wakeRules.PodDisruptionBudget(budget, { ...budget, generation: 2 }, nowhere)).toEqual([
      "disrupt",
      "lifecycle",
    ]);
  });

  it("provision for room that a DaemonSet needs, for a claim that appears, and for one that is bound", () => {
    const daemonSet = { uid: "d1", namespace: "a", name: "d", generation: 1 };
    expect(wakeRules.DaemonSet(daemonSet, { ...daemonSet, generation: 2 }, nowhere)).toEqual(["provision", "disrupt"]);
    const claim = { uid: "v1", namespace: "a", name: "v", phase: "Pending" };
    expect(wakeRules.PersistentVolumeClaim(claim, { ...claim, phase: "Bound" }, nowhere)).toEqual(["provision"]);
    expect(wakeRules.PersistentVolumeClaim(undefined, claim, nowhere)).toEqual(["provision"]);
    expect(wakeRules.PersistentVolumeClaim(claim, { ...claim, phase: "Lost" }, nowhere)).toEqual([]);
    expect(wakeRules.PersistentVolumeClaim(claim, undefined, nowhere)).toEqual([]);
  });
});

describe("a change of what keeps room or prices wakes", () => {
  const keeping = { ...nowhere, keepsRoom: () => true };

  it("provision for another overlay", () => {
    const overlay = { uid: "o1", name: "cheap", generation: 1 };
    expect(wakeRules.NodeOverlay(undefined, overlay, nowhere)).toEqual(["provision"]);
    expect(wakeRules.NodeOverlay(overlay, { ...overlay, generation: 2 }, nowhere)).toEqual(["provision"]);
    expect(wakeRules.NodeOverlay(overlay, undefined, nowhere)).toEqual(["provision"]);
  });

  it("provision for another buffer, and disrupt, as nodes may hold its room no longer", () => {
    const buffer = { uid: "b1", namespace: "a", name: "b", generation: 1, podTemplate: "t" };
    expect(wakeRules.CapacityBuffer(undefined, buffer, nowhere)).toEqual(["provision", "disrupt"]);
    expect(wakeRules.CapacityBuffer(buffer, { ...buffer, generation: 2 }, nowhere)).toEqual(["provision", "disrupt"]);
    expect(wakeRules.CapacityBuffer(buffer, undefined, nowhere)).toEqual(["provision", "disrupt"]);
  });

  it("the same for a PodTemplate that a buffer is counted in, and nobody for any other", () => {
    const view = createView();
    const around = surroundingsIn(view);
    const template = { uid: "t1", namespace: "a", name: "t", generation: 1 };
    const changed = { ...template, generation: 2 };
    expect(wakeRules.PodTemplate(template, changed, around)).toEqual([]);
    view.put("CapacityBuffer", { uid: "b1", namespace: "a", name: "b", generation: 1, podTemplate: "t" });
    expect(wakeRules.PodTemplate(template, changed, around)).toEqual(["provision", "disrupt"]);
    expect(wakeRules.PodTemplate(template, undefined, around)).toEqual(["provision", "disrupt"]);
    const elsewhere = { ...template, namespace: "b" };
    expect(wakeRules.PodTemplate(elsewhere, { ...elsewhere, generation: 2 }, around)).toEqual([]);
    expect(wakeRules.PodTemplate({ ...template, name: "u" }, undefined, around)).toEqual([]);
  });

  it("provision when a pod is bound while room is kept: it may have taken that", () => {
    expect(wakeRules.Pod(waiting, bound, keeping)).toEqual(["disrupt", "provision"]);
    expect(wakeRules.Pod(bound, { ...bound, deletionAtMs: 9 }, keeping)).toEqual(["disrupt"]);
  });
});
