import { describe, expect, it } from "vitest";
import { planDisruption } from "../../../shared/core/disruption/index.ts";
import type { NodeClaim, NodePool, Snapshot } from "../../../shared/core/model/index.ts";
import { bound, claim, daemonPod, daemonSet, joined, node, nowMs, pool, snapshot } from "../scheduling/fixtures.ts";

const names = ["a", "b", "c", "d"];
const nodes = names.map((name) => node(name));
const claims = nodes.map((one) => joined(one, { nodePool: "fixed", name: one.name }));
const busy = (name: string, over: Parameters<typeof bound>[2] = {}) => bound(`web-${name}`, name, over);

function gone(over: Partial<Snapshot>, of: Partial<NodePool> = {}, staticCapacity = true): string[] {
  const base = snapshot();
  const settings = { ...base.settings, featureGates: { ...base.settings.featureGates, staticCapacity } };
  const fixed = pool("fixed", { replicas: 2, consolidateAfterMs: null, ...of });
  const plan = planDisruption(snapshot({ settings, nodePools: [fixed], nodes, claims, ...over }));
  expect(plan.commands.every(({ reason, decision }) => reason === "Overprovisioned" && decision === "delete")).toBe(
    true,
  );
  return plan.commands.flatMap(({ candidates }) => candidates).sort();
}

const withClaim = (change: Partial<NodeClaim>, name: string) =>
  claims.map((one) => (one.name === name ? { ...one, ...change } : one));

describe("nodes that a static pool has too many of", () => {
  it.each<[string, Partial<Snapshot>, Partial<NodePool>, string[]]>([
    ["empty ones go by name", {}, {}, ["a", "b"]],
    ["budgets don't hold them", {}, { budgets: [{ nodes: "0" }] }, ["a", "b"]],
    ["all go where none is wanted", {}, { replicas: 0 }, names],
    ["none go where enough are wanted", {}, { replicas: 4 }, []],
    ["none go of a pool that is being deleted", {}, { deletionAtMs: 1 }, []],
    ["none go of a pool whose nodes follow the pods", {}, { replicas: undefined as never }, []],
    ["empty ones before those with pods", { pods: [busy("a"), busy("c")] }, {}, ["b", "d"]],
    [
      "a DaemonSet's pods don't count",
      { pods: [busy("a"), busy("b"), daemonPod(daemonSet("d"), "c")] },
      {},
      ["c", "d"],
    ],
    [
      "one that pods are on their way to is not empty",
      { placements: [{ target: "a", pods: ["default/x"] }] },
      {},
      ["b", "c"],
    ],
    ["unlaunched ones before all", { claims: [...claims, claim("z", { nodePool: "fixed" })] }, { replicas: 4 }, ["z"]],
    ["those on their way out are not counted", { claims: withClaim({ commandId: "c" }, "a") }, { replicas: 3 }, []],
    [
      "cheap pods before dear ones",
      { pods: [busy("a", { priority: 1_000_000 }), busy("b"), busy("c", { priority: 2_000_000 }), busy("d")] },
      {},
      ["b", "d"],
    ],
    [
      "protected pods last",
      {
        pods: [
          busy("a", { annotations: { "karpenter.sh/do-not-disrupt": "true" } }),
          ...["b", "c", "d"].map((name) => busy(name, { priority: 9_000_000 })),
        ],
      },
      { replicas: 1 },
      ["b", "c", "d"],
    ],
    [
      "those first that people say",
      {
        pods: names.map((name) => busy(name)),
        claims: withClaim({ annotations: { "karpenter.sh/deprovisioning-priority": "5" } }, "d"),
      },
      { replicas: 3 },
      ["d"],
    ],
    [
      "those with little time left before those with much",
      {
        pods: names.map((name) => busy(name)),
        claims: withClaim({ createdAtMs: nowMs - 900_000, expireAfterMs: 1_000_000 }, "c"),
      },
      { replicas: 3 },
      ["c"],
    ],
  ])("%s", (_, over, of, expected) => {
    expect(gone(over, of)).toEqual(expected);
  });

  it("stay while the feature gate is off", () => {
    expect(gone({}, {}, false)).toEqual([]);
  });
});
