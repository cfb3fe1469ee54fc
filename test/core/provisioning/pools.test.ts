import { describe, expect, it } from "vitest";
import type { NodeClaim, NodePool, Pod, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  arch,
  asks,
  bound,
  capacityType,
  catalog,
  claim,
  cpuLabel,
  daemonSet,
  family,
  instanceType,
  nodeClass,
  pod,
  pods,
  pool,
  req,
  snapshot,
  taint,
  zone,
} from "../scheduling/fixtures.ts";

/** `pool:cheapest type@zone×pods` for every claim, sorted, and the pods that got nothing. */
function outcome(given: Partial<Snapshot>): { claims: string[]; unschedulable: string[] } {
  const plan = planProvisioning(snapshot(given));
  return {
    claims: plan.claims
      .map(({ nodePool, cheapest, pods: on }) => `${nodePool}:${cheapest.instanceType}×${on.length}`)
      .sort(),
    unschedulable: plan.unschedulable.map(({ pod: key }) => key.slice("default/".length)),
  };
}

const placed = (...claims: string[]) => ({ claims, unschedulable: [] as string[] });
const refused = (...names: string[]) => ({ claims: [] as string[], unschedulable: names });

function withPool(over: Partial<NodePool>, pending: Pod[]): Partial<Snapshot> {
  return { nodePools: [pool("default", over)], pods: pending };
}

describe("taints", () => {
  const gpu = taint("gpu", "yes");
  it.each<[string, Partial<NodePool>, Partial<Pod>, ReturnType<typeof placed>]>([
    ["keep pods away", { taints: [gpu] }, {}, refused("a")],
    [
      "are tolerated by key and value",
      { taints: [gpu] },
      { tolerations: [{ key: "gpu", operator: "Equal", value: "yes" }] },
      placed("default:a1.small×1"),
    ],
    [
      "are not tolerated by another value",
      { taints: [gpu] },
      { tolerations: [{ key: "gpu", operator: "Equal", value: "no" }] },
      refused("a"),
    ],
    [
      "are tolerated by key alone",
      { taints: [gpu] },
      { tolerations: [{ key: "gpu", operator: "Exists" }] },
      placed("default:a1.small×1"),
    ],
    [
      "are all tolerated by Exists without a key",
      { taints: [gpu] },
      { tolerations: [{ operator: "Exists" }] },
      placed("default:a1.small×1"),
    ],
    [
      "are not tolerated for another effect",
      { taints: [gpu] },
      { tolerations: [{ key: "gpu", operator: "Exists", effect: "NoExecute" }] },
      refused("a"),
    ],
    ["of NoExecute keep pods away too", { taints: [taint("x", "", "NoExecute")] }, {}, refused("a")],
    [
      "are tolerated by a number that they exceed",
      { taints: [taint("sla", "980")] },
      { tolerations: [{ key: "sla", operator: "Gt", value: "950" }] },
      placed("default:a1.small×1"),
    ],
    [
      "are not tolerated by a number that they don't exceed",
      { taints: [taint("sla", "900")] },
      { tolerations: [{ key: "sla", operator: "Gt", value: "950" }] },
      refused("a"),
    ],
    ["for startup do not count", { startupTaints: [gpu] }, {}, placed("default:a1.small×1")],
    [
      "of PreferNoSchedule do not refuse",
      { taints: [taint("x", "", "PreferNoSchedule")] },
      {},
      placed("default:a1.small×1"),
    ],
  ])("%s", (_, over, of, expected) => {
    expect(outcome(withPool(over, [pod("a", of)]))).toEqual(expected);
  });

  it("of PreferNoSchedule send pods to a lighter pool without one", () => {
    const nodePools = [pool("shunned", { weight: 50, taints: [taint("x", "", "PreferNoSchedule")] }), pool("plain")];
    expect(outcome({ nodePools, pods: [pod("a")] })).toEqual(placed("plain:a1.small×1"));
  });
});

