import { describe, expect, it } from "vitest";
import type { Pod, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  arch,
  asks,
  bound,
  capacityType,
  catalog,
  cpuLabel,
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
} from "./fixtures.ts";
import { boundPvc, storing, zonal } from "./storage-fixtures.ts";

const gpu = "nvidia.com/gpu";
const one = (over: Partial<Pod> = {}): Partial<Snapshot> => ({ pods: [pod("a", over)] });
/** What the pool says of pod `a`. */
const said = (given: Partial<Snapshot>, name = "default"): string =>
  planProvisioning(snapshot(given)).unschedulable.find(({ pod: key }) => key === "default/a")!.nodePools[name]!;

describe("the nearest miss of a pool", () => {
  it.each<[string, Partial<Snapshot>, string]>([
    [
      "a place, with what tells the types apart",
      one({ requests: asks(1, 1, { [gpu]: 4 }), nodeSelector: { [zone]: "z-a" } }),
      'the only instance type with nvidia.com/gpu 4 (g4.xlarge) is sold only in z-b, z-c; the pod asks for topology.kubernetes.io/zone In ["z-a"]',
    ],
    [
      "a place that the pod's volume ties it to",
      {
        pods: [storing("a", ["data"], { requests: asks(1, 1, { [gpu]: 4 }) })],
        persistentVolumeClaims: [boundPvc("data")],
        persistentVolumes: [zonal("data", "z-a")],
      },
      'the only instance type with nvidia.com/gpu 4 (g4.xlarge) is sold only in z-b, z-c; the pod\'s volumes are reached only from topology.kubernetes.io/zone In ["z-a"]',
    ],
    [
      "a capacity type",
      {
        ...one({ nodeSelector: { [capacityType]: "spot" }, requests: asks(12) }),
        nodePools: [pool("default", { requirements: [] })],
      },
      'the 2 instance types that would hold it (a1.xlarge, g4.xlarge) are sold only as on-demand; the pod asks for karpenter.sh/capacity-type In ["spot"]',
    ],
    [
      "a size that only the pool's own requirements rule out",
      {
        ...one({ requests: asks(12) }),
        nodePools: [
          pool("default", { requirements: [req(cpuLabel, "Lt", "9"), req(capacityType, "In", "on-demand")] }),
        ],
      },
      'the most cpu that a node of it can give is 8 (a1.large); the pod asks for 12 (a1.xlarge would do, but the NodePool has karpenter.k8s.aws/instance-cpu Lte ["8"])',
    ],
    [
      "a size that DaemonSets rule out",
      { ...one({ requests: asks(32) }), daemonSets: [daemonSet("logs", { requests: asks(0.5, 0.5) })] },
      "the most cpu that a node of it can give is 31.5 (g4.xlarge after 500m for DaemonSets); the pod asks for 32",
    ],
    [
      "two amounts at once, where no type has both",
      one({ requests: asks(16, 1, { [gpu]: 1 }), nodeSelector: { [instanceType]: "g4.large" } }),
      "the most cpu that a node of it can give is 8 (g4.large); the pod asks for 16",
    ],
    [
      "two things at once",
      {
        ...one({ requests: asks(64) }),
        nodePools: [pool("default", { taints: [taint("team", "a")], requirements: [req(arch, "In", "amd64")] })],
      },
      "its taint team=a:NoSchedule is not tolerated; and the most cpu that a node of it can give is 32 (g4.xlarge); the pod asks for 64",
    ],
    [
      "every taint that is in the way",
      { ...one(), nodePools: [pool("default", { taints: [taint("x"), taint("y", "1", "NoExecute")] })] },
      "its taint x:NoSchedule is not tolerated; and its taint y=1:NoExecute is not tolerated",
    ],
    [
      "a label that the pool has otherwise",
      one({ nodeSelector: { [arch]: "arm64" } }),
      'the pod asks for kubernetes.io/arch In ["arm64"], the NodePool has kubernetes.io/arch In ["amd64"]',
    ],
    [
      "a label that nobody gives",
      one({ nodeSelector: { team: "a" } }),
      'label "team" does not have known values: the NodePool neither sets nor requires it (the pod asks for team In ["a"])',
    ],
    [
      "what is left of a limit, and what would be needed",
      {
        pods: [pod("a", { requests: asks(10) }), pod("b", { requests: asks(10), priority: 9 })],
        nodePools: [pool("default", { limits: { cpu: 20_000 } })],
      },
      "its limits allow no further node that could hold the pod: cpu 20, of which 4 is left after this plan's other nodes, and the smallest that fits, a1.xlarge, has 16",
    ],
    [
      "a limit of nodes",
      { ...one(), nodePools: [pool("default", { limits: { nodes: 0 } })] },
      "its limits allow no further node that could hold the pod: nodes 0, of which 0 is left",
    ],
    [
      "refusals, with the time at which the first ends",
      {
        ...one({ requests: asks(32) }),
        refusals: ["z-b", "z-c"].map((where, i) => ({
          instanceType: "g4.xlarge",
          zone: where,
          capacityType: "on-demand" as const,
          untilMs: nowMs + 60_000 + i,
        })),
      },
      "EC2 has no capacity now for the only instance type that fits (g4.xlarge); tried again from 2023-11-14T22:14:20.000Z on",
    ],
    [
      "a reservation that is used up",
      {
        ...one({ nodeSelector: { [capacityType]: "reserved" } }),
        nodePools: [pool("default", { requirements: [] })],
        catalog: { ...catalog, reserved: [{ id: "cr-1", instanceType: "a1.large", zone: "z-a", count: 0 }] },
      },
      "its reservation cr-1 has no instance left",
    ],
    [
      "a host port that a DaemonSet has on every node",
      {
        ...one({ hostPorts: [{ hostIp: "0.0.0.0", protocol: "TCP", port: 8080 }] }),
        daemonSets: [daemonSet("proxy", { hostPorts: [{ hostIp: "0.0.0.0", protocol: "TCP", port: 8080 }] })],
      },
      "host port TCP 8080 is taken by DaemonSet kube-system/proxy on every node of it",
    ],
    [
      "a pool of another name",
      one({ nodeSelector: { "karpenter.sh/nodepool": "gone" } }),
      'the pod asks for karpenter.sh/nodepool In ["gone"], the NodePool has karpenter.sh/nodepool In ["default"]',
    ],
    [
      "of alternatives the nearest",
      one({
        requiredNodeAffinity: [
          { expressions: [req(zone, "In", "z-z"), req("team", "In", "a")], fields: [] },
          { expressions: [req(zone, "In", "z-y")], fields: [] },
        ],
      }),
      'the 8 instance types that would hold it (a1.large, a1.medium, a1.small and 5 more) are sold only in z-a, z-b, z-c; the pod asks for topology.kubernetes.io/zone In ["z-y"]; or, by its other terms: label "team" does not have known values: the NodePool neither sets nor requires it (the pod asks for team In ["a"]); and the 8 instance types that would hold it (a1.large, a1.medium, a1.small and 5 more) are sold only in z-a, z-b, z-c; the pod asks for topology.kubernetes.io/zone In ["z-z"]',
    ],
  ])("is %s", (_, given, words) => {
    expect(said(given)).toBe(words);
  });

  it("is told for the nearest pool first, for each by its name", () => {
    const nodePools = [
      pool("far", { taints: [taint("x")], requirements: [req(arch, "In", "arm64")] }),
      pool("near", { limits: { nodes: 0 } }),
    ];
    const [verdict] = planProvisioning(
      snapshot({ ...one({ nodeSelector: { [arch]: "amd64" } }), nodePools }),
    ).unschedulable;
    expect(verdict!.reason).toMatch(/^none of the 2 NodePools gives one: near: its limits .*; far: its taint/);
    expect(Object.keys(verdict!.nodePools)).toEqual(["far", "near"]);
  });

  it("is the same for all pods of a class and for every order of the input", () => {
    const given = { pods: pods(40, { requests: asks(90) }), nodePools: [pool("b"), pool("a")] };
    const plan = planProvisioning(snapshot(given));
    const reversed = planProvisioning(
      snapshot({ pods: [...given.pods].reverse(), nodePools: [...given.nodePools].reverse() }),
    );
    expect(new Set(plan.unschedulable.map(({ reason }) => reason)).size).toBe(1);
    expect(JSON.stringify(reversed.unschedulable)).toBe(JSON.stringify(plan.unschedulable));
  });
});

