// Reports of people about pods on nodes that are there, on their way in or on their way out, from Karpenter's public issues:
// what is right in each, as tests. Numbers are those of docs/compatibility.md.
import { describe, expect, it } from "vitest";
import type {
  HostPort,
  Pod,
  PodAffinityTerm,
  PodDisruptionBudget,
  PodSpec,
  ProvisioningPlan,
  Snapshot,
} from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import {
  arch,
  asks,
  bound,
  capacityType,
  claim,
  daemonSet,
  instanceType,
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
} from "../core/scheduling/fixtures.ts";

const plan = (over: Partial<Snapshot>) => planProvisioning(snapshot(over));
const gpuCount = "karpenter.k8s.aws/instance-gpu-count";
const host = "kubernetes.io/hostname";
const types = (...names: string[]) => [pool("default", { requirements: [req(instanceType, "In", ...names)] })];
const cheapest = ({ claims }: ProvisioningPlan) => claims.map((one) => one.cheapest.instanceType);

describe("44 (core#3022, core#2102, core#2975): host ports", () => {
  const port = (over: Partial<HostPort> = {}): HostPort => ({
    hostIp: "0.0.0.0",
    protocol: "TCP",
    port: 8080,
    ...over,
  });
  const wanting = (name: string, over: Partial<HostPort> = {}, more: Partial<Pod> = {}) =>
    pod(name, { requests: asks(0.1, 0.1), hostPorts: [port(over)], ...more });
  const proxy = (over: Partial<PodSpec> = {}) =>
    daemonSet("proxy", { requests: asks(0.1, 0.1), hostPorts: [port()], ...over });

  it.each<[string, Partial<HostPort>, number]>([
    ["the same port: two claims in one batch", {}, 2],
    ["another port", { port: 8081 }, 1],
    ["another protocol", { protocol: "UDP" }, 1],
    ["the port on one address, the other wants it on all", { hostIp: "10.0.0.1" }, 2],
  ])("44: %s", (_, over, nodes) => {
    expect(plan({ pods: [wanting("a"), wanting("b", over)] }).claims).toHaveLength(nodes);
  });

  it("44: a claim in flight keeps the ports of its pods", () => {
    const given = {
      claims: [claim("c")],
      placements: [{ target: "c", pods: ["default/a"] }],
      pods: [wanting("a"), wanting("b")],
    };
    const { claims, placements } = plan(given);
    expect([claims.map(({ pods: on }) => on), placements]).toEqual([[["default/b"]], []]);
  });

  it("44: a DaemonSet has it everywhere: no claim at all, and the verdict says so", () => {
    const { claims, unschedulable } = plan({ daemonSets: [proxy()], pods: [wanting("a")] });
    expect(claims).toEqual([]);
    expect(unschedulable[0]?.nodePools.default).toContain("host port TCP 8080 is taken by DaemonSet kube-system/proxy");
  });

  it.each<[string, Partial<PodSpec>]>([
    ["selects other nodes", { nodeSelector: { [arch]: "arm64" } }],
    ["tolerates not the pool", { tolerations: [] }],
    ["has another port", { hostPorts: [port({ port: 9 })] }],
  ])("44: a DaemonSet that %s is in nobody's way", (_, over) => {
    const nodePools = [pool("default", { taints: [taint("x")] })];
    const pending = wanting("a", {}, { tolerations: [{ operator: "Exists" }] });
    const set = proxy({ tolerations: [{ operator: "Exists" }], ...over });
    expect(plan({ nodePools, daemonSets: [set], pods: [pending] }).claims).toHaveLength(1);
  });

  it.each<[string, Partial<PodSpec>, boolean]>([
    ["no type could hold", { requests: asks(64) }, true],
    ["runs on types that the pod needs not", { nodeSelector: { [gpuCount]: "1" } }, false],
  ])("44: a DaemonSet that %s counts neither for ports nor for room", (_, over, isAllowed) => {
    const { claims } = plan({ daemonSets: [proxy(over)], pods: [wanting("a"), pod("b", { requests: asks(1.9) })] });
    expect(claims.flatMap(({ pods: on }) => on).sort()).toEqual(["default/a", "default/b"]);
    const its = claims.find(({ pods: on }) => on.includes("default/a"));
    expect(its?.instanceTypes.includes("g4.large")).toBe(isAllowed);
  });

  it("44: its room is kept on those types alone on which it runs", () => {
    const set = daemonSet("d", { requests: asks(4, 1) });
    const fits = (cores: number) =>
      cheapest(
        plan({
          nodePools: types("a1.small", "a1.large"),
          daemonSets: [set],
          pods: [pod("p", { requests: asks(cores) })],
        }),
      );
    expect([fits(2), fits(3), fits(5)]).toEqual([["a1.small"], ["a1.large"], []]);
  });
});

