// A small world in literals: nine instance types with round numbers (kubelet and hypervisor keep nothing), three zones.
// `snapshot({...})` fills in what a case does not care about.
import type {
  Catalog,
  DaemonSet,
  Node,
  NodeClaim,
  NodeClass,
  NodePool,
  Pod,
  PodSpec,
  RequirementSpec,
  Resources,
  Snapshot,
  Taint,
} from "../../../shared/core/model/index.ts";

export const gi = 1024 * 1024 * 1024;
export const nowMs = 1_700_000_000_000;

function description(name: string, vcpus: number, gib: number, more: Record<string, unknown> = {}) {
  return {
    InstanceType: name,
    SupportedUsageClasses: ["on-demand", "spot"],
    SupportedVirtualizationTypes: ["hvm"],
    Hypervisor: "nitro",
    ProcessorInfo: { Manufacturer: "Intel", SupportedArchitectures: ["x86_64"], SustainedClockSpeedInGhz: 3 },
    VCpuInfo: { DefaultVCpus: vcpus },
    MemoryInfo: { SizeInMiB: gib * 1024 },
    NetworkInfo: { Ipv4AddressesPerInterface: 10, MaximumNetworkInterfaces: 4 },
    ...more,
  };
}

export const catalog: Catalog = {
  region: "us-test-1",
  zones: [
    { name: "z-a", id: "id-1" },
    { name: "z-b", id: "id-2" },
    { name: "z-c", id: "id-3" },
  ],
  instanceTypes: [
    description("a1.small", 2, 4),
    description("a1.medium", 4, 8),
    description("a1.large", 8, 16),
    description("a1.xlarge", 16, 32),
    description("b2.medium", 4, 16),
    description("b2.large", 8, 32),
    description("c3.medium", 4, 8, {
      ProcessorInfo: { Manufacturer: "AWS", SupportedArchitectures: ["arm64"], SustainedClockSpeedInGhz: 2 },
      MemoryInfo: { SizeInMiB: 8 * 1024 + 64 },
    }),
    description("g4.large", 8, 32, {
      GpuInfo: { Gpus: [{ Name: "T4", Manufacturer: "NVIDIA", Count: 1, MemoryInfo: { SizeInMiB: 16384 } }] },
    }),
    description("g4.xlarge", 32, 128, {
      GpuInfo: { Gpus: [{ Name: "T4", Manufacturer: "NVIDIA", Count: 4, MemoryInfo: { SizeInMiB: 16384 } }] },
    }),
  ],
  offerings: { "g4.xlarge": ["z-b", "z-c"] },
  onDemand: {
    "a1.small": 0.1,
    "a1.medium": 0.2,
    "a1.large": 0.4,
    "a1.xlarge": 0.8,
    "b2.medium": 0.25,
    "b2.large": 0.5,
    "c3.medium": 0.15,
    "g4.large": 1,
    "g4.xlarge": 4,
  },
  spot: {
    "a1.small": { "z-a": 0.04, "z-b": 0.03 },
    "a1.medium": { "z-a": 0.08, "z-b": 0.06 },
    "a1.large": { "z-a": 0.16, "z-b": 0.12 },
  },
  unavailable: [],
  reserved: [],
};

export const req = (key: string, operator: RequirementSpec["operator"], ...values: string[]): RequirementSpec => ({
  key,
  operator,
  values,
});
export const zone = "topology.kubernetes.io/zone";
export const capacityType = "karpenter.sh/capacity-type";
export const instanceType = "node.kubernetes.io/instance-type";
export const arch = "kubernetes.io/arch";
export const cpuLabel = "karpenter.k8s.aws/instance-cpu";
export const family = "karpenter.k8s.aws/instance-family";

export function podSpec(over: Partial<PodSpec> = {}): PodSpec {
  return {
    labels: {},
    annotations: {},
    requests: { cpu: 1000, memory: gi, pods: 1 },
    nodeSelector: {},
    preferredNodeAffinity: [],
    requiredPodAffinity: [],
    requiredPodAntiAffinity: [],
    preferredPodAffinity: [],
    preferredPodAntiAffinity: [],
    topologySpread: [],
    tolerations: [],
    hostPorts: [],
    volumes: [],
    resourceClaims: [],
    schedulingGates: [],
    priority: 0,
    terminationGracePeriodMs: 30_000,
    ...over,
  };
}

