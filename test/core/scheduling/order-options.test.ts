// Which pool gives the node where several could: weight first, then what a pod costs there.
import { describe, expect, it } from "vitest";
import type { NodePool, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { asks, capacityType, cpuLabel, pods, pool, req, snapshot } from "./fixtures.ts";

const named = (name: string, over: Partial<NodePool> = {}) => pool(name, over);
const spot = { requirements: [req(capacityType, "In", "spot")] };
const large = { requirements: [req(capacityType, "In", "spot"), req(cpuLabel, "Gt", "4")] };
const one = pods(1, { requests: asks(1, 1) });
const ten = pods(10, { requests: asks(1, 1) });

function poolsOf(given: Partial<Snapshot>): string {
  const { claims, unschedulable } = planProvisioning(snapshot(given));
  expect(unschedulable).toEqual([]);
  return [...new Set(claims.map(({ nodePool }) => nodePool))].sort().join();
}

describe("pools that could give a node", () => {
  it.each<[string, readonly NodePool[], Partial<Snapshot>, string]>([
    ["of one weight: the cheaper", [named("a"), named("b", spot)], { pods: one }, "b"],
    ["of one weight and price: the first by name", [named("b"), named("a")], { pods: one }, "a"],
    ["the heavier, though it is dearer", [named("a", { weight: 2 }), named("b", spot)], { pods: one }, "a"],
    ["for one pod: that with the small nodes", [named("a", large), named("b")], { pods: one }, "b"],
    ["for many pods: that where each costs less", [named("b"), named("a", large)], { pods: ten }, "a"],
    [
      "the other one too, once limits end the cheaper",
      [named("a"), named("b", { ...spot, limits: { cpu: 8_000 } })],
      { pods: ten },
      "a,b",
    ],
  ])("%s", (_, nodePools, given, expected) => {
    expect(poolsOf({ nodePools, ...given })).toBe(expected);
  });
});
