import { describe, expect, it } from "vitest";
import type {
  DeviceAsk,
  DeviceConstraint,
  DeviceDemand,
  Pod,
  ResourceClaim,
  Snapshot,
} from "../../../shared/core/model/index.ts";
import { planProvisioning, simulate } from "../../../shared/core/provisioning/index.ts";
import {
  ask,
  claiming,
  demand,
  deviceWorld,
  driver,
  exactly,
  fromTemplate,
  gpuDevice,
  named,
  resourceClaim,
  slice,
  template,
  withChips,
} from "./device-fixtures.ts";
import { asks, bound, claim, instanceType, joined, node, nowMs, pod, req, taint } from "./fixtures.ts";

const plan = (over: Partial<Snapshot>) => planProvisioning(deviceWorld(over));

/** How many pods each new node and each node that is there gets: `g4.large 1, n1 2`; or the first verdict. */
function outcome(over: Partial<Snapshot>): string {
  const { claims, placements, unschedulable } = plan(over);
  if (unschedulable.length > 0) return unschedulable[0]!.reason;
  return [
    ...claims.map(({ instanceTypes, pods }) => `${instanceTypes[0]} ${pods.length}`),
    ...placements.map(({ target, pods }) => `${target} ${pods.length}`),
  ]
    .sort()
    .join(", ");
}

function pods(count: number, of: Partial<Pod> = {}): Pod[] {
  return Array.from({ length: count }, (_, at) => claiming(`p-${at}`, [fromTemplate("t")], of));
}

const asking = (of: DeviceDemand, count = 1, over: Partial<Snapshot> = {}): Partial<Snapshot> => ({
  pods: pods(count),
  resourceClaimTemplates: [template("t", of)],
  ...over,
});
const where = (expression: string, count: number | "all" = 1): DeviceDemand =>
  demand(exactly("gpu", ask(count, { selectors: [expression] })));
const of = (attribute: string): string => `device.attributes["gpu.nvidia.com"].${attribute}`;

describe("devices that the catalog declares", () => {
  it.each<[string, Partial<Snapshot>, string]>([
    ["one GPU", asking(demand(exactly("gpu"))), "g4.large 1"],
    ["one GPU for each of three pods", asking(demand(exactly("gpu")), 3), "g4.large 1, g4.large 1, g4.large 1"],
    ["two GPUs", asking(demand(exactly("gpu", ask(2)))), "g4.xlarge 1"],
    ["two GPUs for each of two pods", asking(demand(exactly("gpu", ask(2))), 2), "g4.xlarge 2"],
    ["three GPUs for each of two pods", asking(demand(exactly("gpu", ask(3))), 2), "g4.xlarge 1, g4.xlarge 1"],
    ["two requests of a claim", asking(demand(exactly("a"), exactly("b", ask(2)))), "g4.xlarge 1"],
    ["all of them", asking(demand(exactly("gpu", ask("all"))), 2), "g4.large 1, g4.large 1"],
    ["by product", asking(where(`${of("productName")} == "Tesla T4"`)), "g4.large 1"],
    ["by architecture", asking(where(`${of("architecture")}.lowerAscii() == "turing"`)), "g4.large 1"],
    [
      "by compute capability",
      asking(where(`${of("cudaComputeCapability")}.isGreaterThan(semver("7.0.0"))`)),
      "g4.large 1",
    ],
    ["by a pattern", asking(where(`${of("productName")}.matches("^Tesla T[0-9]+$")`)), "g4.large 1"],
    [
      "by memory",
      asking(where(`device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("15Gi")) >= 0`)),
      "g4.large 1",
    ],
    ["by what it has", asking(where(`has(${of("architecture")}) && "brand" in ${of("x").slice(0, -2)}`)), "g4.large 1"],
    [
      "chips of a type",
      asking(
        demand(
          exactly(
            "chip",
            ask(8, {
              deviceClass: "neuron.aws.com",
              selectors: [`device.attributes["neuron.aws.com"].instanceType == "trn1.xlarge"`],
            }),
          ),
        ),
        2,
        { catalog: withChips },
      ),
      "trn1.xlarge 2",
    ],
  ])("serve %s", (_, given, expected) => {
    expect(outcome(given)).toBe(expected);
  });

  it.each<[string, string]>([
    ["another product", `${of("productName")} == "NVIDIA A10G"`],
    [
      "more memory than the driver will find",
      `device.capacity["gpu.nvidia.com"].memory.isGreaterThan(quantity("15Gi"))`,
    ],
    ["an attribute that only a running node has", `${of("driverVersion")} == "1.2.3"`],
    ["an attribute of an unknown domain", `device.attributes["example.com"].model == "x"`],
    ["something that is no truth", `${of("productName")}`],
  ])("do not serve a pod that asks for %s", (_, expression) => {
    expect(outcome(asking(where(expression)))).toContain(
      `no instance type that it allows has the devices (1 × gpu.nvidia.com where ${expression}) of the pod's claims`,
    );
  });

  it("are not asked for by pods without claims, nor named in what a plan says of its claims", () => {
    const { claims } = plan(asking(demand(exactly("gpu")), 1, { pods: [...pods(1), pod("q")] }));
    expect(claims).toHaveLength(1);
    expect(Object.keys(claims[0]!.requests).sort()).toEqual(["cpu", "memory", "pods"]);
  });
});