export function pod(name: string, over: Partial<Pod> = {}): Pod {
  return {
    ...podSpec(),
    uid: `uid-${name}`,
    namespace: "default",
    name,
    resourceVersion: "1",
    createdAtMs: nowMs - 60_000,
    phase: "Pending",
    unschedulable: true,
    ready: false,
    mirror: false,
    ...over,
  };
}

/** Requests in whole cores and GiB. */
export function asks(cores: number, gib = 1, more: Resources = {}): Resources {
  return { cpu: Math.round(cores * 1000), memory: Math.round(gib * gi), pods: 1, ...more };
}

export function pods(count: number, over: Partial<Pod> = {}, prefix = "p"): Pod[] {
  return Array.from({ length: count }, (_, i) => pod(`${prefix}-${String(i).padStart(3, "0")}`, over));
}

export function bound(name: string, nodeName: string, over: Partial<Pod> = {}): Pod {
  return pod(name, { nodeName, phase: "Running", unschedulable: false, ready: true, ...over });
}

export function pool(name: string, over: Partial<NodePool> = {}): NodePool {
  return {
    uid: `uid-${name}`,
    name,
    resourceVersion: "1",
    generation: 1,
    createdAtMs: 0,
    hash: `hash-${name}`,
    weight: 1,
    nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
    requirements: [req(capacityType, "In", "on-demand"), req(arch, "In", "amd64")],
    labels: {},
    annotations: {},
    taints: [],
    startupTaints: [],
    expireAfterMs: 720 * 3_600_000,
    terminationGracePeriodMs: null,
    consolidationPolicy: "WhenEmptyOrUnderutilized",
    consolidateAfterMs: 0,
    budgets: [],
    limits: {},
    ...over,
  };
}

export function nodeClass(over: Partial<NodeClass> = {}): NodeClass {
  return {
    uid: "uid-class",
    name: "default",
    resourceVersion: "1",
    generation: 1,
    hash: "hash-class",
    amiFamily: "AL2023",
    amiSelectorTerms: [],
    subnetSelectorTerms: [],
    securityGroupSelectorTerms: [],
    capacityReservationSelectorTerms: [],
    tags: {},
    blockDevices: [],
    kubelet: {
      maxPods: 20,
      kubeReserved: { cpu: 0, memory: 0, "ephemeral-storage": 0 },
      evictionHard: { "memory.available": "0", "nodefs.available": "0" },
    },
    metadataOptions: {
      httpEndpoint: "enabled",
      httpProtocolIPv6: "disabled",
      httpPutResponseHopLimit: 1,
      httpTokens: "required",
    },
    resolved: {
      amis: [],
      subnets: ["z-a", "z-b", "z-c"].map((name) => ({ id: `subnet-${name}`, zone: name })),
      securityGroupIds: [],
      capacityReservations: [],
    },
    ready: true,
    ...over,
  };
}

export function daemonSet(name: string, over: Partial<PodSpec> = {}): DaemonSet {
  return {
    uid: `uid-ds-${name}`,
    namespace: "kube-system",
    name,
    template: podSpec({ requests: asks(0.5, 0.5), ...over }),
  };
}

/** A pod of a DaemonSet, as its controller makes it. */
export function daemonPod(set: DaemonSet, nodeName: string, over: Partial<Pod> = {}): Pod {
  const owner = { kind: "DaemonSet", name: set.name, uid: set.uid };
  return bound(`${set.name}-${nodeName}`, nodeName, { ...set.template, namespace: set.namespace, owner, ...over });
}

