// Literals that the tables of lifecycle, disruption, launch and garbage vary.
import type { Node, NodeClaim, NodeClass, Pod } from "../../../shared/core/model/index.ts";

export const t0 = Date.UTC(2026, 2, 2, 9, 0, 0);
export const second = 1_000;
export const minute = 60_000;
export const hour = 3_600_000;

export const instance: NonNullable<NodeClaim["instance"]> = {
  id: "i-1",
  providerId: "aws:///us-east-1a/i-1",
  instanceType: "m5.large",
  zone: "us-east-1a",
  zoneId: "use1-az1",
  capacityType: "spot",
  priceMicroUsd: 35_000,
  capacity: { cpu: 2_000, memory: 8_000_000_000, pods: 29 },
  allocatable: { cpu: 1_930, memory: 7_000_000_000, pods: 29 },
  launchedAtMs: t0 + 2 * second,
};

export function claim(change: Partial<NodeClaim> = {}): NodeClaim {
  return {
    name: "default-abc",
    version: 1,
    createdAtMs: t0,
    nodePool: "default",
    nodePoolUid: "pool-1",
    nodePoolHash: "1",
    nodeClass: "default",
    nodeClassHash: "1",
    requirements: [],
    instanceTypes: ["m5.large"],
    labels: { team: "platform" },
    annotations: {},
    taints: [],
    startupTaints: [],
    requests: { cpu: 1_000, pods: 3 },
    expireAfterMs: null,
    terminationGracePeriodMs: null,
    reason: "provisioned",
    ...change,
  };
}

export function node(change: Partial<Node> = {}): Node {
  return {
    uid: "node-1",
    name: "ip-1",
    resourceVersion: "10",
    providerId: "aws:///us-east-1a/i-1",
    labels: {},
    annotations: {},
    taints: [],
    capacity: { cpu: 2_000, memory: 8_000_000_000, pods: 29 },
    allocatable: { cpu: 1_930, memory: 7_000_000_000, pods: 29 },
    conditions: [{ type: "Ready", status: "True", changedAtMs: t0 }],
    cordoned: false,
    createdAtMs: t0 + minute,
    finalizers: [],
    ...change,
  };
}

export function pod(name: string, change: Partial<Pod> = {}): Pod {
  return {
    uid: `uid-${name}`,
    namespace: "default",
    name,
    resourceVersion: "1",
    createdAtMs: t0,
    phase: "Running",
    nodeName: "ip-1",
    unschedulable: false,
    ready: true,
    mirror: false,
    labels: {},
    annotations: {},
    requests: { cpu: 100, pods: 1 },
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
    terminationGracePeriodMs: 30 * second,
    ...change,
  };
}

export const nodeClass: NodeClass = {
  uid: "class-1",
  name: "default",
  resourceVersion: "1",
  generation: 1,
  hash: "1",
  amiFamily: "AL2023",
  amiSelectorTerms: [{ alias: "al2023@v20250301" }],
  subnetSelectorTerms: [{ tags: { "karpenter.sh/discovery": "demo" } }],
  securityGroupSelectorTerms: [{ tags: { "karpenter.sh/discovery": "demo" } }],
  capacityReservationSelectorTerms: [],
  role: "node-role",
  tags: { owner: "platform" },
  blockDevices: [],
  kubelet: {},
  metadataOptions: {
    httpEndpoint: "enabled",
    httpProtocolIPv6: "disabled",
    httpPutResponseHopLimit: 1,
    httpTokens: "required",
  },
  resolved: {
    amis: [
      {
        id: "ami-x86",
        requirements: [
          { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
          { key: "karpenter.k8s.aws/instance-gpu-count", operator: "DoesNotExist", values: [] },
        ],
      },
      { id: "ami-arm", requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["arm64"] }] },
    ],
    subnets: [
      { id: "subnet-a", zone: "us-east-1a" },
      { id: "subnet-b", zone: "us-east-1b" },
    ],
    securityGroupIds: ["sg-2", "sg-1"],
    capacityReservations: [],
    instanceProfile: "node-profile",
  },
  ready: true,
};
