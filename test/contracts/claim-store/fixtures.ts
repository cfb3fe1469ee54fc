import type {
  ClaimInstance,
  Command,
  FleetRequest,
  Head,
  PlanChunk,
  PlannedClaim,
} from "../../../shared/core/model/index.ts";

export const t0 = 1_760_000_000_000;
export const head: Head = { seq: 0, epoch: "e1", clusterUid: "6f1c2a9e-0000-4000-8000-000000000001" };

/** A claim as the planner makes it, with the widest list of types. */
export function planned(name: string, pods: readonly string[] = []): PlannedClaim {
  return {
    name,
    nodePool: "default",
    nodePoolUid: "b0a7f2c4-1111-4222-8333-444455556666",
    nodePoolHash: "11962174893741502938",
    nodeClass: "default",
    nodeClassHash: "15379597991425564585",
    requirements: [
      { key: "karpenter.k8s.aws/instance-category", operator: "In", values: ["c", "m", "r"] },
      { key: "karpenter.k8s.aws/instance-generation", operator: "Gt", values: ["2"] },
      { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand", "spot"] },
      { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
      { key: "kubernetes.io/os", operator: "In", values: ["linux"] },
      { key: "topology.kubernetes.io/zone", operator: "In", values: ["us-east-1a", "us-east-1b", "us-east-1c"] },
    ],
    instanceTypes: sixtyTypes,
    cheapest: { instanceType: "c6a.large", zone: "us-east-1a", capacityType: "spot", priceMicroUsd: 33_100 },
    labels: { "karpenter.sh/nodepool": "default", team: "a" },
    annotations: { "karpenter.sh/nodepool-hash": "11962174893741502938" },
    taints: [{ key: "dedicated", value: "batch", effect: "NoSchedule" }],
    startupTaints: [],
    requests: { cpu: 1_850, memory: 3_221_225_472, pods: 7 },
    expireAfterMs: 2_592_000_000,
    terminationGracePeriodMs: null,
    pods,
  };
}

const families = ["c5", "c5a", "c6a", "c6i", "c7a", "c7i", "m5", "m5a", "m6a", "m6i", "m7a", "m7i", "r5", "r6a", "r7i"];
const sizes = ["large", "xlarge", "2xlarge", "4xlarge"];
const sixtyTypes = sizes.flatMap((size) => families.map((family) => `${family}.${size}`));

export function chunk(id: string, claims: readonly PlannedClaim[], more: Partial<PlanChunk> = {}): PlanChunk {
  return {
    id,
    index: 0,
    claims,
    placements: [],
    commands: [],
    reason: "provisioned",
    createdAtMs: t0,
    nominatedUntilMs: t0 + 20_000,
    ...more,
  };
}

export function command(id: string, candidates: readonly string[], more: Partial<Command> = {}): Command {
  return {
    id,
    reason: "Empty",
    decision: "delete",
    candidates,
    replacements: [],
    savingsMicroUsdPerHour: 96_000,
    ...more,
  };
}

export function fleetRequest(token: string, count: number, userData = "[settings.kubernetes]\n"): FleetRequest {
  return {
    clientToken: token,
    count,
    capacityType: "spot",
    allocationStrategy: "price-capacity-optimized",
    templates: [
      {
        name: "timmerman-4f2a",
        imageId: "ami-0a1b2c3d4e5f60718",
        userData,
        securityGroupIds: ["sg-0123456789abcdef0"],
        blockDevices: [{ deviceName: "/dev/xvda", rootVolume: true, volumeSizeGiB: 20, encrypted: true }],
        metadataOptions: {
          httpEndpoint: "enabled",
          httpProtocolIPv6: "disabled",
          httpPutResponseHopLimit: 1,
          httpTokens: "required",
        },
        detailedMonitoring: false,
        tags: { Name: "default" },
      },
    ],
    overrides: sixtyTypes.flatMap((instanceType, at) =>
      ["us-east-1a", "us-east-1b", "us-east-1c"].map((zone) => ({
        template: "timmerman-4f2a",
        instanceType,
        zone,
        subnetId: `subnet-${zone}`,
        imageId: "ami-0a1b2c3d4e5f60718",
        priority: at,
        priceMicroUsd: 33_100 + at,
      })),
    ),
    tags: { "timmerman/deployment": "d1", "timmerman/launch": token },
  };
}

export function instance(id: string): ClaimInstance {
  return {
    id,
    providerId: `aws:///us-east-1a/${id}`,
    instanceType: "c6a.large",
    zone: "us-east-1a",
    zoneId: "use1-az1",
    capacityType: "spot",
    priceMicroUsd: 33_100,
    imageId: "ami-0a1b2c3d4e5f60718",
    subnetId: "subnet-0f00ba12",
    capacity: { cpu: 2_000, memory: 3_972_844_748, pods: 29, "ephemeral-storage": 21_474_836_480 },
    allocatable: { cpu: 1_930, memory: 3_398_270_156, pods: 29, "ephemeral-storage": 18_242_267_924 },
    launchedAtMs: t0 + 4_000,
  };
}
