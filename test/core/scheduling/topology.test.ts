import { describe, expect, it } from "vitest";
import type {
  HostPort,
  NodeSelectorTerm,
  Pod,
  PodAffinityTerm,
  ProvisioningPlan,
  Snapshot,
  TopologySpread,
} from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  asks,
  bound,
  capacityType,
  daemonSet,
  joined,
  node,
  nowMs,
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
const web = { labels: { app: "web" }, requests: small };
const selector = (app: string) => ({ matchLabels: { app }, matchExpressions: [] });

const spread = (over: Partial<TopologySpread> = {}): TopologySpread => ({
  topologyKey: zone,
  maxSkew: 1,
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: selector("web"),
  matchLabelKeys: [],
  nodeAffinityPolicy: "Honor",
  nodeTaintsPolicy: "Ignore",
  ...over,
});
const term = (over: Partial<PodAffinityTerm> = {}): PodAffinityTerm => ({
  topologyKey: zone,
  labelSelector: selector("web"),
  namespaces: [],
  matchLabelKeys: [],
  mismatchLabelKeys: [],
  ...over,
});
const wish = <T>(of: T, weight = 1) => ({ weight, term: of });
const inZone = (...zones: string[]): NodeSelectorTerm => ({ expressions: [req(zone, "In", ...zones)], fields: [] });

const plan = (given: Partial<Snapshot>): ProvisioningPlan => planProvisioning(snapshot(given));

/** The value that a label of a new node must have. */
function labelOf({ requirements }: ProvisioningPlan["claims"][number], key: string): string {
  const values = requirements.filter((one) => one.key === key && one.operator === "In").flatMap(({ values: v }) => v);
  return values.length === 1 ? values[0]! : "open";
}

/** Pods by the value of a label of their new nodes, as `z-a 2, z-b 1`; those on nodes that are there by target. */
function where({ claims, placements, unschedulable }: ProvisioningPlan, key = zone): string {
  const counts = new Map<string, number>();
  const add = (name: string, count: number) => counts.set(name, (counts.get(name) ?? 0) + count);
  for (const claim of claims) add(labelOf(claim, key), claim.pods.length);
  for (const { target, pods: on } of placements) add(target, on.length);
  if (unschedulable.length > 0) add("nowhere", unschedulable.length);
  return [...counts]
    .map(([name, count]) => `${name} ${count}`)
    .sort()
    .join(", ");
}

/** How many pods each new node gets, ascending. */
const perNode = ({ claims }: ProvisioningPlan): number[] =>
  claims.map(({ pods: on }) => on.length).sort((a, b) => a - b);

/** A managed node of a zone with pods on it. */
function there(name: string, where: string, on: Partial<Pod>[], labels: Record<string, string> = {}) {
  const one = node(name, { labels: { ...node(name).labels, [zone]: where, ...labels } });
  return {
    node: one,
    claim: joined(one),
    pods: on.map((over, i) => bound(`${name}-${i}`, name, { requests: small, ...over })),
  };
}
function having(...all: ReturnType<typeof there>[]): Pick<Snapshot, "nodes" | "claims" | "pods"> {
  return {
    nodes: all.map((one) => one.node),
    claims: all.map((one) => one.claim),
    pods: all.flatMap((one) => one.pods),
  };
}