describe("several pools", () => {
  const heavy = (over: Partial<NodePool> = {}) => pool("heavy", { weight: 50, ...over });
  const light = (over: Partial<NodePool> = {}) => pool("light", { weight: 10, ...over });
  const a1Large = { instanceType: "a1.large", capacityType: "on-demand" as const };
  it.each<[string, Partial<Snapshot>, ReturnType<typeof placed>]>([
    [
      "the heaviest wins, though dearer",
      { nodePools: [light(), heavy({ requirements: [req(instanceType, "In", "g4.large")] })] },
      placed("heavy:g4.large×1"),
    ],
    ["of equal weights the first by name", { nodePools: [pool("b"), pool("a")] }, placed("a:a1.small×1")],
    ["falls through a taint", { nodePools: [heavy({ taints: [taint("x")] }), light()] }, placed("light:a1.small×1")],
    [
      "falls through a node class that is not ready",
      {
        nodePools: [
          heavy({ nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "bad" } }),
          light(),
        ],
        nodeClasses: [nodeClass(), nodeClass({ name: "bad", ready: false, readyMessage: "no subnets" })],
      },
      placed("light:a1.small×1"),
    ],
    ["falls through a static pool", { nodePools: [heavy({ replicas: 2 }), light()] }, placed("light:a1.small×1")],
    [
      "falls through a pool that is being deleted",
      { nodePools: [heavy({ deletionAtMs: 1 }), light()] },
      placed("light:a1.small×1"),
    ],
    [
      "falls through when EC2 refuses all its offerings (2.E.43)",
      {
        nodePools: [heavy({ requirements: [req(instanceType, "In", "a1.large")] }), light()],
        refusals: ["z-a", "z-b", "z-c"].flatMap((z) =>
          (["on-demand", "spot"] as const).map((type) => ({
            ...a1Large,
            capacityType: type,
            zone: z,
            untilMs: Number.MAX_SAFE_INTEGER,
          })),
        ),
      },
      placed("light:a1.small×1"),
    ],
    [
      "stays while one zone is left",
      {
        nodePools: [
          heavy({ requirements: [req(instanceType, "In", "a1.large"), req(capacityType, "In", "on-demand")] }),
          light(),
        ],
        refusals: ["z-a", "z-b"].map((z) => ({ ...a1Large, zone: z, untilMs: Number.MAX_SAFE_INTEGER })),
      },
      placed("heavy:a1.large×1"),
    ],
    [
      "returns when the refusals are over (2.E.43)",
      {
        nodePools: [
          heavy({ requirements: [req(instanceType, "In", "a1.large"), req(capacityType, "In", "on-demand")] }),
          light(),
        ],
        refusals: ["z-a", "z-b", "z-c"].map((z) => ({ ...a1Large, zone: z, untilMs: 5 })),
      },
      placed("heavy:a1.large×1"),
    ],
    [
      "falls through limits that leave nothing",
      { nodePools: [heavy({ limits: { cpu: 1000 } }), light()] },
      placed("light:a1.small×1"),
    ],
    [
      "a pool that cannot be read is in nobody's way",
      { nodePools: [heavy({ requirements: [req(cpuLabel, "Gt", "many")] }), light()] },
      placed("light:a1.small×1"),
    ],
  ])("%s", (_, given, expected) => {
    expect(outcome({ pods: [pod("a")], ...given })).toEqual(expected);
  });
});

