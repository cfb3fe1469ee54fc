import { describe, expect, it } from "vitest";
import type { NodeClaim, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { asks, claim, gi, instanceType, joined, node, pod, pods, pool, req, snapshot } from "../scheduling/fixtures.ts";

const types = new Map([
  ["a1.small", 2],
  ["a1.medium", 4],
  ["a1.large", 8],
  ["a1.xlarge", 16],
  ["b2.medium", 4],
  ["b2.large", 8],
  ["g4.large", 8],
  ["g4.xlarge", 32],
]);

/** Nodes, and the cores that the claims may turn out to have at most. */
function bought(given: Partial<Snapshot>): { nodes: number; cores: number; unplaced: number } {
  const plan = planProvisioning(snapshot(given));
  return {
    nodes: plan.claims.length,
    cores: plan.claims.reduce((sum, c) => sum + Math.max(...c.instanceTypes.map((name) => types.get(name)!)), 0),
    unplaced: plan.unschedulable.length,
  };
}

const large = (count: number) => pods(count, { requests: asks(7, 4) });

describe("limits", () => {
  it.each<[string, Record<string, number>, number, { nodes: number; unplaced: number }]>([
    ["of nodes hold within one batch (core#2915)", { nodes: 3 }, 5, { nodes: 3, unplaced: 0 }],
    ["of one node leave the rest of the pods", { nodes: 1 }, 9, { nodes: 1, unplaced: 5 }],
    ["of no nodes", { nodes: 0 }, 1, { nodes: 0, unplaced: 1 }],
    ["of cpu hold within one batch", { cpu: 16_000 }, 5, { nodes: 1, unplaced: 3 }],
    ["of cpu that no type fits into", { cpu: 1_000 }, 1, { nodes: 0, unplaced: 1 }],
    ["of memory", { memory: 16 * gi }, 3, { nodes: 1, unplaced: 2 }],
    ["of a resource that plain types lack", { "nvidia.com/gpu": 0 }, 2, { nodes: 1, unplaced: 0 }],
  ])("%s", (_, limits, count, expected) => {
    const { nodes, unplaced } = bought({ nodePools: [pool("default", { limits })], pods: large(count) });
    expect({ nodes, unplaced }).toEqual(expected);
  });

  it("count each claim as the largest it may become", () => {
    const { cores, unplaced } = bought({ nodePools: [pool("default", { limits: { cpu: 20_000 } })], pods: pods(12) });
    expect(cores).toBeLessThanOrEqual(20);
    expect(unplaced).toBe(0);
  });

  it("narrow the types before they refuse a pod", () => {
    const plan = planProvisioning(
      snapshot({ nodePools: [pool("default", { limits: { cpu: 2_000 } })], pods: [pod("a")] }),
    );
    expect(plan.claims.map((c) => c.instanceTypes)).toEqual([["a1.small"]]);
  });

  const pending = claim("pending", { instanceTypes: ["a1.medium", "a1.large"] });
  const running = joined(node("n1"));
  it.each<[string, readonly NodeClaim[], { nodes: number; unplaced: number }]>([
    ["nothing in the way", [], { nodes: 1, unplaced: 0 }],
    ["a claim in flight counts by its largest type", [pending], { nodes: 0, unplaced: 1 }],
    ["a claim that never registers counts (core#2854)", [running], { nodes: 1, unplaced: 1 }],
    ["a claim of another pool does not", [{ ...pending, nodePool: "other" }], { nodes: 1, unplaced: 0 }],
    [
      "one that is being deleted does not",
      [{ ...pending, deletion: { requestedAtMs: 1, reason: "empty" } }],
      { nodes: 2, unplaced: 0 },
    ],
    ["one that is gone does not", [{ ...pending, goneAtMs: 1 }], { nodes: 2, unplaced: 0 }],
  ])("against what is there: %s", (_, claims, expected) => {
    const taken = claims.map(({ name }) => ({ target: name, pods: ["default/held"] }));
    const { nodes, unplaced } = bought({
      nodePools: [pool("default", { limits: { cpu: 12_000 } }), pool("other", { replicas: 0 })],
      claims,
      placements: taken,
      pods: [pod("a", { requests: asks(7, 4) }), pod("held", { requests: asks(3.5, 1) })].slice(
        0,
        claims.length > 0 ? 2 : 1,
      ),
    });
    expect({ nodes, unplaced }).toEqual(expected);
  });

  it("send what one pool cannot take to the next", () => {
    const nodePools = [pool("first", { weight: 50, limits: { nodes: 1 } }), pool("second")];
    const plan = planProvisioning(snapshot({ nodePools, pods: pods(3, { requests: asks(15, 4) }) }));
    expect(plan.claims.map(({ nodePool }) => nodePool).sort()).toEqual(["first", "second", "second"]);
  });
});

describe("flexibility floors (minValues)", () => {
  const floor = (minValues: number, key = instanceType) => ({
    requirements: [
      { ...req(key, "Exists"), minValues },
      req("kubernetes.io/arch", "In", "amd64"),
      req("karpenter.sh/capacity-type", "In", "on-demand"),
    ],
  });
  it.each<[string, number, number, { nodes: number; unplaced: number }]>([
    ["are met by a small pod", 8, 1, { nodes: 1, unplaced: 0 }],
    ["are met by splitting nodes", 5, 15, { nodes: 2, unplaced: 0 }],
    ["refuse what cannot meet them", 9, 1, { nodes: 0, unplaced: 1 }],
  ])("%s", (_, minValues, cores, expected) => {
    const pending = pods(cores, { requests: asks(1, 0.5) });
    const { nodes, unplaced } = bought({ nodePools: [pool("default", floor(minValues))], pods: pending });
    expect(unplaced).toBe(expected.unplaced);
    expect(nodes).toBeGreaterThanOrEqual(expected.nodes);
  });

  it("hold for every claim", () => {
    const plan = planProvisioning(
      snapshot({ nodePools: [pool("default", floor(4))], pods: pods(30, { requests: asks(1, 1) }) }),
    );
    expect(plan.unschedulable).toEqual([]);
    expect(Math.min(...plan.claims.map((c) => c.instanceTypes.length))).toBeGreaterThanOrEqual(4);
    expect(plan.claims[0]!.requirements.find(({ key }) => key === instanceType)!.minValues).toBe(4);
  });

  it("say what is missing", () => {
    const plan = planProvisioning(
      snapshot({ nodePools: [pool("default", floor(3))], pods: [pod("a", { requests: asks(30) })] }),
    );
    expect(plan.unschedulable[0]!.reason).toContain("only 1 values of node.kubernetes.io/instance-type");
  });
});
