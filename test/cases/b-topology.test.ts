// Reports of people about where pods may be beside others, from Karpenter's public issues: what is right in each, as tests.
// Numbers are those of docs/compatibility.md; 10 stands with the volumes.
import { describe, expect, it } from "vitest";
import type {
  NodePool,
  Pod,
  ProvisioningPlan,
  RequirementSpec,
  Snapshot,
  TopologySpread,
} from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import {
  arch,
  asks,
  bound,
  capacityType,
  instanceType,
  joined,
  node,
  nodeClass,
  nowMs,
  pod,
  pods,
  pool,
  req,
  snapshot,
  taint,
  zone,
} from "../core/scheduling/fixtures.ts";

const host = "kubernetes.io/hostname";
const web = { labels: { app: "web" } };
const spread = (over: Partial<TopologySpread> = {}): TopologySpread => ({
  topologyKey: zone,
  maxSkew: 1,
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: { matchLabels: { app: "web" }, matchExpressions: [] },
  matchLabelKeys: [],
  nodeAffinityPolicy: "Honor",
  nodeTaintsPolicy: "Ignore",
  ...over,
});
const spreading = (count: number, over: Partial<TopologySpread> = {}, more: Partial<Pod> = {}) =>
  pods(count, { ...web, topologySpread: [spread(over)], ...more });
const zoned = (name: string, zones: string[], over: Partial<NodePool> = {}, more: RequirementSpec[] = []) =>
  pool(name, {
    requirements: [req(capacityType, "In", "on-demand"), req(arch, "In", "amd64"), req(zone, "In", ...zones), ...more],
    ...over,
  });
const plan = (over: Partial<Snapshot>) => planProvisioning(snapshot(over));

/** Pods by the value of a label of their new nodes, `z-a 2, z-b 1`; `there` for those on nodes that are there. */
function where({ claims, placements, unschedulable }: ProvisioningPlan, key = zone): string {
  const counts = new Map<string, number>();
  const add = (name: string, count: number) => counts.set(name, (counts.get(name) ?? 0) + count);
  for (const claim of claims) {
    const [only, ...others] = claim.requirements.find((one) => one.key === key)?.values ?? [];
    add(only === undefined || others.length > 0 ? "open" : only, claim.pods.length);
  }
  for (const placement of placements) add("there", placement.pods.length);
  if (unschedulable.length > 0) add("nowhere", unschedulable.length);
  return [...counts]
    .map(([name, count]) => `${name} ${count}`)
    .sort()
    .join(", ");
}
const inZone = (name: string, at: string, over: Parameters<typeof node>[1] = {}) =>
  node(name, { labels: { ...node(name).labels, [zone]: at }, ...over });

describe("10 (core#2785): pools that have no node yet", () => {
  const tainted = zoned("tainted", ["z-c"], { taints: [taint("x")] });
  const plain = zoned("plain", ["z-a", "z-b"]);
  it.each<[string, Partial<TopologySpread>, Partial<Pod>, string]>([
    [
      "give their domains to pods that tolerate their taints",
      {},
      { tolerations: [{ operator: "Exists" }] },
      "z-a 2, z-b 2, z-c 2",
    ],
    [
      "also where taints are honoured",
      { nodeTaintsPolicy: "Honor" },
      { tolerations: [{ operator: "Exists" }] },
      "z-a 2, z-b 2, z-c 2",
    ],
    ["and none to the others", { nodeTaintsPolicy: "Honor" }, {}, "z-a 3, z-b 3"],
    [
      "so that minDomains is met by them",
      { minDomains: 3 },
      { tolerations: [{ operator: "Exists" }] },
      "z-a 2, z-b 2, z-c 2",
    ],
  ])("10: %s", (_, over, more, expected) => {
    expect(where(plan({ nodePools: [plain, tainted], pods: spreading(6, over, more) }))).toBe(expected);
  });
});

