import { describe, expect, it } from "vitest";
import { parseDocuments } from "../../cli/input/documents.ts";
import { sortByKind } from "../../cli/input/objects.ts";
import { defaultSettings } from "../../cli/input/settings.ts";
import { admittedPods, readSnapshot } from "../../cli/input/snapshot.ts";
import type { Catalog, Snapshot } from "../../shared/core/model/index.ts";

type Doc = Record<string, unknown>;
const catalog: Catalog = {
  region: "us-east-1",
  zones: [
    { name: "z-a", id: "id-a" },
    { name: "z-b", id: "id-b" },
  ],
  instanceTypes: [
    {
      InstanceType: "m5.large",
      ProcessorInfo: { SupportedArchitectures: ["x86_64"] },
      VCpuInfo: { DefaultVCpus: 2 },
      MemoryInfo: { SizeInMiB: 8192 },
      NetworkInfo: { Ipv4AddressesPerInterface: 10, MaximumNetworkInterfaces: 3 },
    },
  ],
  offerings: {},
  onDemand: { "m5.large": 0.096 },
  spot: { "m5.large": { "z-b": 0.03 } },
  unavailable: [],
  reserved: [],
};

function read(...items: Doc[]): { snapshot: Snapshot; notes: readonly string[] } {
  const objects = sortByKind(parseDocuments(JSON.stringify({ apiVersion: "v1", kind: "List", items }), "f"));
  return readSnapshot(objects, admittedPods(objects), { catalog, settings: defaultSettings, nowMs: 1000 });
}

const pool: Doc = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "default", uid: "pool-1" },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
        requirements: [],
        expireAfter: "48h",
      },
    },
    disruption: { consolidateAfter: "0s" },
  },
};
const nodeClass = (rest: Doc = {}): Doc => ({
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "default" },
  spec: {
    role: "r",
    amiSelectorTerms: [{ alias: "bottlerocket@latest" }],
    subnetSelectorTerms: [{ id: "subnet-1" }],
    securityGroupSelectorTerms: [{ id: "sg-1" }],
  },
  ...rest,
});
const node = (metadata: Doc = {}, rest: Doc = {}): Doc => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name: "n-1",
    labels: {
      "karpenter.sh/nodepool": "default",
      "karpenter.sh/capacity-type": "spot",
      "node.kubernetes.io/instance-type": "m5.large",
      "topology.kubernetes.io/zone": "z-b",
    },
    ...metadata,
  },
  ...rest,
});

describe("node classes", () => {
  it("that are missing are ready AL2023 classes with a subnet in every zone", () => {
    const { snapshot, notes } = read(pool);
    expect(snapshot.nodeClasses[0]).toMatchObject({
      name: "default",
      amiFamily: "AL2023",
      ready: true,
      resolved: {
        subnets: [
          { id: "subnet-z-a", zone: "z-a", zoneId: "id-a" },
          { id: "subnet-z-b", zone: "z-b", zoneId: "id-b" },
        ],
      },
    });
    expect(notes).toEqual([
      "EC2NodeClass default: not in the input, planned as a ready AL2023 class with a subnet in every zone",
    ]);
  });

  it("from a manifest are taken as ready, in their own family", () => {
    const { snapshot, notes } = read(pool, nodeClass());
    expect(snapshot.nodeClasses).toHaveLength(1);
    expect(snapshot.nodeClasses[0]).toMatchObject({ amiFamily: "Bottlerocket", ready: true });
    expect(notes).toEqual(["EC2NodeClass default: no status, planned as ready with a subnet in every zone"]);
  });

  it("from a cluster are as their status says", () => {
    const condition = {
      type: "Ready",
      status: "False",
      reason: "SubnetsNotFound",
      message: "no subnet",
      lastTransitionTime: "2026-12-01T00:00:00Z",
    };
    const { snapshot, notes } = read(pool, nodeClass({ status: { conditions: [condition] } }));
    expect(snapshot.nodeClasses[0]).toMatchObject({
      ready: false,
      readyMessage: "no subnet",
      resolved: { subnets: [] },
    });
    expect(notes).toEqual([]);
  });
});