describe("spread over zones", () => {
  const spreading = (count: number, over: Partial<TopologySpread> = {}, more: Partial<Pod> = {}) =>
    pods(count, { ...web, topologySpread: [spread(over)], ...more });

  it("is even", () => {
    expect(where(plan({ pods: spreading(7) }))).toBe("z-a 3, z-b 2, z-c 2");
    expect(where(plan({ pods: spreading(1) }))).toBe("z-a 1");
  });

  it("uses only zones that pools and offerings make (core#1306, core#2623)", () => {
    const two = [
      pool("default", { requirements: [...pool("x").requirements, req(zone, "In", "z-b", "z-c", "z-nowhere")] }),
    ];
    expect(where(plan({ pods: spreading(4), nodePools: two }))).toBe("z-b 2, z-c 2");
    const gpu = { requests: asks(9, 1, { "nvidia.com/gpu": 2 }) };
    expect(where(plan({ pods: spreading(4, {}, gpu) }))).toBe("z-b 2, z-c 2");
  });

  it("counts the pods that run", () => {
    const full = having(there("n1", "z-a", [web, web]), there("n2", "z-b", [{ ...web, requests: asks(3.9, 1) }]));
    expect(where(plan({ ...full, pods: [...full.pods, ...spreading(2, {}, { requests: asks(4, 1) })] }))).toBe(
      "z-b 1, z-c 1",
    );
  });

  it.each<[string, Partial<Pod>]>([
    ["that are over", { phase: "Succeeded" }],
    ["that are ending", { deletionAtMs: nowMs + 1 }],
    ["of other labels", { labels: { app: "other" } }],
    ["of another namespace", { namespace: "other" }],
    ["of a node that is gone (core#642)", { nodeName: "gone" }],
  ])("does not count pods %s", (_, over) => {
    const some = having(
      there(
        "n1",
        "z-a",
        [web, web].map((one) => ({ ...one, ...over })),
      ),
    );
    const pending = spreading(1, { nodeAffinityPolicy: "Ignore" }, { nodeSelector: { [zone]: "z-a" } });
    const run = (on: Partial<Snapshot>) => plan({ ...on, pods: [...(on.pods ?? []), ...pending] }).unschedulable.length;
    expect(run(some)).toBe(0);
    expect(run(having(there("n1", "z-a", [web, web])))).toBe(1);
  });

  it("stops where the skew would be too large", () => {
    const only = { nodeSelector: { [zone]: "z-a" } };
    // By policy, domains are those that the selector leaves: one zone alone is never uneven.
    expect(where(plan({ pods: spreading(3, {}, only) }))).toBe("z-a 3");
    expect(where(plan({ pods: spreading(3, { nodeAffinityPolicy: "Ignore" }, only) }))).toBe("nowhere 2, z-a 1");
    expect(where(plan({ pods: spreading(3, { nodeAffinityPolicy: "Ignore", maxSkew: 2 }, only) }))).toBe(
      "nowhere 1, z-a 2",
    );
  });

  it("says which zones there are, and why none takes another", () => {
    const [verdict] = plan({
      pods: spreading(2, { nodeAffinityPolicy: "Ignore" }, { nodeSelector: { [zone]: "z-a" } }),
    }).unschedulable;
    expect(verdict!.reason).toBe(
      "no topology.kubernetes.io/zone takes it: z-a: 1 pods where the emptiest has 0 (maxSkew 1)",
    );
  });

  it("wants as many domains as minDomains says, or counts the emptiest as 0 (core#2257)", () => {
    const two = [pool("default", { requirements: [...pool("x").requirements, req(zone, "In", "z-a", "z-b")] })];
    expect(where(plan({ nodePools: two, pods: spreading(4, { minDomains: 2 }) }))).toBe("z-a 2, z-b 2");
    expect(where(plan({ nodePools: two, pods: spreading(4, { minDomains: 3 }) }))).toBe("nowhere 2, z-a 1, z-b 1");
  });

  it("tells revisions apart by matchLabelKeys", () => {
    const old = having(there("n1", "z-a", [{ labels: { app: "web", rev: "1" } }]));
    const fresh = spreading(
      3,
      { matchLabelKeys: ["rev"] },
      { labels: { app: "web", rev: "2" }, requests: asks(3.5, 1) },
    );
    expect(where(plan({ ...old, pods: [...old.pods, ...fresh] }))).toBe("claim-n1 1, z-b 1, z-c 1");
  });

  it("counts tainted nodes or not, as the policy says", () => {
    const one = there("n1", "z-c", []);
    const tainted = { ...having({ ...one, node: { ...one.node, taints: [taint("x")] } }) };
    const two = [pool("default", { requirements: [...pool("x").requirements, req(zone, "In", "z-a", "z-b")] })];
    const pending = (over: Partial<TopologySpread>) => plan({ ...tainted, nodePools: two, pods: spreading(4, over) });
    expect(where(pending({ nodeTaintsPolicy: "Honor" }))).toBe("z-a 2, z-b 2");
    expect(where(pending({ nodeTaintsPolicy: "Ignore" }))).toBe("nowhere 2, z-a 1, z-b 1");
  });

  it("keeps in step pods that only count for others' spread", () => {
    const counted = pods(6, web, "c");
    const owners = pods(3, { labels: { app: "other" }, requests: small, topologySpread: [spread()] }, "o");
    const result = plan({ pods: [...counted, ...owners] });
    expect(
      where({ ...result, claims: result.claims.map((c) => ({ ...c, pods: c.pods.filter((p) => p.includes("/c-")) })) }),
    ).toBe("z-a 2, z-b 2, z-c 2");
  });

  it("goes over capacity types and labels of one's own too", () => {
    const both = [
      pool("default", { requirements: [req(capacityType, "In", "on-demand", "spot"), req("rack", "In", "r1", "r2")] }),
    ];
    expect(where(plan({ nodePools: both, pods: spreading(4, { topologyKey: capacityType }) }), capacityType)).toBe(
      "on-demand 2, spot 2",
    );
    expect(where(plan({ nodePools: both, pods: spreading(4, { topologyKey: "rack" }) }), "rack")).toBe("r1 2, r2 2");
    const result = plan({ nodePools: both, pods: spreading(4, { topologyKey: "row" }) });
    expect(result.unschedulable[0]!.reason).toContain("no node that it may use has the label row");
  });

  it("makes up for a zone that turns out to be full", () => {
    const limited = [
      pool("default", { requirements: [...pool("x").requirements, req(zone, "In", "z-a", "z-b")] }),
      pool("rest", { requirements: [...pool("x").requirements, req(zone, "In", "z-c")], limits: { nodes: 1 } }),
    ];
    const result = plan({ nodePools: limited, pods: spreading(9, {}, { requests: asks(16, 1) }) });
    expect(where(result)).toBe("nowhere 1, z-a 3, z-b 3, z-c 2");
  });
});

