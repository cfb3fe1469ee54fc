// Reports of people about requirements and labels, from Karpenter's public issues: what is right in each, as tests. Numbers
// are those of docs/compatibility.md.
import { describe, expect, it } from "vitest";
import { toNodePool } from "../../shared/api/index.ts";
import { poolConditions } from "../../shared/controllers/conditions.ts";
import type { NodeSelectorTerm, RequirementSpec, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import {
  arch,
  asks,
  capacityType,
  cpuLabel,
  daemonSet,
  instanceType,
  nodeClass,
  pod,
  pool,
  req,
  snapshot,
} from "../core/scheduling/fixtures.ts";

const plan = (over: Partial<Snapshot>) => planProvisioning(snapshot(over));
const term = (...expressions: RequirementSpec[]): NodeSelectorTerm[] => [{ expressions, fields: [] }];

describe("1 (core PR 2674): bounds on whole numbers", () => {
  const bounded = (...requirements: RequirementSpec[]) =>
    pool("default", {
      requirements: [...requirements, req(capacityType, "In", "on-demand"), req(arch, "In", "amd64")],
    });
  const cpuOf = (specs: readonly RequirementSpec[]) =>
    specs.filter(({ key }) => key === cpuLabel).map(({ operator, values }) => `${operator} ${values.join()}`);
  /** Cores of the types that a claim may become, and its requirements on them. */
  const claimed = (over: Partial<Snapshot>) => {
    const [claim] = plan({ pods: [pod("p", { requests: asks(0.5, 0.5) })], ...over }).claims;
    return { types: [...(claim?.instanceTypes ?? [])].sort(), cpu: cpuOf(claim?.requirements ?? []) };
  };
  const four = ["a1.medium", "b2.medium"];
  const eight = ["a1.large", "b2.large", "g4.large"];

  it.each<[string, RequirementSpec[], string[], string[]]>([
    [
      "Gt 3 and Lt 9: 4 and 8 are in",
      [req(cpuLabel, "Gt", "3"), req(cpuLabel, "Lt", "9")],
      ["Gte 4", "Lte 8"],
      [...four, ...eight],
    ],
    [
      "the other way round",
      [req(cpuLabel, "Lt", "9"), req(cpuLabel, "Gt", "3")],
      ["Gte 4", "Lte 8"],
      [...four, ...eight],
    ],
    [
      "Gte 4 and Lte 8 are the same",
      [req(cpuLabel, "Gte", "4"), req(cpuLabel, "Lte", "8")],
      ["Gte 4", "Lte 8"],
      [...four, ...eight],
    ],
    ["Gt 4: 4 is out", [req(cpuLabel, "Gt", "4"), req(cpuLabel, "Lt", "9")], ["Gte 5", "Lte 8"], eight],
    ["Lt 8: 8 is out", [req(cpuLabel, "Gt", "3"), req(cpuLabel, "Lt", "8")], ["Gte 4", "Lte 7"], four],
    ["Gt 5 alone is Gte 6", [req(cpuLabel, "Gt", "5"), req(instanceType, "In", ...four, ...eight)], ["Gte 6"], eight],
    ["Lt 5 alone is Lte 4", [req(cpuLabel, "Lt", "5"), req(instanceType, "In", ...four, ...eight)], ["Lte 4"], four],
    [
      "of several the tightest count",
      [req(cpuLabel, "Gt", "1"), req(cpuLabel, "Gte", "4"), req(cpuLabel, "Lt", "33"), req(cpuLabel, "Lte", "8")],
      ["Gte 4", "Lte 8"],
      [...four, ...eight],
    ],
    [
      "with a value left out of the range",
      [req(cpuLabel, "Gt", "3"), req(cpuLabel, "Lt", "9"), req(cpuLabel, "NotIn", "4")],
      ["Gte 4", "Lte 8", "NotIn 4"],
      eight,
    ],
  ])("1: %s", (_, requirements, cpu, types) => {
    expect(claimed({ nodePools: [bounded(...requirements)] })).toEqual({ types: [...types].sort(), cpu });
  });

  it("1: one bound of the pool and one of the pod are both kept", () => {
    const pods = [pod("p", { requests: asks(0.5, 0.5), requiredNodeAffinity: term(req(cpuLabel, "Lt", "9")) })];
    const found = claimed({ nodePools: [bounded(req(cpuLabel, "Gt", "3"))], pods });
    expect(found).toEqual({ types: [...four, ...eight].sort(), cpu: ["Gte 4", "Lte 8"] });
  });

  it("1: bounds that leave nothing between them leave no node, and both are told", () => {
    const { unschedulable } = plan({
      nodePools: [bounded(req(cpuLabel, "Gt", "8"))],
      pods: [pod("p", { requiredNodeAffinity: term(req(cpuLabel, "Lt", "9")) })],
    });
    expect(unschedulable[0]?.nodePools.default).toContain(
      `the pod asks for ${cpuLabel} Lte ["8"], the NodePool has ${cpuLabel} Gte ["9"]`,
    );
  });
});

describe("2 (aws#1084): a label that the pool does not mention", () => {
  const affinity: [string, RequirementSpec, boolean][] = [
    ["NotIn", req("foo", "NotIn", "bar"), true],
    ["DoesNotExist", req("foo", "DoesNotExist"), true],
    ["In", req("foo", "In", "bar"), false],
    ["Exists", req("foo", "Exists"), false],
    ["Gt", req("foo", "Gt", "1"), false],
    ["Lt", req("foo", "Lt", "9"), false],
  ];
  it.each(affinity)("2: is absent, which satisfies %s or not", (_, expression, fits) => {
    expect(plan({ pods: [pod("p", { requiredNodeAffinity: term(expression) })] }).claims).toHaveLength(fits ? 1 : 0);
  });

  it.each(affinity)("2: so a DaemonSet with %s runs there and counts, or not", (_, expression, counts) => {
    const set = daemonSet("d", { requests: asks(1, 1), requiredNodeAffinity: term(expression) });
    const nodePools = [pool("default", { requirements: [req(instanceType, "In", "a1.small", "a1.medium")] })];
    const { claims } = plan({ nodePools, daemonSets: [set], pods: [pod("p", { requests: asks(1.5) })] });
    expect(claims[0]?.cheapest.instanceType).toBe(counts ? "a1.medium" : "a1.small");
  });

  it.each<[string, RequirementSpec, boolean]>([
    ["another value", req("foo", "NotIn", "bar"), true],
    ["a forbidden value", req("foo", "NotIn", "baz"), false],
    ["presence where none is wanted", req("foo", "DoesNotExist"), false],
  ])("2: where it does, its value counts: %s", (_, expression, fits) => {
    const nodePools = [pool("default", { labels: { foo: "baz" } })];
    const pods = [pod("p", { requiredNodeAffinity: term(expression) })];
    expect(plan({ nodePools, pods }).claims).toHaveLength(fits ? 1 : 0);
  });
});

describe("4: a label of people's own that no pool gives", () => {
  it("4: keeps a pod from being planned, and the verdict names it", () => {
    const { claims, unschedulable } = plan({ pods: [pod("p", { nodeSelector: { team: "a" } })] });
    expect(claims).toEqual([]);
    expect(unschedulable[0]?.nodePools.default).toContain('label "team" does not have known values');
  });

  it.each<[string, Parameters<typeof pool>[1], string | undefined]>([
    ["is given by the template's labels", { labels: { team: "a" } }, "a"],
    ["of another value is not the one", { labels: { team: "b" } }, undefined],
    ["is given by a requirement In", { requirements: [req("team", "In", "a", "b")] }, "a"],
    [
      "is given by a requirement Exists, with the value that the pod asks for",
      { requirements: [req("team", "Exists")] },
      "a",
    ],
    ["is not given by a requirement NotIn", { requirements: [req("team", "NotIn", "a")] }, undefined],
    ["is not given by a requirement DoesNotExist", { requirements: [req("team", "DoesNotExist")] }, undefined],
  ])("4: %s", (_, over, value) => {
    const { claims } = plan({ nodePools: [pool("default", over)], pods: [pod("p", { nodeSelector: { team: "a" } })] });
    expect(claims[0]?.labels.team).toBe(value);
  });

  it("4: may be undefined where the catalog knows it", () => {
    const pods = [pod("p", { nodeSelector: { "karpenter.k8s.aws/instance-family": "b2" } })];
    expect(plan({ pods }).claims[0]?.instanceTypes).toEqual(["b2.medium", "b2.large"]);
  });
});

const condition = (requirements: RequirementSpec[]) =>
  poolConditions(pool("default", { requirements }), nodeClass(), {
    type: "Ready",
    status: "True",
    reason: "Ready",
    message: "",
  })
    .filter(({ type }) => type === "ValidationSucceeded" || type === "Ready")
    .map(({ type, status, reason }) => `${type} ${status} ${reason}`);
const invalid = ["ValidationSucceeded False NodePoolValidationFailed", "Ready False UnhealthyDependents"];
const valid = ["ValidationSucceeded True ValidationSucceeded", "Ready True Ready"];

describe("5 (core#2164): values that a well-known label cannot have", () => {
  const tenancy = "karpenter.k8s.aws/instance-tenancy";
  it.each<[string, RequirementSpec, string[]]>([
    ["all unknown", req(capacityType, "In", "ondemand"), invalid],
    ["several, all unknown", req(capacityType, "In", "ondemand", "Spot"), invalid],
    ["some known: the unknown do no harm", req(capacityType, "In", "ondemand", "spot"), valid],
    ["all known", req(capacityType, "In", "on-demand", "spot", "reserved"), valid],
    ["unknown ones that are left out", req(capacityType, "NotIn", "ondemand"), valid],
    ["of the tenancy", req(tenancy, "In", "shared"), invalid],
    ["known ones of the tenancy", req(tenancy, "In", "dedicated"), valid],
    ["of a label whose list is open", req(instanceType, "In", "z9.huge"), valid],
  ])("5: %s", (_, requirement, expected) => {
    expect(condition([requirement])).toEqual(expected);
  });

  it("5: leave no node, and the verdict says what the types are sold as", () => {
    const nodePools = [pool("default", { requirements: [req(capacityType, "In", "ondemand")] })];
    expect(plan({ nodePools, pods: [pod("p")] }).unschedulable[0]?.nodePools.default).toContain(
      `are sold only as on-demand, spot; the NodePool has ${capacityType} In ["ondemand"]`,
    );
    const both = [pool("default", { requirements: [req(capacityType, "In", "ondemand", "spot")] })];
    expect(plan({ nodePools: both, pods: [pod("p")] }).claims[0]?.cheapest.capacityType).toBe("spot");
  });
});

describe("7 (core#2586): domains of labels", () => {
  const document = (labels: object, requirements: object[] = []) => ({
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name: "default" },
    spec: {
      template: {
        metadata: { labels },
        spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" }, requirements },
      },
    },
  });
  const open = [
    "node-restriction.kubernetes.io/x",
    "foo.k8s.io/x",
    "kops.k8s.io/x",
    "node.kubernetes.io/role",
    "example.com/x",
  ];
  const closed = [
    "karpenter.sh/x",
    "sub.karpenter.sh/x",
    "karpenter.k8s.aws/x",
    "sub.karpenter.k8s.aws/x",
    "kubernetes.io/hostname",
  ];

  it.each(open)("7: %s may be a label of the template, and of a requirement", (key) => {
    expect(toNodePool(document({ [key]: "y" })).labels).toEqual({ [key]: "y" });
    const read = toNodePool(document({}, [{ key, operator: "In", values: ["y"] }]));
    expect(read.requirements).toEqual([req(key, "In", "y")]);
    const { claims } = plan({
      nodePools: [pool("default", { labels: { [key]: "y" } })],
      pods: [pod("p", { nodeSelector: { [key]: "y" } })],
    });
    expect(claims[0]?.labels[key]).toBe("y");
  });

  it.each(closed)("7: %s may be neither", (key) => {
    expect(() => toNodePool(document({ [key]: "y" }))).toThrow("spec.template.metadata.labels");
    expect(() => toNodePool(document({}, [{ key, operator: "In", values: ["y"] }]))).toThrow("requirements[0].key");
  });

  it("7: the pool's own name is a label of the nodes already, and no label of the template", () => {
    expect(() => toNodePool(document({ "karpenter.sh/nodepool": "y" }))).toThrow("labels");
  });

  it.each(["karpenter.sh/capacity-type", "karpenter.k8s.aws/instance-cpu"])("7: %s is well known and open", (key) => {
    expect(toNodePool(document({}, [{ key, operator: "Exists" }])).requirements).toEqual([req(key, "Exists")]);
  });
});