describe("11 (core#1306): zones that no pool uses", () => {
  const b = zoned("b", ["z-b"]);
  const c = zoned("c", ["z-c"]);
  it.each<[string, Partial<Snapshot>, string]>([
    ["are no domains: four replicas over two pools", { nodePools: [b, c], pods: spreading(4) }, "z-b 2, z-c 2"],
    [
      "nor for one pool that is in two of three",
      { nodePools: [zoned("d", ["z-b", "z-c"])], pods: spreading(4) },
      "z-b 2, z-c 2",
    ],
    ["nor where the class has no subnet", { nodeClasses: [classIn("z-b", "z-c")], pods: spreading(4) }, "z-b 2, z-c 2"],
    [
      "nor where the types that the pods need are not sold",
      { pods: spreading(4, {}, { requests: asks(1, 1, { "nvidia.com/gpu": 4 }) }) },
      "z-b 2, z-c 2",
    ],
    [
      "nor where the pods' own affinity keeps them out",
      { pods: spreading(4, {}, { nodeSelector: { [zone]: "z-b" } }) },
      "z-b 4",
    ],
    [
      "but are where that affinity is to be ignored",
      { pods: spreading(4, { nodeAffinityPolicy: "Ignore" }, { nodeSelector: { [zone]: "z-b" } }) },
      "nowhere 3, z-b 1",
    ],
    [
      "and are where a node of another kind stands",
      { nodePools: [b, c], nodes: [inZone("n1", "z-a", { cordoned: true })], pods: spreading(4) },
      "nowhere 2, z-b 1, z-c 1",
    ],
  ])("11: %s", (_, given, expected) => {
    expect(where(plan(given))).toBe(expected);
  });
});

function classIn(...zones: string[]) {
  return nodeClass({
    resolved: { ...nodeClass().resolved, subnets: zones.map((name) => ({ id: `subnet-${name}`, zone: name })) },
  });
}

describe("13 (aws#8637): a pool that names an impossible zone", () => {
  const anyway = { whenUnsatisfiable: "ScheduleAnyway" as const };
  it.each<[string, NodePool]>([
    ["without a subnet there", zoned("odd", ["z-x"])],
    ["for types that do not exist", zoned("odd", ["z-x"], {}, [req(instanceType, "In", "z9.huge")])],
    ["of a heavier weight", zoned("odd", ["z-x"], { weight: 90 })],
    ["beside possible ones", zoned("odd", ["z-a", "z-x"], { weight: 90 })],
  ])("13: %s does not end the wish to be spread", (_, odd) => {
    const nodePools = [odd, zoned("even", ["z-a", "z-b", "z-c"])];
    expect(where(plan({ nodePools, pods: spreading(6, anyway) }))).toBe("z-a 2, z-b 2, z-c 2");
    expect(where(plan({ nodePools, pods: spreading(6) }))).toBe("z-a 2, z-b 2, z-c 2");
  });

  it("13: the wish is given up where it cannot be granted, the pods are placed", () => {
    const nodePools = [zoned("one", ["z-a"])];
    const stuck = { nodes: [inZone("n1", "z-b", { cordoned: true })], nodePools };
    expect(where(plan({ ...stuck, pods: spreading(4, anyway) }))).toBe("z-a 4");
    expect(where(plan({ ...stuck, pods: spreading(4) }))).toBe("nowhere 3, z-a 1");
  });
});

describe("14 (core#2257): two zones and minDomains 2", () => {
  const two = [zoned("two", ["z-a", "z-b"])];
  const both = (minDomains: number) => [
    spread({ minDomains, matchLabelKeys: ["controller-revision-hash"] }),
    spread({ topologyKey: host, matchLabelKeys: ["controller-revision-hash"] }),
  ];
  const labels = { app: "web", "controller-revision-hash": "r1" };
  const running = (count: number) => {
    const nodes = ["z-a", "z-b"].slice(0, count).map((at, i) => inZone(`n${i}`, at));
    const on = nodes.map(({ name }) => bound(`p-${name}`, name, { labels, topologySpread: both(2) }));
    return { nodes, claims: nodes.map((one) => joined(one)), on };
  };
  const third = (minDomains: number, over: Partial<Pod> = {}) =>
    pod("third", { labels, topologySpread: both(minDomains), ...over });

  it("14: the third pod gets a new node in either zone: as there are two domains, the emptiest has one", () => {
    const { nodes, claims, on } = running(2);
    const {
      claims: fresh,
      placements,
      unschedulable,
    } = plan({ nodePools: two, nodes, claims, pods: [...on, third(2)] });
    expect([fresh.map(({ pods: its }) => its), placements, unschedulable]).toEqual([[["default/third"]], [], []]);
  });

  it.each<[string, number, string]>([
    ["all three at once", 2, "z-a 2, z-b 1"],
    ["where more domains are wanted than there are, the emptiest counts 0", 3, "nowhere 1, z-a 1, z-b 1"],
    ["one is less than two", 1, "z-a 2, z-b 1"],
  ])("14: %s", (_, minDomains, expected) => {
    const given = pods(3, { labels, topologySpread: both(minDomains) });
    expect(where(plan({ nodePools: two, pods: given }))).toBe(expected);
  });

  it("14: pods of another revision do not count", () => {
    const { nodes, claims, on } = running(2);
    const older = on.map((one) => ({ ...one, labels: { ...labels, "controller-revision-hash": "r0" } }));
    const { placements } = plan({ nodePools: two, nodes, claims, pods: [...older, third(3)] });
    expect(placements).toHaveLength(1);
  });
});