describe("spread over hosts", () => {
  it.each([
    [1, [1, 1, 1, 1]],
    [2, [2, 2]],
  ])("puts at most maxSkew %i on a node", (maxSkew, expected) => {
    expect(
      perNode(plan({ pods: pods(4, { ...web, topologySpread: [spread({ topologyKey: host, maxSkew })] }) })),
    ).toEqual(expected);
  });

  it("does not fill nodes that have their share", () => {
    const one = having(there("n1", "z-a", [web]), there("n2", "z-a", []));
    const result = plan({
      ...one,
      pods: [...one.pods, ...pods(2, { ...web, topologySpread: [spread({ topologyKey: host })] })],
    });
    expect(where(result)).toBe("claim-n2 1, open 1");
  });

  it("goes together with a spread over zones", () => {
    const both = [spread(), spread({ topologyKey: host })];
    const result = plan({ pods: pods(6, { ...web, topologySpread: both }) });
    expect([where(result), perNode(result)]).toEqual(["z-a 2, z-b 2, z-c 2", [1, 1, 1, 1, 1, 1]]);
  });
});

describe("pods that want to be near others", () => {
  const near = (over: Partial<PodAffinityTerm> = {}) => ({ requests: small, requiredPodAffinity: [term(over)] });

  it("follow those that run", () => {
    const one = having(there("n1", "z-b", [{ ...web, requests: asks(3.9, 1) }]));
    expect(where(plan({ ...one, pods: [...one.pods, pod("a", { ...near(), requests: asks(4, 1) })] }))).toBe("z-b 1");
  });

  it("follow those that are planned with them", () => {
    const result = plan({ pods: [pod("w", { ...web, nodeSelector: { [zone]: "z-c" } }), ...pods(3, near())] });
    expect(where(result)).toBe("z-c 4");
  });

  it("all go where the first of them goes", () => {
    expect(where(plan({ pods: pods(5, { ...near(), ...web, requests: asks(12, 1) }) }))).toBe("z-a 5");
    expect(perNode(plan({ pods: pods(3, { ...near({ topologyKey: host }), ...web }) }))).toEqual([3]);
  });

  it("wait where there is nobody", () => {
    const result = plan({ pods: [pod("a", near())] });
    expect(result.unschedulable[0]!.reason).toContain("z-a: none of the pods that it wants to be near");
  });

  it("do not follow pods of other namespaces, unless they say so", () => {
    const other = having(there("n1", "z-b", [{ ...web, namespace: "other" }]));
    const run = (over: Partial<PodAffinityTerm>) =>
      where(
        plan({
          ...other,
          namespaces: [{ name: "other", labels: { team: "x" } }],
          pods: [...other.pods, pod("a", near(over))],
        }),
      );
    expect(run({})).toBe("nowhere 1");
    expect(run({ namespaces: ["other"] })).toBe("claim-n1 1");
    expect(run({ namespaceSelector: { matchLabels: { team: "x" }, matchExpressions: [] } })).toBe("claim-n1 1");
    expect(run({ namespaceSelector: { matchLabels: {}, matchExpressions: [] } })).toBe("claim-n1 1");
    expect(run({ namespaceSelector: { matchLabels: { team: "y" }, matchExpressions: [] } })).toBe("nowhere 1");
  });

  it("on one host fill the node that has them", () => {
    const two = having(there("n1", "z-a", []), there("n2", "z-a", [web]));
    expect(where(plan({ ...two, pods: [...two.pods, ...pods(3, near({ topologyKey: host }))] }))).toBe("claim-n2 3");
  });
});

