import type { Catalog, NodeClass, Settings } from "../../../shared/core/model/index.ts";

export const settings: Settings = {
  clusterName: "test",
  batchIdleMs: 1000,
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

export const nodeClass: NodeClass = {
  uid: "class-1",
  name: "default",
  resourceVersion: "1",
  generation: 1,
  hash: "h",
  amiFamily: "AL2023",
  amiSelectorTerms: [{ alias: "al2023@latest" }],
  subnetSelectorTerms: [{ id: "subnet-1" }],
  securityGroupSelectorTerms: [{ id: "sg-1" }],
  capacityReservationSelectorTerms: [],
  role: "node",
  tags: {},
  blockDevices: [],
  kubelet: {},
  metadataOptions: {
    httpEndpoint: "enabled",
    httpProtocolIPv6: "disabled",
    httpPutResponseHopLimit: 1,
    httpTokens: "required",
  },
  resolved: {
    amis: [],
    subnets: [
      { id: "subnet-1", zone: "us-east-1a", zoneId: "use1-az1" },
      { id: "subnet-2", zone: "us-east-1b", zoneId: "use1-az2" },
    ],
    securityGroupIds: ["sg-1"],
    capacityReservations: [],
  },
  ready: true,
};

/** m5.large as EC2 describes it, as far as it is read. */
export const m5Large = {
  InstanceType: "m5.large",
  SupportedUsageClasses: ["on-demand", "spot"],
  SupportedVirtualizationTypes: ["hvm"],
  BareMetal: false,
  Hypervisor: "nitro",
  ProcessorInfo: { Manufacturer: "Intel", SupportedArchitectures: ["x86_64"], SustainedClockSpeedInGhz: 3.1 },
  VCpuInfo: { DefaultVCpus: 2 },
  MemoryInfo: { SizeInMiB: 8192 },
  EbsInfo: { EbsOptimizedSupport: "default", EbsOptimizedInfo: { MaximumBandwidthInMbps: 4750 } },
  NetworkInfo: {
    DefaultNetworkCardIndex: 0,
    Ipv4AddressesPerInterface: 10,
    MaximumNetworkInterfaces: 3,
    EncryptionInTransitSupported: false,
    NetworkCards: [{ NetworkCardIndex: 0, MaximumNetworkInterfaces: 3, BaselineBandwidthInGbps: 0.75 }],
  },
};

export const catalog: Catalog = {
  region: "us-east-1",
  zones: [
    { name: "us-east-1a", id: "use1-az1" },
    { name: "us-east-1b", id: "use1-az2" },
    { name: "us-east-1c", id: "use1-az3" },
  ],
  instanceTypes: [m5Large],
  offerings: {},
  onDemand: { "m5.large": 0.096 },
  spot: { "m5.large": { "us-east-1a": 0.035, "us-east-1c": 0.03 } },
  unavailable: [],
  reserved: [],
};

/** A catalog of one type, sold on demand in every zone. */
export function catalogOf(description: Catalog["instanceTypes"][number]): Catalog {
  return {
    ...catalog,
    instanceTypes: [description],
    onDemand: { [description.InstanceType]: 1 },
    spot: {},
  };
}