describe("16 (core#642): pods that do not count", () => {
  const there = inZone("n1", "z-a");
  const given = (old: Pod, count: number): Partial<Snapshot> => ({
    nodes: [there],
    claims: [joined(there)],
    pods: [old, ...spreading(count, {}, { requests: asks(3.5, 1) })],
  });
  it.each<[string, Partial<Pod>, string]>([
    ["one that runs does: its zone has its share", {}, "z-b 1, z-c 1"],
    ["on a node that is gone", { nodeName: "gone" }, "there 1, z-b 1"],
    ["one that is being deleted", { deletionAtMs: nowMs + 5_000 }, "there 1, z-b 1"],
    ["one that has succeeded", { phase: "Succeeded" }, "there 1, z-b 1"],
    ["one that has failed", { phase: "Failed" }, "there 1, z-b 1"],
    ["of another namespace", { namespace: "other" }, "there 1, z-b 1"],
  ])("16: %s", (_, over, expected) => {
    const old = bound("old", "n1", { ...web, requests: asks(0.1, 0.1), ...over });
    expect(where(plan(given(old, 2)))).toBe(expected);
  });

  it("16: nor do those of a node whose claim is gone, which EC2 has taken back", () => {
    const lost = { ...joined(there), goneAtMs: nowMs - 1 };
    const old = bound("old", "n1", { ...web, requests: asks(0.1, 0.1) });
    const { claims } = plan({ ...given(old, 3), nodes: [], claims: [lost] });
    expect(claims.map(({ labels }) => labels[zone]).sort()).toEqual(["z-a", "z-b", "z-c"]);
  });
});

describe("17 (core#2182): what a pod merely prefers of nodes", () => {
  const prefers = (at: string) => ({
    preferredNodeAffinity: [{ weight: 100, term: { expressions: [req(zone, "In", at)], fields: [] } }],
  });
  it.each<[string, Partial<TopologySpread>, Partial<Pod>, string]>([
    ["does not narrow the domains of a zone spread", {}, prefers("z-a"), "z-a 2, z-b 2, z-c 2"],
    ["nor one that nobody sells", {}, prefers("z-x"), "z-a 2, z-b 2, z-c 2"],
    [
      "what it requires does",
      {},
      { requiredNodeAffinity: [{ expressions: [req(zone, "In", "z-a", "z-b")], fields: [] }] },
      "z-a 3, z-b 3",
    ],
    ["so does its selector", {}, { nodeSelector: { [zone]: "z-c" } }, "z-c 6"],
  ])("17: %s", (_, over, more, expected) => {
    expect(where(plan({ pods: spreading(6, over, more) }))).toBe(expected);
  });

  it("17: nor of a spread over hosts", () => {
    const { claims } = plan({ pods: spreading(4, { topologyKey: host }, prefers("z-a")) });
    expect(claims.map(({ pods: on }) => on.length)).toEqual([1, 1, 1, 1]);
    expect(claims.every(({ labels }) => labels[zone] === "z-a")).toBe(true);
  });
});

describe("19 (aws#5120): wishes", () => {
  const anyway = { whenUnsatisfiable: "ScheduleAnyway" as const };
  const ignoring = { settings: { ...snapshot().settings, preferencePolicy: "Ignore" as const } };
  it("19: are granted as long as they can be, unless they are to be ignored", () => {
    expect(where(plan({ pods: spreading(3, anyway) }))).toBe("z-a 1, z-b 1, z-c 1");
    expect(where(plan({ ...ignoring, pods: spreading(3, anyway) }))).toBe("open 3");
  });

  it("19: do not keep a pod from a node that is there where no other is to be had", () => {
    const one = inZone("n1", "z-a");
    const given = { nodes: [one], claims: [joined(one)], nodePools: [], pods: spreading(3, anyway) };
    expect(where(plan(given))).toBe("there 3");
  });
});