describe("daemons", () => {
  const need = pods(1, { requests: asks(2, 1) });
  it.each<[string, Parameters<typeof daemonSet>[1], Partial<NodePool>, string]>([
    ["take their share of every node", {}, {}, "a1.medium"],
    ["of other architectures don't", { nodeSelector: { [arch]: "arm64" } }, {}, "a1.small"],
    ["that don't tolerate the pool don't", {}, { taints: [taint("x")] }, "a1.small"],
    [
      "that tolerate everything do (core#1749)",
      { tolerations: [{ operator: "Exists" }] },
      { taints: [taint("x")] },
      "a1.medium",
    ],
    [
      "with NotIn on a label that the pool lacks do (2.A.2)",
      { requiredNodeAffinity: [{ expressions: [req("foo", "NotIn", "bar")], fields: [] }] },
      {},
      "a1.medium",
    ],
    [
      "with In on a label that the pool lacks don't",
      { requiredNodeAffinity: [{ expressions: [req("foo", "In", "bar")], fields: [] }] },
      {},
      "a1.small",
    ],
    [
      "with one term of two that fits do (core#1727)",
      {
        requiredNodeAffinity: [
          { expressions: [req("foo", "In", "bar")], fields: [] },
          { expressions: [req(arch, "In", "amd64")], fields: [] },
        ],
      },
      {},
      "a1.medium",
    ],
    [
      "pinned to a host by their controller do (core#1727)",
      {
        requiredNodeAffinity: [
          { expressions: [], fields: [req("metadata.name", "In", "n1")] },
          { expressions: [req("kubernetes.io/hostname", "In", "n1")], fields: [] },
        ],
      },
      {},
      "a1.medium",
    ],
    [
      "with a preference that does not fit do (core#1727)",
      { preferredNodeAffinity: [{ weight: 1, term: { expressions: [req(arch, "In", "arm64")], fields: [] } }] },
      {},
      "a1.medium",
    ],
    ["before PreferNoSchedule do (core#1727)", {}, { taints: [taint("x", "", "PreferNoSchedule")] }, "a1.medium"],
    ["before startup taints do", {}, { startupTaints: [taint("x")] }, "a1.medium"],
    [
      "for GPUs count on GPU types only (core#2975)",
      { nodeSelector: { "karpenter.k8s.aws/instance-gpu-count": "1" } },
      {},
      "a1.small",
    ],
    ["too large for a type don't count there (core#2975)", { requests: asks(3, 1) }, {}, "a1.small"],
  ])("%s", (_, of, over, expected) => {
    const tolerations = over.taints === undefined ? [] : [{ key: "x", operator: "Exists" as const }];
    const plan = planProvisioning(
      snapshot({
        nodePools: [pool("default", over)],
        daemonSets: [daemonSet("d", of)],
        pods: need.map((p) => ({ ...p, tolerations })),
      }),
    );
    expect(plan.claims.map(({ cheapest }) => cheapest.instanceType)).toEqual([expected]);
  });

  it("are counted as a live pod of the set has them (aws#3199)", () => {
    const set = daemonSet("d", { requests: { pods: 1 } });
    const live = pod("d-1", {
      owner: { kind: "DaemonSet", name: "d", uid: set.uid },
      nodeName: "elsewhere",
      phase: "Running",
      requests: asks(1, 1),
    });
    const plan = planProvisioning(snapshot({ daemonSets: [set], pods: [...need, live] }));
    expect(plan.claims.map(({ cheapest, requests }) => [cheapest.instanceType, requests.cpu])).toEqual([
      ["a1.medium", 3000],
    ]);
  });
});