describe("pods that want to be far from others", () => {
  const far = (over: Partial<PodAffinityTerm> = {}) => ({ requests: small, requiredPodAntiAffinity: [term(over)] });

  it("get a zone each, as long as there are some", () => {
    expect(where(plan({ pods: pods(4, { ...web, ...far() }) }))).toBe("nowhere 1, z-a 1, z-b 1, z-c 1");
  });

  it("get a node each", () => {
    expect(perNode(plan({ pods: pods(4, { ...web, ...far({ topologyKey: host }) }) }))).toEqual([1, 1, 1, 1]);
  });

  it("leave room beside them for others", () => {
    const result = plan({
      pods: [...pods(2, { ...web, ...far({ topologyKey: host }) }, "w"), ...pods(2, { requests: small }, "x")],
    });
    expect(perNode(result).reduce((a, b) => a + b)).toBe(4);
    expect(result.claims).toHaveLength(2);
  });

  it("keep off those that run, which keep off newcomers (also over wider domains)", () => {
    const running = having(there("n1", "z-a", [web]));
    expect(where(plan({ ...running, pods: [...running.pods, pod("a", far())] }))).toMatch(/^z-[bc] 1$/);
    const repelling = having(there("n1", "z-a", [far()]));
    expect(where(plan({ ...repelling, pods: [...repelling.pods, pod("a", web)] }))).toBe("open 1");
    const newcomer = plan({ ...repelling, pods: [...repelling.pods, pod("a", web)] }).claims[0]!;
    expect(newcomer.requirements.filter(({ key }) => key === zone)).toEqual([req(zone, "NotIn", "z-a")]);
  });

  it("bind only one way when it is a wish", () => {
    const wishing = having(there("n1", "z-a", [{ preferredPodAntiAffinity: [wish(term())] }]));
    expect(where(plan({ ...wishing, pods: [...wishing.pods, pod("a", web)] }))).toBe("claim-n1 1");
  });
});

