import { describe, expect, it } from "vitest";
import type { NodeClass, Pod, PodAffinityTerm, RequirementSpec, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  asks,
  bound,
  daemonSet,
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
} from "../scheduling/fixtures.ts";

const term = (over: Partial<PodAffinityTerm> = {}): PodAffinityTerm => ({
  topologyKey: "kubernetes.io/hostname",
  labelSelector: { matchLabels: { app: "x" }, matchExpressions: [] },
  namespaces: [],
  matchLabelKeys: [],
  mismatchLabelKeys: [],
  ...over,
});

describe("running pods that repel", () => {
  const n1 = node("n1");
  const there = { nodes: [n1], claims: [joined(n1)] };
  const run = (of: PodAffinityTerm, newcomer: Partial<Pod>, more: Partial<Snapshot> = {}) => {
    const repeller = bound("r", "n1", { requests: asks(0.1, 0.1), requiredPodAntiAffinity: [of] });
    const plan = planProvisioning(
      snapshot({ ...there, ...more, pods: [repeller, pod("a", { labels: { app: "x" }, ...newcomer })] }),
    );
    return [
      ...plan.placements.map(({ target }) => target),
      ...plan.claims.map(() => "new"),
      ...plan.unschedulable.map(() => "none"),
    ];
  };
  it.each<[string, Partial<PodAffinityTerm>, Partial<Pod>, string]>([
    ["keep a newcomer off their host", {}, {}, "new"],
    ["keep it out of their zone", { topologyKey: zone }, {}, "new"],
    ["mind other labels", {}, { labels: { app: "y" } }, "claim-n1"],
    ["mind other namespaces", {}, { namespace: "other" }, "claim-n1"],
    ["of named namespaces", { namespaces: ["other"] }, { namespace: "other" }, "new"],
    [
      "of namespaces by an empty selector",
      { namespaceSelector: { matchLabels: {}, matchExpressions: [] } },
      { namespace: "other" },
      "new",
    ],
    [
      "of namespaces by a selector that matches none",
      { namespaceSelector: { matchLabels: { a: "b" }, matchExpressions: [] } },
      {},
      "claim-n1",
    ],
    ["without a selector repel nobody", { labelSelector: undefined } as never, {}, "claim-n1"],
    [
      "by expression",
      { labelSelector: { matchLabels: {}, matchExpressions: [req("app", "In", "x", "z")] } },
      {},
      "new",
    ],
    ["by a shared label key", { matchLabelKeys: ["rev"] }, {}, "new"],
  ])("%s", (_, over, newcomer, expected) => {
    expect(run(term(over), newcomer)).toEqual([expected]);
  });
});

describe("pods that are not planned", () => {
  const owner = (kind: string) => ({ kind, name: "o", uid: "uid-o" });
  it.each<[string, Partial<Pod>]>([
    ["waits for its scheduling gates: wait", { schedulingGates: ["wait"] }],
    ["its DaemonSet places it", { owner: owner("DaemonSet") }],
    ["static pod", { mirror: true }],
    ["being deleted", { deletionAtMs: nowMs }],
    ["making room for it on node n9", { nominatedNodeName: "n9" }],
    ["has not found it unschedulable", { unschedulable: false }],
  ])("because it %s", (words, over) => {
    const plan = planProvisioning(snapshot({ pods: [pod("a", over)] }));
    expect([plan.claims, plan.unschedulable, plan.nextChangeAtMs]).toEqual([[], [], null]);
    expect(plan.ignored[0]!.reason).toContain(words);
  });
  it.each<Partial<Pod>>([{ phase: "Succeeded" }, { phase: "Failed" }, { nodeName: "n9", phase: "Running" }])(
    "nor spoken of: %o",
    (over) => {
      const plan = planProvisioning(snapshot({ pods: [pod("a", over)] }));
      expect([plan.claims, plan.unschedulable, plan.ignored]).toEqual([[], [], []]);
    },
  );
});

