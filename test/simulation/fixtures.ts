// Literals that the worlds without sockets are made of: a small catalog, a pool, a class, settings.
import type {
  Catalog,
  InstanceTypeDescription,
  NodeClass,
  NodePool,
  Pod,
  Settings,
} from "../../shared/core/model/index.ts";

export const clusterName = "demo";
export const region = "us-east-1";
export const startMs = Date.UTC(2026, 2, 2, 9, 0, 0);

function described(name: string, vcpus: number, memoryMiB: number, enis: number): InstanceTypeDescription {
  return {
    InstanceType: name,
    CurrentGeneration: true,
    SupportedUsageClasses: ["on-demand", "spot"],
    SupportedRootDeviceTypes: ["ebs"],
    SupportedVirtualizationTypes: ["hvm"],
    BareMetal: false,
    Hypervisor: "nitro",
    ProcessorInfo: { Manufacturer: "Intel", SupportedArchitectures: ["x86_64"], SustainedClockSpeedInGhz: 3.1 },
    VCpuInfo: { DefaultVCpus: vcpus, DefaultCores: vcpus / 2, DefaultThreadsPerCore: 2 },
    MemoryInfo: { SizeInMiB: memoryMiB },
    InstanceStorageSupported: false,
    EbsInfo: { EbsOptimizedSupport: "default", EbsOptimizedInfo: { MaximumBandwidthInMbps: 4750 } },
    NetworkInfo: {
      DefaultNetworkCardIndex: 0,
      Ipv4AddressesPerInterface: 10,
      MaximumNetworkInterfaces: enis,
      EncryptionInTransitSupported: false,
      NetworkCards: [{ NetworkCardIndex: 0, MaximumNetworkInterfaces: enis, BaselineBandwidthInGbps: 0.75 }],
    },
  };
}

const zoneA = "us-east-1a";
const zoneB = "us-east-1b";

export const catalog: Catalog = {
  region,
  zones: [
    { name: zoneA, id: "use1-az1" },
    { name: zoneB, id: "use1-az2" },
  ],
  instanceTypes: [
    described("m5.large", 2, 8192, 3),
    described("m5.xlarge", 4, 16384, 4),
    described("c5.large", 2, 4096, 3),
    described("c5.xlarge", 4, 8192, 4),
  ],
  offerings: {},
  onDemand: { "m5.large": 0.096, "m5.xlarge": 0.192, "c5.large": 0.085, "c5.xlarge": 0.17 },
  spot: {
    "m5.large": { [zoneA]: 0.035, [zoneB]: 0.036 },
    "m5.xlarge": { [zoneA]: 0.07, [zoneB]: 0.072 },
    "c5.large": { [zoneA]: 0.031, [zoneB]: 0.032 },
    "c5.xlarge": { [zoneA]: 0.062, [zoneB]: 0.064 },
  },
  unavailable: [],
  reserved: [],
};

export const subnets = [
  {
    id: "subnet-a",
    zone: zoneA,
    zoneId: "use1-az1",
    freeAddresses: 200,
    tags: { "karpenter.sh/discovery": clusterName },
  },
  {
    id: "subnet-b",
    zone: zoneB,
    zoneId: "use1-az2",
    freeAddresses: 190,
    tags: { "karpenter.sh/discovery": clusterName },
  },
] as const;

export const securityGroups = [
  { id: "sg-nodes", name: "nodes", tags: { "karpenter.sh/discovery": clusterName } },
] as const;

export const images = [
  {
    id: "ami-standard",
    name: "amazon-eks-node-al2023-x86_64-standard-1.34-v20260201",
    architecture: "x86_64",
    createdAtMs: Date.UTC(2026, 1, 1),
    deprecated: false,
    owner: "amazon",
  },
] as const;

export const settings: Settings = {
  clusterName,
  clusterEndpoint: "https://demo.example",
  batchIdleMs: 1_000,
  batchMaxMs: 10_000,
  preferencePolicy: "Respect",
  minValuesPolicy: "Strict",
  vmMemoryOverheadPpm: 75_000,
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
};

export const bootstrap = {
  endpoint: "https://demo.example",
  caBundle: "Y2E=",
  serviceCidr: "172.20.0.0/16",
  kubernetesVersion: "1.34",
};

export const nodeClass: Omit<NodeClass, "uid" | "resourceVersion"> = {
  name: "default",
  generation: 1,
  hash: "class-hash",
  amiFamily: "AL2023",
  amiSelectorTerms: [{ alias: "al2023@v20260201" }],
  subnetSelectorTerms: [{ tags: { "karpenter.sh/discovery": clusterName } }],
  securityGroupSelectorTerms: [{ tags: { "karpenter.sh/discovery": clusterName } }],
  capacityReservationSelectorTerms: [],
  role: "node-role",
  tags: {},
  blockDevices: [],
  kubelet: {},
  metadataOptions: {
    httpEndpoint: "enabled",
    httpProtocolIPv6: "disabled",
    httpPutResponseHopLimit: 1,
    httpTokens: "required",
  },
  resolved: { amis: [], subnets: [], securityGroupIds: [], capacityReservations: [] },
  ready: false,
};

export const nodePool: Omit<NodePool, "uid" | "resourceVersion"> = {
  name: "default",
  generation: 1,
  createdAtMs: startMs - 3_600_000,
  hash: "pool-hash",
  weight: 0,
  nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
  requirements: [
    { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
    { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand", "spot"] },
  ],
  labels: { team: "platform" },
  annotations: {},
  taints: [],
  startupTaints: [],
  expireAfterMs: 720 * 3_600_000,
  terminationGracePeriodMs: 48 * 3_600_000,
  consolidationPolicy: "WhenEmptyOrUnderutilized",
  consolidateAfterMs: 60_000,
  budgets: [{ nodes: "100%" }],
  limits: {},
};

/** A pending pod of a workload; `requests` in milli-CPU and bytes. */
export function pendingPod(
  name: string,
  createdAtMs: number,
  change: Partial<Omit<Pod, "name">> = {},
): Omit<Pod, "uid" | "resourceVersion"> {
  return {
    namespace: "default",
    name,
    createdAtMs,
    phase: "Pending",
    unschedulable: false,
    ready: false,
    mirror: false,
    labels: { app: "web" },
    annotations: {},
    requests: { cpu: 1_000, memory: 1_073_741_824, pods: 1 },
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
    ...change,
  };
}
