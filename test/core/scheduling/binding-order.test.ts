// kube-scheduler asks a pod's rules again when it binds the pod, of the pods that are bound by then and the nodes that are
// there by then. Plans whose pods could be bound in no order, or only next to nodes that the plan did not reckon with.
import { describe, expect, it } from "vitest";
import type { Pod, PodAffinityTerm, Snapshot, TopologySpread } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  asks,
  bound,
  capacityType,
  claim,
  gi,
  joined,
  node,
  pod,
  pods,
  pool,
  req,
  snapshot,
  taint,
  zone,
} from "./fixtures.ts";

const host = "kubernetes.io/hostname";
const small = asks(0.1, 0.1);
const of = (app: string) => ({ matchLabels: { app }, matchExpressions: [] });
const near = (app: string, topologyKey = zone): PodAffinityTerm => ({
  topologyKey,
  labelSelector: of(app),
  namespaces: [],
  matchLabelKeys: [],
  mismatchLabelKeys: [],
});
const spread = (app: string, over: Partial<TopologySpread> = {}): TopologySpread => ({
  topologyKey: zone,
  maxSkew: 1,
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: of(app),
  matchLabelKeys: [],
  nodeAffinityPolicy: "Honor",
  nodeTaintsPolicy: "Ignore",
  ...over,
});
const inZone = (...zones: string[]) => req(zone, "In", ...zones);
const onDemand = req(capacityType, "In", "on-demand");

/** Pods by zone (or another label) of their new nodes, or by the node that is there; those without a place under "nowhere". */
function places(world: Partial<Snapshot>, key = zone): Record<string, string> {
  const { claims, placements, unschedulable } = planProvisioning(snapshot(world));
  const found: Record<string, string[]> = {};
  const put = (where: string, names: readonly string[]) => {
    if (names.length > 0) found[where] = [...(found[where] ?? []), ...names];
  };
  for (const { requirements, pods: on } of claims) {
    const values = requirements.find((one) => one.key === key && one.operator === "In")?.values ?? [];
    put(values.length === 1 ? values[0]! : "open", on);
  }
  for (const { target, pods: on } of placements) put(target, on);
  put(
    "nowhere",
    unschedulable.map((one) => one.pod),
  );
  return Object.fromEntries(
    Object.entries(found).map(([where, names]) => [
      where,
      names
        .map((name) => name.replace("default/", ""))
        .sort()
        .join(" "),
    ]),
  );
}

const a = (name: string, over: Partial<Pod> = {}) => pod(name, { labels: { app: "a" }, requests: small, ...over });
const c = (name: string, over: Partial<Pod> = {}) => pod(name, { labels: { app: "c" }, requests: small, ...over });

describe("pods that want company", () => {
  it.each<[string, Pod[], Record<string, string>]>([
    [
      "have no place where they have only each other",
      [a("a", { requiredPodAffinity: [near("c")] }), c("c", { requiredPodAffinity: [near("a", host)] })],
      { nowhere: "a c" },
    ],
    [
      "have one if somebody is there who waits for nobody",
      [
        a("a", { requiredPodAffinity: [near("c")] }),
        c("c", { requiredPodAffinity: [near("a", host)] }),
        a("x", { nodeSelector: { [zone]: "z-c" } }),
      ],
      { "z-c": "a c x" },
    ],
    [
      "do not count on those of another zone who count on them",
      [
        a("a", { requiredPodAffinity: [near("c")], nodeSelector: { [zone]: "z-b" } }),
        ...[0, 1].map((n) => c(`c${n}`, { requiredPodAffinity: [near("a", host)] })),
        a("x", { nodeSelector: { [zone]: "z-a" } }),
      ],
      { nowhere: "a", "z-a": "c0 c1 x" },
    ],
  ])("%s", (_, all, expected) => {
    expect(places({ pods: all })).toEqual(expected);
  });

  it("are not the first of their kind over one label where they have their like over another", () => {
    const n1 = node("n1");
    const world = (labels: Record<string, string>): Partial<Snapshot> => ({
      nodes: [{ ...n1, labels: { ...n1.labels, ...labels } }],
      claims: [joined(n1)],
      nodePools: [pool("default", { requirements: [onDemand, req("team", "In", "t1")] })],
      pods: [
        bound("there", "n1", { labels: { app: "a" }, requests: asks(3.9, 1) }),
        a("a", { requiredPodAffinity: [near("a"), near("a", "team")] }),
      ],
    });
    expect(places(world({}))).toEqual({ nowhere: "a" });
    expect(places(world({ team: "t1" }))).toEqual({ "claim-n1": "a" });
  });

  it("are not the first of their kind because they matter more than their like who wait for nobody", () => {
    const n1 = node("n1");
    const world: Partial<Snapshot> = {
      nodes: [n1],
      claims: [joined(n1)],
      nodePools: [pool("default", { requirements: [onDemand, inZone("z-b")] })],
      pods: [
        a("one", { priority: 100, requests: asks(5, 1), requiredPodAffinity: [near("a")] }),
        a("two", { nodeSelector: { [zone]: "z-a" } }),
      ],
    };
    expect(places(world)).toEqual({ "claim-n1": "two", nowhere: "one" });
  });
});

