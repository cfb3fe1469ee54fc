import { describe, expect, it } from "vitest";
import type { NodePool, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  asks,
  catalog,
  claim,
  daemonSet,
  joined,
  node,
  nodeClass,
  nowMs,
  pods,
  pool,
  req,
  snapshot,
} from "../scheduling/fixtures.ts";

const fixed = (over: Partial<NodePool> = {}) => pool("fixed", { replicas: 3, ...over });
const ofFixed = (name: string, over: Parameters<typeof claim>[1] = {}) => claim(name, { nodePool: "fixed", ...over });

function given(over: Partial<Snapshot>, staticCapacity = true): Snapshot {
  const base = snapshot();
  const settings = { ...base.settings, featureGates: { ...base.settings.featureGates, staticCapacity } };
  return snapshot({ settings, nodePools: [fixed()], ...over });
}

const made = (of: Snapshot) => planProvisioning(of).claims.filter(({ nodePool }) => nodePool === "fixed");

describe("static pools", () => {
  it("get as many nodes as they have replicas, of every type that they allow, without any pod", () => {
    const claims = made(given({}));
    expect(claims).toHaveLength(3);
    expect(new Set(claims.map(({ name }) => name)).size).toBe(3);
    expect(claims[0]).toMatchObject({ pods: [], cheapest: { instanceType: "a1.small" } });
    expect(claims[0]!.instanceTypes).toHaveLength(8);
  });

  it.each<[string, Partial<Snapshot>, number]>([
    [
      "what is there and what is on its way counts",
      { claims: [ofFixed("a"), joined(node("n"), { nodePool: "fixed" })] },
      1,
    ],
    [
      "what is on its way out does not",
      { claims: [ofFixed("a", { deletion: { requestedAtMs: 1, reason: "drifted" } })] },
      3,
    ],
    ["what falls to a command does not", { claims: [ofFixed("a", { commandId: "c" })] }, 3],
    ["what has had its time does not", { claims: [ofFixed("a", { createdAtMs: nowMs - 10, expireAfterMs: 10 })] }, 3],
    ["claims of other pools do not", { claims: [claim("a")] }, 3],
    ["more than enough is left alone", { claims: ["a", "b", "c", "d"].map((name) => ofFixed(name)) }, 0],
    ["a limit on nodes holds", { nodePools: [fixed({ limits: { nodes: 2 } })] }, 2],
    [
      "a limit on nodes counts those there",
      { nodePools: [fixed({ limits: { nodes: 2 } })], claims: [ofFixed("a")] },
      1,
    ],
    ["none are asked for", { nodePools: [fixed({ replicas: 0 })] }, 0],
    ["the pool is being deleted", { nodePools: [fixed({ deletionAtMs: 1 })] }, 0],
    ["its class is not ready", { nodeClasses: [nodeClass({ ready: false })] }, 0],
  ])("%s", (_, over, count) => {
    expect(made(given(over))).toHaveLength(count);
  });

  it("say what keeps them from it", () => {
    const warnings = (of: Snapshot) =>
      planProvisioning(of).warnings.map(({ object, field, message }) => `${object} ${field}: ${message}`);
    expect(warnings(given({ nodePools: [fixed({ limits: { nodes: 2 } })] }))[0]).toContain("only 2 are kept");
    expect(warnings(given({ nodeClasses: [nodeClass({ ready: false })] }))[0]).toContain("is not ready");
    expect(warnings(given({}, false))[0]).toContain("StaticCapacity is off");
    const impossible = fixed({ requirements: [req("karpenter.k8s.aws/instance-cpu", "In", "3")] });
    expect(warnings(given({ nodePools: [impossible] }))[0]).toContain("3 nodes are missing");
    expect(warnings(given({}))).toEqual([]);
  });

  it("count their DaemonSets as requests", () => {
    const [first] = made(given({ daemonSets: [daemonSet("d", { requests: asks(1.5, 1) })] }));
    expect(first!.requests).toMatchObject({ cpu: 1_500 });
  });

  it("take reservations first, each slot once, before pods do", () => {
    const requirements = [
      req("karpenter.sh/capacity-type", "In", "on-demand", "reserved"),
      req("kubernetes.io/arch", "In", "amd64"),
    ];
    const reserved = [{ id: "cr-1", instanceType: "a1.large", zone: "z-a", count: 2 }];
    const plan = planProvisioning(
      given({
        catalog: { ...catalog, reserved },
        nodePools: [fixed({ requirements }), pool("default", { requirements })],
        pods: pods(5, { requests: asks(7, 1) }),
      }),
    );
    const how = (name: string) =>
      plan.claims.filter(({ nodePool }) => nodePool === name).map(({ cheapest }) => cheapest.capacityType);
    expect(how("fixed").sort()).toEqual(["on-demand", "reserved", "reserved"]);
    expect(how("default")).not.toContain("reserved");
  });

  it("give their new nodes to pods that wait, which then need fewer of their own", () => {
    const requirements = [req("node.kubernetes.io/instance-type", "In", "a1.large")];
    const nodePools = [fixed({ replicas: 2, requirements }), pool("default")];
    const plan = planProvisioning(given({ nodePools, pods: pods(3, { requests: asks(7, 1) }) }));
    expect(plan.claims.map(({ nodePool, pods: on }) => [nodePool, on.length])).toEqual([
      ["fixed", 1],
      ["fixed", 1],
      ["default", 1],
    ]);
    expect(plan.placements).toEqual([]);
    expect(new Set(plan.claims.map(({ name }) => name)).size).toBe(3);
  });

  it("make no node for a pod beyond their replicas", () => {
    const plan = planProvisioning(
      given({ claims: ["a", "b", "c"].map((name) => ofFixed(name)), pods: pods(9, { requests: asks(3, 1) }) }),
    );
    expect(plan.claims).toEqual([]);
    expect(plan.placements.flatMap(({ pods: on }) => on)).toHaveLength(3);
    expect(plan.unschedulable[0]!.nodePools.fixed).toContain("static");
  });
});