describe("nodes with a pool's label", () => {
  it("without a claim get one: launched, registered, initialized, priced, tied by provider id", () => {
    const { snapshot } = read(pool, nodeClass(), node({ creationTimestamp: "1970-01-01T00:00:00.500Z" }));
    const [claim] = snapshot.claims;
    expect(claim).toMatchObject({
      name: "n-1",
      nodePool: "default",
      nodePoolUid: "pool-1",
      nodePoolHash: snapshot.nodePools[0]!.hash,
      nodeClass: "default",
      nodeClassHash: snapshot.nodeClasses[0]!.hash,
      createdAtMs: 500,
      registeredAtMs: 500,
      initializedAtMs: 500,
      expireAfterMs: 172_800_000,
      nodeName: "n-1",
      instance: { instanceType: "m5.large", zone: "z-b", capacityType: "spot", priceMicroUsd: 30_000 },
    });
    expect(snapshot.nodes[0]!.providerId).toBe(claim!.instance!.providerId);
  });

  it("of unknown age were created long ago and never expire", () => {
    expect(read(pool, node()).snapshot.claims[0]).toMatchObject({ createdAtMs: 0, expireAfterMs: null });
  });

  it("that say no amounts have their instance type's", () => {
    const { snapshot } = read(pool, node());
    expect(snapshot.nodes[0]!.allocatable).toMatchObject({ cpu: 1930, pods: 29 });
    expect(snapshot.nodes[0]!.capacity).toMatchObject({ cpu: 2000 });
  });

  it("keep what they say", () => {
    const { snapshot } = read(pool, node({}, { status: { allocatable: { cpu: "1", pods: "5" } } }));
    expect(snapshot.nodes[0]!.allocatable).toEqual({ cpu: 1000, pods: 5 });
  });

  it("with a claim in the input get no second one; the claim gets its price", () => {
    const claim: Doc = {
      apiVersion: "karpenter.sh/v1",
      kind: "NodeClaim",
      metadata: {
        name: "default-x",
        labels: {
          "karpenter.sh/nodepool": "default",
          "node.kubernetes.io/instance-type": "m5.large",
          "karpenter.sh/capacity-type": "on-demand",
        },
      },
      spec: {
        nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
        requirements: [],
      },
      status: { providerID: "aws:///z-b/i-0123", nodeName: "n-1" },
    };
    const { snapshot } = read(pool, claim, node({}, { spec: { providerID: "aws:///z-b/i-0123" } }));
    expect(snapshot.claims).toHaveLength(1);
    expect(snapshot.claims[0]).toMatchObject({ name: "default-x", instance: { priceMicroUsd: 96_000 } });
  });

  it("nodes of nobody's pool are nobody's claims", () => {
    expect(read(pool, node({ labels: {} })).snapshot.claims).toEqual([]);
  });
});

describe("disruption budgets from manifests count their pods", () => {
  const budget = (spec: Doc, rest: Doc = {}): Doc => ({
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "b" },
    spec: { selector: { matchLabels: { app: "x" } }, ...spec },
    ...rest,
  });
  const pod = (name: string, rest: Doc = {}): Doc => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { app: "x" } },
    spec: { containers: [{ name: "c" }], nodeName: "n-1" },
    ...rest,
  });
  const pods = [pod("a"), pod("b"), pod("c"), pod("done", { status: { phase: "Succeeded" } })];
  it.each<[string, Doc, Doc[], number]>([
    ["minAvailable", budget({ minAvailable: 2 }), pods, 1],
    ["minAvailable in percent, rounded up", budget({ minAvailable: "50%" }), pods, 1],
    ["maxUnavailable", budget({ maxUnavailable: 1 }), pods, 1],
    ["maxUnavailable in percent, rounded up", budget({ maxUnavailable: "10%" }), pods, 1],
    ["none", budget({ maxUnavailable: 0 }), pods, 0],
    [
      "a pending pod counts as unavailable",
      budget({ maxUnavailable: 1 }),
      [...pods, pod("d", { spec: { containers: [{ name: "c" }] } })],
      0,
    ],
    ["what the status says counts", budget({ maxUnavailable: 0 }, { status: { disruptionsAllowed: 2 } }), pods, 2],
  ])("%s", (_, document, others, allowed) => {
    expect(read(document, ...others).snapshot.podDisruptionBudgets[0]!.disruptionsAllowed).toBe(allowed);
  });
});