describe("the domains of a spread", () => {
  const gpu = { requests: asks(9, 1, { "nvidia.com/gpu": 2 }) };

  it("are also those that only other pods' nodes are in", () => {
    const spreading = pods(4, { labels: { app: "c" }, ...gpu, topologySpread: [spread("c")] });
    expect(places({ pods: spreading })).toEqual({ "z-b": "p-000 p-001", "z-c": "p-002 p-003" });
    const other = pod("x", { requests: small, nodeSelector: { [zone]: "z-a" } });
    expect(places({ pods: [...spreading, other] })).toEqual({
      nowhere: "p-002 p-003",
      "z-a": "x",
      "z-b": "p-000",
      "z-c": "p-001",
    });
  });

  it.each<[TopologySpread["nodeTaintsPolicy"], string]>([
    ["Ignore", "p-002 p-003"],
    ["Honor", ""],
  ])("are not those of nodes that its taints policy leaves out: %s", (nodeTaintsPolicy, nowhere) => {
    const pools = [
      pool("plain", { requirements: [onDemand, inZone("z-b", "z-c")] }),
      pool("tainted", { requirements: [onDemand, inZone("z-a")], taints: [taint("x")] }),
    ];
    const spreading = pods(4, {
      labels: { app: "c" },
      requests: small,
      topologySpread: [spread("c", { nodeTaintsPolicy })],
    });
    const other = pod("x", { requests: small, tolerations: [{ operator: "Exists" }], nodeSelector: { [zone]: "z-a" } });
    expect(places({ nodePools: pools, pods: [...spreading, other] }).nowhere ?? "").toBe(nowhere);
  });

  it("are also ways of buying that only other pods' nodes are bought in", () => {
    const both = [pool("default", { requirements: [req(capacityType, "In", "on-demand", "spot")] })];
    const even = spread("c", { topologyKey: capacityType, nodeAffinityPolicy: "Ignore" });
    const spreading = pods(3, { labels: { app: "c" }, ...gpu, topologySpread: [even] });
    expect(places({ nodePools: both, pods: spreading }, capacityType)).toEqual({ "on-demand": "p-000 p-001 p-002" });
    const spot = c("x", { nodeSelector: { [capacityType]: "spot" } });
    expect(places({ nodePools: both, pods: [...spreading, spot] }, capacityType)).toEqual({
      nowhere: "p-002",
      "on-demand": "p-000 p-001",
      spot: "x",
    });
  });

  it.each<[string, Record<string, string>]>([
    ["on-demand", { "z-a": "b0 b1", "z-b": "c x", "z-c": "b2" }],
    ["spot", { nowhere: "b2", "z-a": "b0", "z-b": "c x", "z-c": "b1" }],
  ])("hold only pods of nodes that its affinity policy lets it look at: %s", (boughtAs, expected) => {
    const owner = {
      labels: { app: "b" },
      requests: small,
      nodeSelector: { [capacityType]: "on-demand" },
      requiredPodAntiAffinity: [near("c")],
      topologySpread: [spread("b")],
    };
    const world: Partial<Snapshot> = {
      nodePools: [pool("default", { requirements: [req(capacityType, "In", "on-demand", "spot")] })],
      pods: [
        ...[0, 1, 2].map((n) => pod(`b${n}`, owner)),
        c("c", { nodeSelector: { [zone]: "z-b" } }),
        pod("x", {
          labels: { app: "b" },
          requests: small,
          nodeSelector: { [zone]: "z-b", [capacityType]: boughtAs },
        }),
      ],
    };
    expect(places(world)).toEqual(expected);
  });

  it("are counted on nodes with all the labels that the pod is spread over", () => {
    const n1 = node("n1");
    const even = [capacityType, "team"].map((topologyKey) => spread("c", { topologyKey }));
    const world = (labels: Record<string, string>): Partial<Snapshot> => ({
      nodes: [{ ...n1, labels: { ...n1.labels, ...labels } }],
      claims: [joined(n1)],
      nodePools: [
        pool("default", { requirements: [req(capacityType, "In", "on-demand", "spot"), req("team", "In", "t1")] }),
      ],
      pods: [
        bound("there", "n1", { labels: { app: "c" }, requests: asks(3.9, 1) }),
        ...pods(2, { labels: { app: "c" }, requests: small, topologySpread: even }),
      ],
    });
    expect(places(world({ team: "t1" }), capacityType)).toEqual({ spot: "p-000 p-001" });
    expect(places(world({}), capacityType)).toEqual({ "on-demand": "p-000", spot: "p-001" });
  });

  it("are also those that claims in flight are coming to, whatever is put on them", () => {
    const coming = claim("c1", {
      requirements: [onDemand, req("karpenter.sh/nodepool", "In", "default"), inZone("z-b")],
      instanceTypes: ["a1.large"],
      requests: { cpu: 4_000, memory: gi, pods: 1 },
    });
    const spreading = pods(4, { labels: { app: "c" }, requests: asks(6, 1), topologySpread: [spread("c")] });
    const world: Partial<Snapshot> = {
      nodePools: [pool("default", { requirements: [onDemand, inZone("z-a", "z-c")] })],
      claims: [coming],
      pods: [...spreading, ...pods(3, { requests: asks(3, 1) }, "x")],
    };
    expect(places(world)).toMatchObject({ c1: "p-002" });
  });
});
