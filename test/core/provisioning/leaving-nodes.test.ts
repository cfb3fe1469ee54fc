import { describe, expect, it } from "vitest";
import type { Node, Pod, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { asks, bound, joined, node, nowMs, pod, snapshot } from "../scheduling/fixtures.ts";

/** `target×pods` for each placement and `new×pods` for each new claim. */
function outcome(given: Partial<Snapshot>): string[] {
  const plan = planProvisioning(snapshot(given));
  return [
    ...plan.placements.map(({ target, pods: on }) => `${target}×${on.length}`),
    ...plan.claims.map(({ pods: on }) => `new×${on.length}`),
    ...plan.unschedulable.map(({ pod: key }) => `none:${key}`),
  ];
}

const n1 = node("n1");
const managed = { nodes: [n1], claims: [joined(n1)] };

describe("pods of nodes that leave", () => {
  const leaving = (reason: "drifted" | "spot_interrupted", over: Partial<Node> = {}) => ({
    nodes: [node("n1", over)],
    claims: [joined(n1, { deletion: { requestedAtMs: 1, reason } })],
  });
  const b = (over: Partial<Pod> = {}) => bound("b", "n1", { labels: { app: "b" }, ...over });
  const keep = { "karpenter.sh/do-not-disrupt": "true" };
  const pdb = (over: object) => [
    {
      namespace: "default",
      name: "pdb",
      selector: { matchLabels: { app: "b" }, matchExpressions: [] },
      disruptionsAllowed: 0,
      unhealthyPodEvictionPolicy: "IfHealthyBudget" as const,
      ...over,
    },
  ];
  const owner = (kind: string) => ({ kind, name: "o", uid: "uid-o" });
  const cases: [string, Partial<Snapshot>, string[]][] = [
    ["are planned again at once", { ...leaving("drifted"), pods: [b()] }, ["new×1"]],
    ["are planned on an interruption", { ...leaving("spot_interrupted"), pods: [b()] }, ["new×1"]],
    [
      "are planned when the node itself is deleted",
      { nodes: [node("n1", { deletionAtMs: nowMs })], pods: [b()] },
      ["new×1"],
    ],
    ["stay where the node stays", { ...managed, pods: [b()] }, []],
    ["not if they are of a DaemonSet", { ...leaving("drifted"), pods: [b({ owner: owner("DaemonSet") })] }, []],
    ["not if they are static", { ...leaving("drifted"), pods: [b({ mirror: true })] }, []],
    ["not if they are ending", { ...leaving("drifted"), pods: [b({ deletionAtMs: nowMs })] }, []],
    ["not if they have ended", { ...leaving("drifted"), pods: [b({ phase: "Failed" })] }, []],
    [
      "not if they hold the node: do-not-disrupt (core#2033)",
      { ...leaving("drifted"), pods: [b({ annotations: keep })] },
      [],
    ],
    [
      "though they would hold it, on an interruption",
      { ...leaving("spot_interrupted"), pods: [b({ annotations: keep })] },
      ["new×1"],
    ],
    [
      "not if they hold the node for a while",
      { ...leaving("drifted"), pods: [b({ annotations: { "karpenter.sh/do-not-disrupt": "1h" } })] },
      [],
    ],
    [
      "if that while is over",
      { ...leaving("drifted"), pods: [b({ annotations: { "karpenter.sh/do-not-disrupt": "10s" } })] },
      ["new×1"],
    ],
    [
      "if the annotation is nonsense",
      { ...leaving("drifted"), pods: [b({ annotations: { "karpenter.sh/do-not-disrupt": "please" } })] },
      ["new×1"],
    ],
    [
      "not if a budget of maxUnavailable 0 holds them (core#1928)",
      { ...leaving("drifted"), podDisruptionBudgets: pdb({ maxUnavailable: "0" }), pods: [b()] },
      [],
    ],
    [
      "not if a budget of maxUnavailable 0% holds them",
      { ...leaving("drifted"), podDisruptionBudgets: pdb({ maxUnavailable: "0%" }), pods: [b()] },
      [],
    ],
    [
      "not if a budget of minAvailable 100% holds them",
      { ...leaving("drifted"), podDisruptionBudgets: pdb({ minAvailable: "100%" }), pods: [b()] },
      [],
    ],
    [
      "if a budget is only used up for now",
      { ...leaving("drifted"), podDisruptionBudgets: pdb({ minAvailable: "1" }), pods: [b()] },
      ["new×1"],
    ],
    [
      "not again if they have a new place",
      {
        ...leaving("drifted"),
        nodes: [n1, node("n2")],
        claims: [...leaving("drifted").claims, joined(node("n2"))],
        placements: [{ target: "claim-n2", pods: ["default/b"] }],
        pods: [b()],
      },
      [],
    ],
    [
      "leave their new place to the pods that replace them once they are ending",
      {
        ...leaving("spot_interrupted"),
        nodes: [n1, node("n2")],
        claims: [...leaving("spot_interrupted").claims, joined(node("n2"))],
        placements: [{ target: "claim-n2", pods: ["default/b"] }],
        pods: [b({ requests: asks(3), deletionAtMs: nowMs + 1 }), pod("b2", { requests: asks(3) })],
      },
      ["claim-n2×1"],
    ],
    [
      "keep it while they are ending if they come back under the same name",
      {
        ...leaving("spot_interrupted"),
        nodes: [n1, node("n2")],
        claims: [...leaving("spot_interrupted").claims, joined(node("n2"))],
        placements: [{ target: "claim-n2", pods: ["default/b"] }],
        pods: [
          b({ requests: asks(3), deletionAtMs: nowMs + 1, owner: owner("StatefulSet") }),
          pod("other", { requests: asks(3) }),
        ],
      },
      ["new×1"],
    ],
    [
      "go to other nodes first",
      { nodes: [n1, node("n2")], claims: [...leaving("drifted").claims, joined(node("n2"))], pods: [b()] },
      ["claim-n2×1"],
    ],
  ];
  it.each(cases)("%s", (_, given, expected) => {
    expect(outcome(given)).toEqual(expected);
  });

  it("are looked at again when their while is over", () => {
    const plan = planProvisioning(
      snapshot({ ...leaving("drifted"), pods: [b({ annotations: { "karpenter.sh/do-not-disrupt": "1h" } })] }),
    );
    expect(plan.nextChangeAtMs).toBe(nowMs - 60_000 + 3_600_000);
  });
});