describe("46 (core#1727, core#1749): which DaemonSets count", () => {
  const two = (over: Partial<Parameters<typeof pool>[1]> = {}) => [
    pool("default", { requirements: [req(instanceType, "In", "a1.small", "a1.medium")], ...over }),
  ];
  const counts = (set: Partial<PodSpec>, over: Parameters<typeof pool>[1] = {}, more: Partial<Pod> = {}) =>
    cheapest(
      plan({
        nodePools: two(over),
        daemonSets: [daemonSet("d", { requests: asks(1, 1), ...set })],
        pods: [pod("p", { requests: asks(1.5), ...more })],
      }),
    )[0] === "a1.medium";
  const tolerant = { tolerations: [{ operator: "Exists" as const }] };
  it.each<[string, boolean, boolean]>([
    [
      "one of two OR'd terms fits: the second",
      counts({
        requiredNodeAffinity: [
          { expressions: [req(arch, "In", "arm64")], fields: [] },
          { expressions: [req(arch, "In", "amd64")], fields: [] },
        ],
      }),
      true,
    ],
    [
      "none of them fits",
      counts({ requiredNodeAffinity: [{ expressions: [req(arch, "In", "arm64")], fields: [] }] }),
      false,
    ],
    ["a PreferNoSchedule taint of the pool", counts({}, { taints: [taint("x", "", "PreferNoSchedule")] }), true],
    ["a NoSchedule taint that it does not tolerate", counts({}, { taints: [taint("x")] }, tolerant), false],
    ["one that it tolerates by Exists without a key", counts(tolerant, { taints: [taint("x")] }, tolerant), true],
    ["a startup taint", counts({}, { startupTaints: [taint("x")] }), true],
    [
      "a preference that cannot be met",
      counts({ preferredNodeAffinity: [{ weight: 1, term: { expressions: [req(arch, "In", "arm64")], fields: [] } }] }),
      true,
    ],
    [
      "a host that its controller wrote into it",
      counts({ requiredNodeAffinity: [{ expressions: [], fields: [req("metadata.name", "In", "n9")] }] }),
      true,
    ],
    ["a hostname label", counts({ nodeSelector: { [host]: "n9" } }), true],
    ["a label that the pool does not give", counts({ nodeSelector: { team: "a" } }), false],
  ])("46: %s", (_, found, expected) => {
    expect(found).toBe(expected);
  });
});