describe("verdicts say what is in the way", () => {
  const bad = { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "bad" } };
  const reason = (given: Partial<Snapshot>) => {
    const [verdict] = planProvisioning(snapshot(given)).unschedulable;
    return verdict!.nodePools.default ?? verdict!.reason;
  };
  const one = (over: Partial<Pod>): Partial<Snapshot> => ({ pods: [pod("a", over)] });
  it.each<[string, Partial<Snapshot>]>([
    ["there is no NodePool to make one from", { ...one({}), nodePools: [] }],
    [
      "its taint x=y:NoSchedule is not tolerated",
      { ...one({}), nodePools: [pool("default", { taints: [taint("x", "y")] })] },
    ],
    ["the most cpu that a node of it can give is 32 (g4.xlarge); the pod asks for 96", one({ requests: asks(96) })],
    [
      "the most cpu that a node of it can give is 31.91 (g4.xlarge after 85m for DaemonSets); the pod asks for 2000",
      { ...one({ requests: { ...asks(1), cpu: 2_000_000 } }), daemonSets: [daemonSet("d", { requests: { cpu: 85 } })] },
    ],
    [
      "no instance type that it allows has example.com/dongle; the pod asks for 1",
      one({ requests: asks(1, 1, { "example.com/dongle": 1 }) }),
    ],
    [
      "no single instance type has enough of everything at once",
      {
        ...one({ requests: asks(16, 1, { "nvidia.com/gpu": 1 }) }),
        nodePools: [
          pool("default", { requirements: [req("node.kubernetes.io/instance-type", "In", "a1.xlarge", "g4.large")] }),
        ],
      },
    ],
    ['label "team" does not have known values', one({ nodeSelector: { team: "a" } })],
    ["kubernetes.io/arch In", one({ nodeSelector: { "kubernetes.io/arch": "arm64" } })],
    ["none of its 8 instance types meets", one({ nodeSelector: { "node.kubernetes.io/instance-type": "z9.huge" } })],
    [
      'are sold only in z-a, z-b, z-c; the pod asks for topology.kubernetes.io/zone In ["z-z"]',
      one({ nodeSelector: { [zone]: "z-z" } }),
    ],
    ["EC2 has no capacity now", { ...one({}), refusals: allRefused() }],
    [
      "its limits allow no further node that could hold the pod: cpu 1",
      { ...one({}), nodePools: [pool("default", { limits: { cpu: 1000 } })] },
    ],
    [
      "after this plan's other nodes",
      { pods: pods(9, { requests: asks(10) }), nodePools: [pool("default", { limits: { cpu: 32_000 } })] },
    ],
    ['its EC2NodeClass "bad" does not exist', { ...one({}), nodePools: [pool("default", bad)] }],
    [
      'its EC2NodeClass "bad" is not ready: no AMI',
      {
        ...one({}),
        nodePools: [pool("default", bad)],
        nodeClasses: [nodeClass({ name: "bad", ready: false, readyMessage: "no AMI" })],
      },
    ],
    [
      'its EC2NodeClass "bad" is being deleted',
      { ...one({}), nodePools: [pool("default", bad)], nodeClasses: [nodeClass({ name: "bad", deletionAtMs: 1 })] },
    ],
    ["the NodePool is static", { ...one({}), nodePools: [pool("default", { replicas: 1 })] }],
    ["the NodePool is being deleted", { ...one({}), nodePools: [pool("default", { deletionAtMs: 1 })] }],
    ["needs one whole number", { ...one({}), nodePools: [pool("default", { requirements: [req("x", "Gt", "y")] })] }],
    ["the pod's node affinity selects nothing", one({ requiredNodeAffinity: [] })],
    [
      "or, by its other terms:",
      one({
        requiredNodeAffinity: [
          { expressions: [req(zone, "In", "z-z")], fields: [] },
          { expressions: [req("team", "In", "a")], fields: [] },
        ],
      }),
    ],
  ])("%s", (words, given) => {
    expect(reason(given)).toContain(words);
  });

  it("mention the nodes that are there, and every pool by name", () => {
    const plan = planProvisioning(
      snapshot({
        nodes: [node("n1")],
        nodePools: [pool("default"), pool("second", { taints: [taint("x")] })],
        pods: [pod("a", { requests: asks(50) })],
      }),
    );
    const { reason: text, nodePools } = plan.unschedulable[0]!;
    expect(text).toMatch(
      /^no room on 1 node: 1 insufficient cpu; and none of the 2 NodePools gives one: default: .*; second: its taint/,
    );
    expect(Object.keys(nodePools)).toEqual(["default", "second"]);
  });
});

