import { describe, expect, it } from "vitest";
import type { NodePool, Pod, RefusedOffering, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import {
  asks,
  capacityType,
  claim,
  gi,
  instanceType,
  joined,
  node,
  nowMs,
  pod,
  pods,
  pool,
  req,
  snapshot,
} from "../core/scheduling/fixtures.ts";

const hostname = "kubernetes.io/hostname";
const apart: Partial<Pod> = {
  labels: { app: "web" },
  requiredPodAntiAffinity: [
    {
      topologyKey: hostname,
      labelSelector: { matchLabels: { app: "web" }, matchExpressions: [] },
      namespaces: [],
      matchLabelKeys: [],
      mismatchLabelKeys: [],
    },
  ],
};

function plan(limits: NodePool["limits"], pending: readonly Pod[], over: Partial<Snapshot> = {}) {
  return planProvisioning(snapshot({ nodePools: [pool("default", { limits })], pods: pending, ...over }));
}

describe("40. limits within one batch (core#2915, core#2657)", () => {
  it("of three nodes give five pods that stay apart three claims; two pods exceed them, and are told so", () => {
    const { claims, unschedulable } = plan({ nodes: 3 }, pods(5, apart));
    expect(claims.map(({ pods: on }) => on.length)).toEqual([1, 1, 1]);
    expect(unschedulable).toHaveLength(2);
    for (const { reason } of unschedulable) expect(reason).toMatch(/limits allow no further node.*nodes 3/);
  });

  it("of nodes hold in a batch of a hundred and one", () => {
    const { claims, unschedulable } = plan({ nodes: 60 }, pods(101, apart));
    expect([claims.length, unschedulable.length]).toEqual([60, 41]);
  });

  it.each([
    [{ cpu: 20_000 }, 20],
    [{ memory: 40 * gi }, 40],
    [{ cpu: 13_000, memory: 30 * gi, nodes: 4 }, 4],
  ] as const)("of %o are never exceeded, whatever EC2 gives of a claim's types", (limits, most) => {
    const of: Record<string, [number, number]> = {
      "a1.small": [2, 4],
      "a1.medium": [4, 8],
      "a1.large": [8, 16],
      "a1.xlarge": [16, 32],
      "b2.medium": [4, 16],
      "b2.large": [8, 32],
      "g4.large": [8, 32],
      "g4.xlarge": [32, 128],
    };
    const { claims } = plan(limits, pods(40, { requests: asks(1, 1) }));
    const worst = (index: 0 | 1) =>
      claims.reduce((sum, one) => sum + Math.max(...one.instanceTypes.map((name) => of[name]![index])), 0);
    expect(claims.length).toBeGreaterThan(0);
    if ("cpu" in limits) expect(worst(0) * 1_000).toBeLessThanOrEqual(limits.cpu);
    if ("memory" in limits) expect(worst(1) * gi).toBeLessThanOrEqual(limits.memory);
    expect(claims.length).toBeLessThanOrEqual(most);
  });
});

const taints = [{ key: "x", value: "", effect: "NoSchedule" as const }];

describe("41. claims that never register count (core#2854)", () => {
  it("so that pods that are made again and again get no more than the limit allows", () => {
    const claims = ["a", "b"].map((name) => joined(node(name), { name, taints, registeredAtMs: undefined as never }));
    const of = { claims, nodes: [] };
    expect(plan({ cpu: 8_000 }, pods(1), of).claims).toEqual([]);
    expect(plan({ cpu: 10_000 }, pods(1), of).claims).toHaveLength(1);
  });

  it("and claims that are not launched yet count as the largest that they may become", () => {
    const flying = claim("f", {
      instanceTypes: ["a1.small", "a1.xlarge"],
      taints,
    });
    expect(plan({ cpu: 17_000 }, pods(1), { claims: [flying] }).claims).toEqual([]);
    expect(plan({ cpu: 18_000 }, pods(1), { claims: [flying] }).claims).toHaveLength(1);
  });
});

describe("43. weights and capacity that runs out (aws#2502)", () => {
  const only = (name: string, weight: number, type: string) =>
    pool(name, { weight, requirements: [req(instanceType, "In", type), req(capacityType, "In", "on-demand")] });
  const nodePools = [only("light", 10, "b2.large"), only("heavy", 50, "a1.large")];
  const refusals: RefusedOffering[] = ["z-a", "z-b", "z-c"].map((zone) => ({
    instanceType: "a1.large",
    capacityType: "on-demand",
    zone,
    untilMs: nowMs + 180_000,
  }));
  const at = (ms: number) => planProvisioning(snapshot({ nodePools, refusals, pods: pods(1), nowMs: ms }));

  it("falls through to the lighter pool while the heavier one's types are refused, and returns after three minutes", () => {
    expect(at(nowMs).claims.map(({ nodePool }) => nodePool)).toEqual(["light"]);
    expect(at(nowMs).nextChangeAtMs).toBe(nowMs + 180_000);
    expect(at(nowMs + 179_999).claims.map(({ nodePool }) => nodePool)).toEqual(["light"]);
    expect(at(nowMs + 180_000).claims.map(({ nodePool }) => nodePool)).toEqual(["heavy"]);
  });

  it("what the heavier pool's limits leave no room for goes to the lighter one, and no more", () => {
    const limited = [{ ...nodePools[1]!, limits: { nodes: 2 } }, nodePools[0]!];
    const { claims } = planProvisioning(snapshot({ nodePools: limited, pods: pods(5, { requests: asks(7, 2) }) }));
    expect(claims.map(({ nodePool }) => nodePool).sort()).toEqual(["heavy", "heavy", "light", "light", "light"]);
  });
});

describe("important pods get the last capacity", () => {
  const placed = (limits: NodePool["limits"], pending: readonly Pod[]) =>
    plan(limits, pending).claims.flatMap(({ pods: on }) =>
      on.map((name) => name.slice("default/".length, "default/".length + 4)),
    );
  const of = (prefix: string, count: number, priority: number, cores: number, gib = 1) =>
    pods(count, { priority, requests: asks(cores, gib) }, prefix);

  it.each<[string, NodePool["limits"], Pod[], Record<string, number>]>([
    [
      "alike but for their priority",
      { nodes: 1, cpu: 8_000 },
      [...of("high", 4, 10, 2), ...of("low-", 40, 0, 2)],
      { high: 4 },
    ],
    [
      "larger than the others",
      { cpu: 16_000 },
      [...of("high", 2, 10, 7, 4), ...of("low-", 40, 0, 1)],
      { high: 2, "low-": 2 },
    ],
    ["smaller than the others", { cpu: 8_000 }, [...of("high", 8, 10, 1), ...of("low-", 3, 0, 7, 4)], { high: 8 }],
    [
      "of three ranks",
      { nodes: 2, cpu: 8_000 },
      [...of("top-", 1, 20, 4), ...of("mid-", 1, 10, 4), ...of("low-", 4, 0, 4)],
      { "top-": 1, "mid-": 1 },
    ],
  ])("%s", (_, limits, pending, least) => {
    const names = placed(limits, pending);
    for (const [prefix, count] of Object.entries(least)) {
      expect(names.filter((name) => name === prefix).length, prefix).toBe(count);
    }
  });

  it("also on nodes that are there", () => {
    const there = node("n");
    const { placements } = planProvisioning(
      snapshot({
        nodePools: [],
        nodes: [there],
        pods: [pod("low", { requests: asks(3, 1) }), pod("top", { priority: 10, requests: asks(2, 1) })],
      }),
    );
    expect(placements.map(({ pods: on }) => on)).toEqual([["default/top"]]);
  });
});