describe("49: the order in which wishes are given up", () => {
  const near = (app: string): PodAffinityTerm => ({
    topologyKey: zone,
    labelSelector: { matchLabels: { app }, matchExpressions: [] },
    namespaces: [],
    matchLabelKeys: [],
    mismatchLabelKeys: [],
  });
  const zoneTerm = (at: string) => ({ expressions: [req(zone, "In", at)], fields: [] });
  const running = (app: string, at: string) => {
    const one = node(`n-${app}`, { labels: { ...node("x").labels, [host]: `n-${app}`, [zone]: at } });
    return { node: one, claim: joined(one), pod: bound(app, one.name, { labels: { app }, requests: asks(4, 1) }) };
  };
  const beside = (pending: Partial<Pod>, ...there: ReturnType<typeof running>[]) =>
    plan({
      nodes: there.map((one) => one.node),
      claims: there.map((one) => one.claim),
      pods: [...there.map((one) => one.pod), pod("p", pending)],
    }).claims.map(({ labels }) => labels[zone]);
  const a = running("a", "z-a");
  const b = running("b", "z-b");

  it.each<[string, Partial<Pod>, string]>([
    [
      "nearness before distance",
      {
        preferredPodAffinity: [{ weight: 100, term: near("a") }],
        preferredPodAntiAffinity: [{ weight: 1, term: near("a") }],
        preferredNodeAffinity: [{ weight: 1, term: zoneTerm("z-c") }],
      },
      "z-c",
    ],
    [
      "distance before nodes",
      {
        preferredPodAntiAffinity: [{ weight: 100, term: near("a") }],
        preferredNodeAffinity: [{ weight: 1, term: zoneTerm("z-a") }],
      },
      "z-a",
    ],
    [
      "of two that exclude each other the heavier first",
      {
        preferredPodAffinity: [
          { weight: 9, term: near("a") },
          { weight: 1, term: near("b") },
        ],
      },
      "z-b",
    ],
    [
      "whatever their order",
      {
        preferredPodAffinity: [
          { weight: 1, term: near("b") },
          { weight: 9, term: near("a") },
        ],
      },
      "z-b",
    ],
    [
      "nodes before spreading",
      {
        labels: { app: "a" },
        preferredNodeAffinity: [{ weight: 1, term: zoneTerm("z-a") }],
        topologySpread: [
          {
            topologyKey: zone,
            maxSkew: 1,
            whenUnsatisfiable: "ScheduleAnyway",
            labelSelector: { matchLabels: { app: "a" }, matchExpressions: [] },
            matchLabelKeys: [],
            nodeAffinityPolicy: "Honor",
            nodeTaintsPolicy: "Ignore",
          },
        ],
      },
      "z-b",
    ],
  ])("49: %s", (_, pending, expected) => {
    expect(beside(pending, a, b)).toEqual([expected]);
  });

  it("49: a required term that cannot be met gives way to the next of the OR'd ones", () => {
    const requiredNodeAffinity = [zoneTerm("z-x"), zoneTerm("z-b"), zoneTerm("z-c")];
    const [one] = plan({ pods: [pod("p", { requiredNodeAffinity })] }).claims;
    expect(one?.labels[zone]).toBe("z-b");
    expect(plan({ pods: [pod("p", { requiredNodeAffinity: [zoneTerm("z-x")] })] }).claims).toEqual([]);
  });

  it("49: a place with a PreferNoSchedule taint comes last, after every wish has been given up", () => {
    const base = [req(capacityType, "In", "on-demand"), req(arch, "In", "amd64")];
    const nodePools = [
      pool("shunned", {
        taints: [taint("x", "", "PreferNoSchedule")],
        requirements: [...base, req(zone, "In", "z-b")],
      }),
      pool("plain", { requirements: [...base, req(zone, "In", "z-a")] }),
    ];
    const wish = { preferredNodeAffinity: [{ weight: 1, term: zoneTerm("z-b") }] };
    const at = (over: Partial<Pod>, pools = nodePools) =>
      plan({ nodePools: pools, pods: [pod("p", over)] }).claims[0]?.nodePool;
    expect(at(wish)).toBe("plain");
    expect(at({ nodeSelector: { [zone]: "z-b" } })).toBe("shunned");
    expect(at(wish, [nodePools[0]!])).toBe("shunned");
  });

  it("49: so does a node that is there", () => {
    const shunned = node("n1", { taints: [taint("x", "", "PreferNoSchedule")] });
    const wish = { preferredNodeAffinity: [{ weight: 1, term: zoneTerm("z-a") }] };
    const nodePools = [pool("plain", { requirements: [req(capacityType, "In", "on-demand"), req(zone, "In", "z-c")] })];
    const given = { nodes: [shunned], claims: [joined(shunned)], nodePools };
    expect(plan({ ...given, pods: [pod("p", wish)] }).claims).toHaveLength(1);
    expect(plan({ ...given, pods: [pod("p", { nodeSelector: { [zone]: "z-a" } })] }).placements).toHaveLength(1);
  });

  it("49: where wishes are to be ignored none of them is tried", () => {
    const settings = { ...snapshot().settings, preferencePolicy: "Ignore" as const };
    const wish = {
      preferredNodeAffinity: [{ weight: 1, term: { expressions: [req(instanceType, "In", "b2.large")], fields: [] } }],
    };
    expect(cheapest(plan({ settings, pods: [pod("p", wish)] }))).toEqual(["a1.small"]);
    expect(cheapest(plan({ pods: [pod("p", wish)] }))).toEqual(["b2.large"]);
  });
});