describe("nodes that are there", () => {
  const hostPorts = [{ hostIp: "0.0.0.0", protocol: "TCP", port: 80 }];
  const cordoned = node("n1", { cordoned: true });
  it.each<[string, Partial<Snapshot>, string]>([
    [
      "are counted by the first filter that they fail, the commonest reason first",
      {
        ...one({ requests: asks(5) }),
        nodes: [node("n1"), node("n2", { taints: [taint("team", "a")] }), node("n3")],
      },
      "no room on 3 nodes: 2 insufficient cpu, 1 untolerated taint team=a:NoSchedule; and there is no NodePool to make one from",
    ],
    ["lack several things", { ...one({ requests: asks(5, 9) }), nodes: [node("n1")] }, "1 insufficient cpu and memory"],
    [
      "are full once the plan's other pods are there",
      { pods: [pod("a", { requests: asks(3) }), pod("b", { requests: asks(3), priority: 5 })], nodes: [node("n1")] },
      "1 insufficient cpu",
    ],
    ["are cordoned", { ...one(), nodes: [cordoned] }, "1 cordoned"],
    [
      "are on their way out",
      { ...one(), nodes: [node("n1")], claims: [joined(node("n1"), { commandId: "c" })] },
      "1 on its way out",
    ],
    [
      "lack a label",
      { ...one({ nodeSelector: { [zone]: "z-b", [arch]: "amd64" } }), nodes: [node("n1")] },
      '1 not topology.kubernetes.io/zone In ["z-b"]',
    ],
    [
      "have the host port taken",
      { pods: [pod("a", { hostPorts }), bound("b", "n1", { hostPorts })], nodes: [node("n1")] },
      "1 host port TCP 80 taken",
    ],
    [
      "are kept free by rules",
      {
        pods: [
          pod("a", {
            labels: { app: "x" },
            requiredPodAntiAffinity: [
              {
                topologyKey: "kubernetes.io/hostname",
                labelSelector: { matchLabels: { app: "x" }, matchExpressions: [] },
                namespaces: [],
                matchLabelKeys: [],
                mismatchLabelKeys: [],
              },
            ],
          }),
          bound("b", "n1", { labels: { app: "x" } }),
        ],
        nodes: [node("n1")],
      },
      "1 kept off by rules about other pods",
    ],
  ])("%s", (_, given, words) => {
    const { unschedulable } = planProvisioning(snapshot({ ...given, nodePools: [] }));
    expect(unschedulable.find(({ pod: key }) => key === "default/a")!.reason).toContain(words);
  });
});

