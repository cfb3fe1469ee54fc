import { describe, expect, it } from "vitest";
import { planProvisioning, simulate } from "../../../shared/core/provisioning/index.ts";
import { asks, bound, joined, node, pool, snapshot } from "../scheduling/fixtures.ts";

const [n1, n2] = [node("n1"), node("n2")];
const on1 = bound("a", "n1", { requests: asks(1) });
const on2 = bound("b", "n2", { requests: asks(1) });
const world = snapshot({ nodes: [n1, n2], claims: [joined(n1), joined(n2)], pods: [on1, on2] });

describe("simulate", () => {
  it("moves pods to the nodes that stay", () => {
    const outcome = simulate(world, { withoutNodes: ["claim-n1"], pods: [on1] });
    expect(outcome).toEqual({
      claims: [],
      placements: [{ target: "claim-n2", pods: ["default/a"] }],
      unschedulable: [],
      unplaced: 0,
    });
  });
  it("plans a new claim where none has room", () => {
    const outcome = simulate(world, { withoutNodes: ["claim-n1", "claim-n2"], pods: [on1, on2] });
    expect(outcome.claims.map(({ cheapest, pods }) => [cheapest.instanceType, pods])).toEqual([
      ["a1.small", ["default/a", "default/b"]],
    ]);
  });
  it("frees the limits of what goes", () => {
    const limited = { ...world, nodePools: [pool("default", { limits: { cpu: 8_000 } })] };
    expect(simulate(limited, { withoutNodes: ["claim-n1", "claim-n2"], pods: [on1, on2] }).unschedulable).toEqual([]);
    const outcome = simulate(limited, { withoutNodes: [], pods: [bound("c", "n9", { requests: asks(4) })] });
    expect(outcome.unschedulable).toHaveLength(1);
  });
  it("decides nothing: the plan of the same snapshot is still empty", () => {
    simulate(world, { withoutNodes: ["claim-n1"], pods: [on1] });
    const plan = planProvisioning(world);
    expect([plan.claims, plan.placements]).toEqual([[], []]);
  });
  it("says why a pod has nowhere to go", () => {
    const outcome = simulate(
      { ...world, nodePools: [] },
      { withoutNodes: ["claim-n1"], pods: [{ ...on1, requests: asks(4) }] },
    );
    expect(outcome.unschedulable[0]!.reason).toBe(
      "no room on 1 node: 1 insufficient cpu; and there is no NodePool to make one from",
    );
  });
});