describe("50 (core#2033, core#1928): pods that keep a node from going", () => {
  const budget = (over: Partial<PodDisruptionBudget> = {}): PodDisruptionBudget => ({
    namespace: "default",
    name: "b",
    selector: { matchLabels: { app: "x" }, matchExpressions: [] },
    disruptionsAllowed: 0,
    unhealthyPodEvictionPolicy: "IfHealthyBudget",
    ...over,
  });
  const dnd = (value: string): Partial<Pod> => ({ annotations: { "karpenter.sh/do-not-disrupt": value } });
  const labelled = { labels: { app: "x" } };
  type Deletion = NonNullable<Parameters<typeof joined>[1]>;
  const deleted: Deletion = { deletion: { requestedAtMs: nowMs - 1_000, reason: "drifted" } };
  it.each<[string, Partial<Pod>, readonly PodDisruptionBudget[], Deletion, boolean]>([
    ["nothing in the way", {}, [], deleted, true],
    ["do-not-disrupt", dnd("true"), [], deleted, false],
    ["do-not-disrupt for a time that goes on", dnd("1h"), [], deleted, false],
    ["for a time that is over", dnd("10s"), [], deleted, true],
    ["with a value that says nothing", dnd("yes"), [], deleted, true],
    ["set to false", dnd("false"), [], deleted, true],
    ["a budget of maxUnavailable 0", labelled, [budget({ maxUnavailable: "0" })], deleted, false],
    ["of 0%", labelled, [budget({ maxUnavailable: "0%" })], deleted, false],
    ["of minAvailable 100%", labelled, [budget({ minAvailable: "100%" })], deleted, false],
    ["one that is merely used up", labelled, [budget({ maxUnavailable: "1" })], deleted, true],
    ["of other pods", {}, [budget({ maxUnavailable: "0" })], deleted, true],
    ["of another namespace", labelled, [budget({ namespace: "other", maxUnavailable: "0" })], deleted, true],
    ["without a selector", labelled, [withoutSelector(budget({ maxUnavailable: "0" }))], deleted, true],
    [
      "do-not-disrupt on an instance that EC2 takes back",
      dnd("true"),
      [],
      { deletion: { requestedAtMs: nowMs - 1_000, reason: "spot_interrupted" } },
      true,
    ],
    ["a node that stays", {}, [], {}, false],
  ])("50: %s", (_, over, podDisruptionBudgets, state, replaced) => {
    const n1 = node("n1");
    const running = bound("a", "n1", { createdAtMs: nowMs - 60_000, ...over });
    const given = { nodes: [n1], claims: [joined(n1, state)], podDisruptionBudgets, pods: [running] };
    expect(plan(given).claims.flatMap(({ pods: on }) => on)).toEqual(replaced ? ["default/a"] : []);
  });
});

function withoutSelector({ selector: _, ...budget }: PodDisruptionBudget): PodDisruptionBudget {
  return budget;
}

describe("2.F: pods that are not planned, with the reason", () => {
  it.each<[string, Partial<Pod>, string]>([
    [
      "a scheduling gate",
      { schedulingGates: ["quota", "queue"], unschedulable: false },
      "it waits for its scheduling gates: quota, queue",
    ],
    [
      "a node that kube-scheduler makes room on",
      { nominatedNodeName: "n1" },
      "kube-scheduler is making room for it on node n1",
    ],
    ["a static pod", { mirror: true }, "it is a static pod: its kubelet runs it"],
    [
      "a static pod of a node",
      { owner: { kind: "Node", name: "n1", uid: "n" } },
      "it is a static pod: its kubelet runs it",
    ],
    [
      "a pod of a DaemonSet",
      { owner: { kind: "DaemonSet", name: "d", uid: "d" } },
      "its DaemonSet places it: nodes are planned with room for it",
    ],
    ["one that ends", { deletionAtMs: nowMs + 1 }, "it is being deleted"],
    [
      "one that kube-scheduler has not refused",
      { unschedulable: false },
      "kube-scheduler has not found it unschedulable",
    ],
  ])("%s", (_, over, reason) => {
    const { claims, ignored, unschedulable } = plan({ pods: [pod("a", over)] });
    expect([claims, unschedulable, ignored]).toEqual([[], [], [{ pod: "default/a", reason }]]);
  });

  it("static pods and DaemonSets' pods of a node that goes get no second place; they take room while it is there", () => {
    const n1 = node("n1");
    const kept = [
      bound("s", "n1", { mirror: true }),
      bound("d", "n1", { owner: { kind: "DaemonSet", name: "d", uid: "d" } }),
    ];
    const leaving = joined(n1, { deletion: { requestedAtMs: 1, reason: "empty" } });
    expect(plan({ nodes: [n1], claims: [leaving], pods: kept }).claims).toEqual([]);
    const full = bound("s", "n1", { mirror: true, requests: asks(3.5, 1) });
    expect(plan({ nodes: [n1], claims: [joined(n1)], pods: [full, pod("p")] }).claims).toHaveLength(1);
  });
});

describe("2.F: what is on its way counts", () => {
  it.each<[string, Partial<Snapshot>, number]>([
    ["a claim in flight takes what it was made for", { claims: [claim("c")] }, 0],
    [
      "one that is taken takes no more",
      { claims: [claim("c")], placements: [{ target: "c", pods: ["default/p-000", "default/p-001"] }] },
      0,
    ],
    ["one that has joined and lost its node takes none", { claims: [{ ...joined(node("n1")) }] }, 1],
    [
      "one that is being deleted takes none",
      { claims: [claim("c", { deletion: { requestedAtMs: 1, reason: "deleted" } })] },
      1,
    ],
  ])("%s", (_, given, fresh) => {
    expect(plan({ ...given, pods: pods(2, { requests: asks(2, 2) }) }).claims).toHaveLength(fresh);
  });
});