export function node(name: string, over: Partial<Node> = {}): Node {
  return {
    uid: `uid-${name}`,
    name,
    resourceVersion: "1",
    providerId: `aws:///z-a/i-${name}`,
    labels: {
      "kubernetes.io/hostname": name,
      [zone]: "z-a",
      [arch]: "amd64",
      "kubernetes.io/os": "linux",
      [instanceType]: "a1.medium",
      [capacityType]: "on-demand",
    },
    annotations: {},
    taints: [],
    capacity: { cpu: 4000, memory: 8 * gi, pods: 20 },
    allocatable: { cpu: 4000, memory: 8 * gi, pods: 20 },
    conditions: [{ type: "Ready", status: "True", changedAtMs: nowMs - 60_000 }],
    cordoned: false,
    createdAtMs: nowMs - 600_000,
    finalizers: [],
    ...over,
  };
}

/** A claim that was committed and has no instance yet. */
export function claim(name: string, over: Partial<NodeClaim> = {}): NodeClaim {
  return {
    name,
    version: 1,
    createdAtMs: nowMs - 10_000,
    nodePool: "default",
    nodePoolUid: "uid-default",
    nodePoolHash: "hash-default",
    nodeClass: "default",
    nodeClassHash: "hash-class",
    requirements: [
      req(capacityType, "In", "on-demand"),
      req(arch, "In", "amd64"),
      req("karpenter.sh/nodepool", "In", "default"),
    ],
    instanceTypes: ["a1.medium"],
    labels: { "karpenter.sh/nodepool": "default" },
    annotations: {},
    taints: [],
    startupTaints: [],
    requests: {},
    expireAfterMs: null,
    terminationGracePeriodMs: null,
    reason: "provisioned",
    ...over,
  };
}

/** A claim whose instance runs as this node (a1.medium in z-a). */
export function joined(of: Node, over: Partial<NodeClaim> = {}): NodeClaim {
  return claim(`claim-${of.name}`, {
    instance: {
      id: `i-${of.name}`,
      providerId: of.providerId!,
      instanceType: "a1.medium",
      zone: "z-a",
      capacityType: "on-demand",
      priceMicroUsd: 200_000,
      capacity: { cpu: 4000, memory: 8 * gi, pods: 20 },
      allocatable: { cpu: 4000, memory: 8 * gi, pods: 20 },
      launchedAtMs: nowMs - 500_000,
    },
    nodeName: of.name,
    nodeUid: of.uid,
    registeredAtMs: nowMs - 400_000,
    initializedAtMs: nowMs - 300_000,
    ...over,
  });
}

/** Fields that are set to undefined on purpose are left out, as the model has them. */
export function definedOnly(of: NodeClaim): NodeClaim {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as unknown as NodeClaim;
}

export function snapshot(over: Partial<Snapshot> = {}): Snapshot {
  return {
    nowMs,
    head: { seq: 7, epoch: "e1", clusterUid: "cluster-uid" },
    settings: {
      clusterName: "test",
      batchIdleMs: 1_000,
      batchMaxMs: 10_000,
      preferencePolicy: "Respect",
      minValuesPolicy: "Strict",
      vmMemoryOverheadPpm: 0,
      reservedEnis: 0,
      ignoreDraRequests: true,
      featureGates: {
        nodeRepair: false,
        reservedCapacity: true,
        spotToSpotConsolidation: false,
        nodeOverlay: false,
        staticCapacity: false,
        capacityBuffer: false,
      },
    },
    catalog,
    nodes: [],
    pods: [],
    daemonSets: [],
    nodePools: [pool("default")],
    nodeClasses: [nodeClass()],
    podDisruptionBudgets: [],
    namespaces: [{ name: "default", labels: {} }],
    persistentVolumeClaims: [],
    persistentVolumes: [],
    storageClasses: [],
    csiNodes: [],
    resourceClaims: [],
    resourceClaimTemplates: [],
    deviceClasses: [],
    resourceSlices: [],
    unreadable: [],
    resourceVersion: "1",
    claims: [],
    placements: [],
    commands: [],
    refusals: [],
    reservations: [],
    nodeOverlays: [],
    capacityBuffers: [],
    ...over,
  };
}

export const taint = (key: string, value = "", effect: Taint["effect"] = "NoSchedule"): Taint => ({
  key,
  value,
  effect,
});