describe("alternatives and constraints", () => {
  const firstOf = (...alternatives: DeviceAsk[]): DeviceDemand =>
    demand({ name: "gpu", alternatives: alternatives.map((one, at) => ({ name: `a${at}`, ...one })) });
  const a10g = ask(1, { selectors: [`${of("productName")} == "NVIDIA A10G"`] });
  it.each<[string, DeviceDemand, number, string]>([
    ["the second where there is no first", firstOf(a10g, ask(2)), 2, "g4.xlarge 2"],
    ["fewer of the same where there are no more", firstOf(ask(4), ask(1)), 2, "g4.large 1, g4.large 1"],
  ])("%s", (_, given, count, expected) => {
    expect(outcome(asking(given, count))).toBe(expected);
  });

  const chips = (count: number, attribute: string): DeviceDemand => ({
    ...demand(exactly("chips", ask(count, { deviceClass: "neuron.aws.com" }))),
    constraints: [{ requests: ["chips"], matchAttribute: attribute }],
  });
  it.each<[string, DeviceDemand, number, string]>([
    ["a group of connected chips", chips(4, "resource.aws.com/devicegroup4_id"), 4, "trn1.xlarge 4"],
    ["half of what a group leaves", chips(3, "resource.aws.com/devicegroup4_id"), 4, "trn1.xlarge 4"],
    ["only one to a group", chips(3, "resource.aws.com/devicegroup4_id"), 5, "trn1.xlarge 1, trn1.xlarge 4"],
    ["the same type of all", chips(16, "neuron.aws.com/instanceType"), 1, "trn1.xlarge 1"],
  ])("%s", (_, given, count, expected) => {
    expect(outcome(asking(given, count, { catalog: withChips }))).toBe(expected);
  });

  it("a group that is too small, or an attribute that no device has, is none", () => {
    const tooMany = asking(chips(5, "resource.aws.com/devicegroup4_id"), 1, { catalog: withChips });
    expect(outcome(tooMany)).toContain("with the same resource.aws.com/devicegroup4_id");
    const unknown: DeviceConstraint = { requests: [], matchAttribute: "resource.kubernetes.io/pcieRoot" };
    expect(outcome(asking({ ...demand(exactly("gpu", ask(2))), constraints: [unknown] }))).toContain(
      "no instance type",
    );
  });

  it("pods with other demands share a node's devices, and never more than there are", () => {
    const three = [1, 1, 2].map((count, at) => template(`t${at}`, demand(exactly("gpu", ask(count)))));
    const of3 = three.map(({ name }, at) => claiming(`p-${at}`, [fromTemplate(name)]));
    const only = {
      nodePools: deviceWorld().nodePools.map((one) => ({
        ...one,
        requirements: [req(instanceType, "In", "g4.xlarge")],
      })),
    };
    expect(outcome({ ...only, pods: of3, resourceClaimTemplates: three })).toBe("g4.xlarge 3");
    const all = template("all", demand(exactly("gpu", ask("all"))));
    const greedy = [...of3, claiming("q", [fromTemplate("all")])];
    expect(outcome({ ...only, pods: greedy, resourceClaimTemplates: [...three, all] })).toBe(
      "g4.xlarge 1, g4.xlarge 3",
    );
  });
});