describe("wishes", () => {
  it("are granted where they can be", () => {
    expect(where(plan({ pods: pods(2, { ...web, preferredNodeAffinity: [wish(inZone("z-c"))] }) }))).toBe("z-c 2");
    expect(
      perNode(plan({ pods: pods(3, { ...web, preferredPodAntiAffinity: [wish(term({ topologyKey: host }))] }) })),
    ).toEqual([1, 1, 1]);
    expect(
      where(plan({ pods: pods(3, { ...web, topologySpread: [spread({ whenUnsatisfiable: "ScheduleAnyway" })] }) })),
    ).toBe("z-a 1, z-b 1, z-c 1");
    const follow = [
      pod("w", { ...web, nodeSelector: { [zone]: "z-b" } }),
      pod("x", { requests: small, preferredPodAffinity: [wish(term())] }),
    ];
    expect(where(plan({ pods: follow }))).toBe("z-b 2");
  });

  it("give way one at a time, the heaviest of a kind first (core#49 of the relaxation order)", () => {
    const zones = [wish(inZone("z-nowhere"), 5), wish(inZone("z-b"), 1)];
    expect(where(plan({ pods: [pod("a", { ...web, preferredNodeAffinity: zones })] }))).toBe("z-b 1");
    const apart = pods(4, {
      ...web,
      preferredPodAntiAffinity: [wish(term(), 10), wish(term({ topologyKey: host }), 1)],
    });
    expect(perNode(plan({ pods: apart }))).toEqual([1, 1, 1, 1]);
  });

  it("count for nothing where they are ignored", () => {
    const settings = { ...snapshot().settings, preferencePolicy: "Ignore" as const };
    const apart = pods(3, { ...web, preferredPodAntiAffinity: [wish(term({ topologyKey: host }))] });
    expect(perNode(plan({ settings, pods: apart }))).toEqual([3]);
  });

  it("about nodes do not narrow a spread's domains (core#2182)", () => {
    const both = { ...web, preferredNodeAffinity: [wish(inZone("z-a"))], topologySpread: [spread()] };
    expect(where(plan({ pods: pods(3, both) }))).toBe("z-a 1, z-b 1, z-c 1");
  });
});

describe("host ports", () => {
  const port = (over: Partial<HostPort> = {}): HostPort => ({ hostIp: "", protocol: "TCP", port: 8080, ...over });

  it.each<[string, HostPort[], number[]]>([
    ["that are the same need a node each (core#3022)", [port(), port()], [1, 1]],
    ["of other protocols do not clash", [port(), port({ protocol: "UDP" })], [2]],
    ["of other numbers do not clash", [port(), port({ port: 81 })], [2]],
    ["on every address clash with those on one", [port(), port({ hostIp: "10.0.0.1" })], [1, 1]],
    ["on different addresses do not clash", [port({ hostIp: "10.0.0.2" }), port({ hostIp: "10.0.0.1" })], [2]],
    ["on every address clash, however that is written", [port(), port({ hostIp: "0.0.0.0" })], [1, 1]],
  ])("%s", (_, ports, expected) => {
    const all = ports.map((one, i) => pod(`p${i}`, { requests: small, hostPorts: [one] }));
    expect(perNode(plan({ pods: all }))).toEqual(expected);
  });

  it("that are taken on a node send a pod elsewhere", () => {
    const one = having(there("n1", "z-a", [{ hostPorts: [port()] }]));
    expect(where(plan({ ...one, pods: [...one.pods, pod("a", { requests: small, hostPorts: [port()] })] }))).toBe(
      "open 1",
    );
  });

  it("of a DaemonSet leave none for a pod on any node that it runs on (core#2102)", () => {
    const sets = [daemonSet("d", { hostPorts: [port()] })];
    const result = plan({ daemonSets: sets, pods: [pod("a", { requests: small, hostPorts: [port()] })] });
    expect([result.claims, result.unschedulable.length]).toEqual([[], 1]);
    const elsewhere = plan({
      daemonSets: [daemonSet("d", { hostPorts: [port()], nodeSelector: { x: "y" } })],
      pods: [pod("a", { hostPorts: [port()] })],
    });
    expect(elsewhere.claims).toHaveLength(1);
  });
});