describe("thousands of pods without a place", () => {
  it("cost one explanation a class", () => {
    const given = { pods: pods(5_000, { requests: asks(90) }), nodes: [node("n1")] };
    const { unschedulable } = planProvisioning(snapshot(given));
    expect(unschedulable).toHaveLength(5_000);
    expect(new Set(unschedulable.map(({ nodePools }) => nodePools)).size).toBe(1);
  });

  it("of ever so many kinds are not all told why", () => {
    const nodes = Array.from({ length: 400 }, (_, i) => node(`n${i}`));
    const given = { pods: Array.from({ length: 900 }, (_, i) => pod(`p-${i}`, { requests: asks(90 + i) })), nodes };
    const { unschedulable } = planProvisioning(snapshot(given));
    const told = unschedulable.filter(({ reason }) => reason.includes("the most cpu that a node of it can give"));
    expect(unschedulable).toHaveLength(900);
    expect(told.length).toBeGreaterThan(700);
    expect(unschedulable.filter(({ reason }) => reason.includes("plan --explain tells it of one"))).toHaveLength(
      900 - told.length,
    );
    expect(told.length).toBeLessThan(900);
  });
});

describe("lifting what the nearest miss names", () => {
  const big = { requests: asks(12) };
  const cases: [string, Partial<Snapshot>, (given: Partial<Snapshot>) => Partial<Snapshot>][] = [
    [
      "its taint x:NoSchedule is not tolerated",
      { ...one(), nodePools: [pool("default", { taints: [taint("x")] })] },
      (given) => ({ ...given, pods: [pod("a", { tolerations: [{ key: "x", operator: "Exists" }] })] }),
    ],
    [
      "is sold only in z-b, z-c",
      one({ requests: asks(1, 1, { [gpu]: 4 }), nodeSelector: { [zone]: "z-a" } }),
      (given) => ({ ...given, pods: [pod("a", { requests: asks(1, 1, { [gpu]: 4 }) })] }),
    ],
    [
      "the most cpu that a node of it can give is 8 (a1.large)",
      {
        ...one(big),
        nodePools: [pool("default", { requirements: [req(cpuLabel, "Lt", "9"), req(arch, "In", "amd64")] })],
      },
      (given) => ({ ...given, pods: [pod("a", { requests: asks(8) })] }),
    ],
    [
      "(a1.xlarge would do, but the NodePool has karpenter.k8s.aws/instance-cpu",
      {
        ...one(big),
        nodePools: [pool("default", { requirements: [req(cpuLabel, "Lt", "9"), req(arch, "In", "amd64")] })],
      },
      (given) => ({ ...given, nodePools: [pool("default", { requirements: [req(arch, "In", "amd64")] })] }),
    ],
    [
      "cpu 4, of which 4 is left, and the smallest that fits, a1.xlarge, has 16",
      { ...one(big), nodePools: [pool("default", { limits: { cpu: 4_000 } })] },
      (given) => ({ ...given, nodePools: [pool("default", { limits: { cpu: 16_000 } })] }),
    ],
  ];
  it.each(cases)("gives the pod a node: %s", (words, given, lift) => {
    expect(said(given)).toContain(words);
    expect(planProvisioning(snapshot(lift(given))).claims).toHaveLength(1);
  });
});