describe("capacity types and prices", () => {
  const both = [req(capacityType, "In", "spot", "on-demand"), req(arch, "In", "amd64")];
  it.each<[string, Partial<NodePool>, Partial<Pod>, [string, string, string, number]]>([
    ["the cheapest of all", { requirements: both }, {}, ["a1.small", "spot", "z-b", 30_000]],
    [
      "the cheapest in the pod's zone",
      { requirements: both },
      { nodeSelector: { [zone]: "z-a" } },
      ["a1.small", "spot", "z-a", 40_000],
    ],
    [
      "on demand where spot is not sold",
      { requirements: both },
      { nodeSelector: { [zone]: "z-c" } },
      ["a1.small", "on-demand", "z-c", 100_000],
    ],
    [
      "on demand on request",
      { requirements: both },
      { nodeSelector: { [capacityType]: "on-demand" } },
      ["a1.small", "on-demand", "z-a", 100_000],
    ],
  ])("%s", (_, over, of, [type, how, where, priceMicroUsd]) => {
    const [claim] = planProvisioning(snapshot(withPool(over, [pod("a", of)]))).claims;
    expect(claim!.cheapest).toEqual({ instanceType: type, capacityType: how, zone: where, priceMicroUsd });
  });

  it("names only capacity types that the types are sold as (core#2642)", () => {
    const requirements = [
      req(capacityType, "In", "spot", "on-demand", "reserved"),
      req(instanceType, "In", "a1.small"),
    ];
    const onDemand = { instanceType: "a1.small", capacityType: "on-demand" as const };
    const refusals = ["z-a", "z-b", "z-c"].map((z) => ({ ...onDemand, zone: z }));
    const [claim] = planProvisioning(snapshot({ ...withPool({ requirements }, [pod("a")]), refusals })).claims;
    expect(claim!.requirements).toContainEqual(req(capacityType, "In", "spot"));
  });

  it("gives a reservation's last slot to one of two claims (core#2356)", () => {
    const reserved = [{ id: "cr-1", instanceType: "a1.xlarge", zone: "z-a", count: 1 }];
    const requirements = [req(capacityType, "In", "on-demand", "reserved"), req(arch, "In", "amd64")];
    const plan = planProvisioning(
      snapshot({
        ...withPool({ requirements }, pods(2, { requests: asks(10, 4) })),
        catalog: { ...catalog, reserved },
      }),
    );
    expect(plan.claims.map(({ cheapest }) => cheapest.capacityType).sort()).toEqual(["on-demand", "reserved"]);
    const holder = plan.claims.find(({ cheapest }) => cheapest.capacityType === "reserved")!;
    expect(holder.requirements).toContainEqual(req("karpenter.k8s.aws/capacity-reservation-id", "In", "cr-1"));
    expect(holder.instanceTypes).toEqual(["a1.xlarge"]);
  });

  it("leaves a reservation alone that a claim in flight counts on", () => {
    const reserved = [{ id: "cr-1", instanceType: "a1.xlarge", zone: "z-a", count: 1 }];
    const requirements = [req(capacityType, "In", "on-demand", "reserved"), req(arch, "In", "amd64")];
    const given = {
      ...snapshot(),
      catalog: { ...catalog, reserved },
      nodePools: [pool("default", { requirements })],
      pods: [pod("a", { requests: asks(10, 4) })],
    };
    const holder = claim("holder", {
      instanceTypes: ["a1.xlarge"],
      requirements: [
        req(capacityType, "In", "reserved"),
        req("karpenter.k8s.aws/capacity-reservation-id", "In", "cr-1"),
      ],
    });
    const taken = [bound("big", "none", { requests: asks(10, 4) })];
    const on = (claims: readonly NodeClaim[]) => {
      const placements = claims.map(({ name }) => ({ target: name, pods: ["default/held"] }));
      const held = pod("held", { requests: asks(10, 4) });
      return planProvisioning({
        ...given,
        claims,
        placements,
        pods: [...given.pods, ...taken, ...(claims.length > 0 ? [held] : [])],
      });
    };
    expect(on([]).claims.map(({ cheapest }) => cheapest.capacityType)).toEqual(["reserved"]);
    expect(on([holder]).claims.map(({ cheapest }) => cheapest.capacityType)).toEqual(["on-demand"]);
  });

  it("reads a bare letter as an instance family as its category, with a warning", () => {
    const plan = planProvisioning(
      snapshot(withPool({ requirements: [req(family, "In", "b"), req(capacityType, "In", "on-demand")] }, [pod("a")])),
    );
    expect(plan.claims.map(({ cheapest }) => cheapest.instanceType)).toEqual(["b2.medium"]);
    expect(plan.warnings.map(({ object }) => object)).toEqual(["NodePool/default"]);
  });
});

describe("static pools", () => {
  it("are warned of while the feature gate is off", () => {
    const plan = planProvisioning(
      snapshot({ nodePools: [pool("fixed", { replicas: 3 }), pool("none", { replicas: 0 }), pool("default")] }),
    );
    expect(plan.warnings).toEqual([
      {
        object: "NodePool/fixed",
        field: "spec.replicas",
        message: expect.stringContaining("StaticCapacity is off"),
      },
    ]);
  });
});