describe("images", () => {
  const gpu = "karpenter.k8s.aws/instance-gpu-count";
  const ami = (id: string, ...requirements: RequirementSpec[]) => ({ id, requirements });
  const amd64 = ami("ami-std", req("kubernetes.io/arch", "In", "amd64"), req(gpu, "DoesNotExist"));
  const nvidia = ami("ami-gpu", req("kubernetes.io/arch", "In", "amd64"), req(gpu, "Exists"));
  const arm64 = ami("ami-arm", req("kubernetes.io/arch", "In", "arm64"));
  const having = (...amis: NodeClass["resolved"]["amis"]): Partial<Snapshot> => ({
    nodeClasses: [nodeClass({ resolved: { ...nodeClass().resolved, amis } })],
  });
  const withGpu = { requests: asks(1, 1, { "nvidia.com/gpu": 1 }) };
  const bought = (given: Partial<Snapshot>) =>
    planProvisioning(snapshot(given)).claims.flatMap(({ instanceTypes }) => instanceTypes);

  it("keep out the types that none of them boots", () => {
    expect(bought({ ...having(amd64, arm64), pods: [pod("a")] })).toEqual([
      "a1.small",
      "a1.medium",
      "b2.medium",
      "a1.large",
      "b2.large",
      "a1.xlarge",
    ]);
    expect(bought({ ...having(amd64, nvidia), pods: [pod("a", withGpu)] })).toEqual(["g4.large", "g4.xlarge"]);
  });

  it("keep out nothing while none is known", () => {
    expect(bought({ ...having(), pods: [pod("a", withGpu)] })).toEqual(["g4.large", "g4.xlarge"]);
  });

  const images = 'no image of EC2NodeClass "default" fits';
  it.each<[string, Partial<Snapshot>, string]>([
    [
      "no type of the pool",
      { ...having(arm64), pods: [pod("a")] },
      `${images} any of the 8 instance types that the pod could use (a1.large, a1.medium, a1.small and 5 more): ami-arm is for kubernetes.io/arch In ["arm64"]`,
    ],
    [
      "no type that the pod selects",
      { ...having(amd64), pods: [pod("a", { nodeSelector: { [gpu]: "1" } })] },
      `${images} any of the`,
    ],
    [
      "no type with what the pod asks for",
      { ...having(amd64), pods: [pod("a", withGpu)] },
      `${images} any of the 2 instance types that the pod could use (g4.large, g4.xlarge): ami-std is for`,
    ],
    [
      "a type that is too small anyway",
      { ...having(amd64), pods: [pod("a", { requests: asks(96) })] },
      "the most cpu that a node of it can give is",
    ],
    [
      "no type that can be read",
      { ...having(ami("ami-odd", req("x", "Gt", "y"))), pods: [pod("a")] },
      "needs one whole number",
    ],
  ])("that fit %s are named in the verdict", (_, given, words) => {
    expect(bought(given)).toEqual([]);
    expect(planProvisioning(snapshot(given)).unschedulable[0]!.nodePools.default).toContain(words);
  });
});

function allRefused() {
  const types = ["a1.small", "a1.medium", "a1.large", "a1.xlarge", "b2.medium", "b2.large", "g4.large", "g4.xlarge"];
  return types.flatMap((instanceType) =>
    ["z-a", "z-b", "z-c"].map((where) => ({
      instanceType,
      zone: where,
      capacityType: "on-demand" as const,
      untilMs: nowMs + 1000,
    })),
  );
}

describe("the next change", () => {
  it.each<[string, Partial<Snapshot>, number | null]>([
    ["is never for an idle cluster", { refusals: allRefused() }, null],
    ["is never without refusals", { pods: [pod("a")] }, null],
    [
      "is when the first refusal ends",
      {
        pods: [pod("a")],
        refusals: [
          ...allRefused(),
          { instanceType: "a1.small", zone: "z-a", capacityType: "spot", untilMs: nowMs + 500 },
        ],
      },
      nowMs + 500,
    ],
    [
      "is not when a refusal has ended",
      { pods: [pod("a")], refusals: [{ instanceType: "a1.small", zone: "z-a", capacityType: "spot", untilMs: nowMs }] },
      null,
    ],
  ])("%s", (_, given, expected) => {
    expect(planProvisioning(snapshot(given)).nextChangeAtMs).toBe(expected);
  });
});