describe("nodes that are there", () => {
  const n1 = node("n1");
  const there = (count: number, over: Partial<Snapshot> = {}): Partial<Snapshot> => ({
    nodes: [n1],
    claims: [joined(n1)],
    resourceSlices: [
      slice(
        "n1",
        Array.from({ length: count }, (_, at) => gpuDevice(`gpu-${at}`)),
      ),
    ],
    ...over,
  });
  const allocated = (name: string, device: string, over: Partial<ResourceClaim> = {}): ResourceClaim =>
    resourceClaim(name, demand(exactly("gpu")), {
      allocation: {
        devices: [{ driver, pool: "n1", device }],
        nodeSelector: [{ expressions: [], fields: [req("metadata.name", "In", "n1")] }],
      },
      ...over,
    });
  const one = demand(exactly("gpu"));

  it.each<[string, Partial<Snapshot>, string]>([
    ["give the devices they have", asking(one, 2, there(2)), "claim-n1 2"],
    ["and no more", asking(one, 3, there(2)), "claim-n1 2, g4.large 1"],
    [
      "none that a claim has",
      asking(one, 2, there(2, { resourceClaims: [allocated("x", "gpu-0")] })),
      "claim-n1 1, g4.large 1",
    ],
    [
      "none to who wants all, when one is taken",
      asking(demand(exactly("gpu", ask("all"))), 1, there(2, { resourceClaims: [allocated("x", "gpu-0")] })),
      "g4.large 1",
    ],
    [
      "none of a pool that is not complete",
      asking(one, 1, there(1, { resourceSlices: [slice("n1", [gpuDevice("gpu-0")], { slicesOfPool: 2 })] })),
      "g4.large 1",
    ],
    [
      "none of an old generation",
      asking(
        one,
        1,
        there(1, {
          resourceSlices: [slice("n1", [gpuDevice("gpu-0")]), slice("n1", [], { name: "new", generation: 2 })],
        }),
      ),
      "g4.large 1",
    ],
    [
      "none that is tainted",
      asking(one, 1, there(1, { resourceSlices: [slice("n1", [gpuDevice("gpu-0", { taints: [taint("sick")] })])] })),
      "g4.large 1",
    ],
    [
      "a tainted one to who tolerates that",
      asking(
        demand(exactly("gpu", ask(1, { tolerations: [{ key: "sick", operator: "Exists" }] }))),
        1,
        there(1, { resourceSlices: [slice("n1", [gpuDevice("gpu-0", { taints: [taint("sick")] })])] }),
      ),
      "claim-n1 1",
    ],
    [
      "none that several nodes reach",
      asking(
        one,
        1,
        there(1, { resourceSlices: [{ ...slice("n1", [gpuDevice("gpu-0")]), nodeName: undefined as never }] }),
      ),
      "g4.large 1",
    ],
    ["by an attribute of that very device", asking(where(`${of("uuid")} == "GPU-gpu-1"`), 1, there(2)), "claim-n1 1"],
    [
      "none of what earlier plans gave away",
      asking(
        one,
        1,
        there(1, {
          placements: [{ target: "claim-n1", pods: ["default/q"] }],
          pods: [...pods(1), claiming("q", [fromTemplate("t")])],
        }),
      ),
      "g4.large 1",
    ],
  ])("%s", (_, given, expected) => {
    expect(outcome(given)).toBe(expected);
  });

  it("that are young have what their type will have, until the driver says something", () => {
    const young = claim("young", { instanceTypes: ["g4.xlarge"] });
    expect(outcome(asking(demand(exactly("gpu", ask(2))), 2, { claims: [young] }))).toBe("young 2");
    const n2 = node("n2", { labels: { ...n1.labels, [instanceType]: "g4.xlarge" } });
    const of2 = joined(n2);
    const joining = { ...of2, instance: { ...of2.instance!, instanceType: "g4.xlarge" } };
    const { initializedAtMs: _, ...uninitialized } = joining;
    const onIt = (over: Partial<Snapshot>) =>
      outcome(asking(one, 2, { nodes: [n2], claims: [uninitialized], ...over }));
    expect(onIt({})).toBe("claim-n2 2");
    expect(onIt({ resourceSlices: [slice("n2", [gpuDevice("gpu-0")])] })).toBe("claim-n2 1, g4.large 1");
    expect(outcome(asking(one, 1, { nodes: [n2], claims: [joining] }))).toBe("g4.large 1");
  });

  it("hold a pod whose claim has devices there already", () => {
    const held = {
      pods: [claiming("p", [named("x")])],
      resourceClaims: [allocated("x", "gpu-0", { reservedFor: ["uid-other"] })],
    };
    expect(outcome(there(1, held))).toBe("claim-n1 1");
    expect(outcome({ ...there(1, held), nodes: [], claims: [] })).toBe(
      "NodePool default gives none: the pod's allocated devices are reached only from node n1, which no new node is",
    );
    const unused = { ...held, resourceClaims: [allocated("x", "gpu-0")] };
    expect(outcome({ ...there(1, unused), nodes: [], claims: [] })).toBe("g4.large 1");
  });

  it("hold a pod by one claim, while another gives its devices back", () => {
    const gone = allocated("y", "gpu-9", {
      allocation: {
        devices: [{ driver, pool: "n9", device: "gpu-9" }],
        nodeSelector: [{ expressions: [], fields: [req("metadata.name", "In", "n9")] }],
      },
    });
    const both = [named("x"), { ...named("y"), name: "more" }];
    const claims = [allocated("x", "gpu-0", { reservedFor: ["uid-other"] }), gone];
    expect(outcome(there(3, { pods: [claiming("p", both)], resourceClaims: claims }))).toBe("claim-n1 1");
    expect(outcome(there(1, { pods: [claiming("p", both)], resourceClaims: claims }))).toContain(
      "insufficient devices",
    );
  });

  it("give their pods another place when they go", () => {
    const runs = bound("p", "n1", {
      requests: asks(0.1, 0.1),
      resourceClaims: [fromTemplate("t", { claimName: "own" })],
    });
    const world = deviceWorld(
      asking(
        one,
        0,
        there(1, {
          pods: [runs],
          resourceClaims: [allocated("own", "gpu-0", { ownerUid: "uid-p", reservedFor: ["uid-p"] })],
        }),
      ),
    );
    const { claims, unschedulable } = simulate(world, { withoutNodes: ["claim-n1"], pods: [runs] });
    expect(unschedulable).toEqual([]);
    expect(claims.map(({ instanceTypes }) => instanceTypes[0])).toEqual(["g4.large"]);
  });
});

describe("a claim that several pods share", () => {
  const shared = { resourceClaims: [resourceClaim("both", demand(exactly("gpu")))] };
  it("is planned for one of them, and the others follow when it has its devices", () => {
    const older = claiming("z", [named("both")], { createdAtMs: nowMs - 120_000 });
    const { claims, unschedulable } = plan({ ...shared, pods: [claiming("a", [named("both")]), older] });
    expect(claims.flatMap(({ pods: on }) => on)).toEqual(["default/z"]);
    expect(unschedulable.map(({ pod: key, reason }) => [key, reason])).toEqual([
      [
        "default/a",
        'the pod shares the ResourceClaim "default/both" with default/z, which gets a node first: its devices are not allocated yet, and decide where this pod can run',
      ],
    ]);
  });
  it("waits for the one that has a place", () => {
    const on = {
      claims: [claim("c", { instanceTypes: ["g4.large"] })],
      placements: [{ target: "c", pods: ["default/z"] }],
    };
    expect(
      outcome({ ...shared, ...on, pods: [claiming("a", [named("both")]), claiming("z", [named("both")])] }),
    ).toContain("with default/z");
  });
});
