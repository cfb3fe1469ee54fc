// Objects as the relay keeps them, for tests: each with everything filled in that the test at hand does not care about.
import type {
  Condition,
  KeptNode,
  KeptNodeClaim,
  KeptNodeClass,
  KeptNodePool,
  KeptPod,
} from "../../../relay/objects.ts";

/** 2026-01-01T00:00:00Z. */
export const startMs = 1_767_225_600_000;

export function pod(name: string, rest: Partial<KeptPod> = {}): KeptPod {
  return {
    uid: `uid-of-${name}`,
    namespace: "default",
    name,
    owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-5d4" },
    isDaemon: false,
    isStatic: false,
    nodeName: undefined,
    phase: "Pending",
    ready: false,
    unschedulable: false,
    gated: false,
    nominated: false,
    doNotDisrupt: undefined,
    createdAtMs: startMs,
    scheduledAtMs: undefined,
    startedAtMs: undefined,
    readyAtMs: undefined,
    deletionAtMs: undefined,
    resources: { requests: { cpu: 500, memory: 1_073_741_824, pods: 1 }, limits: { memory: 2_147_483_648 } },
    ...rest,
  };
}

export function node(name: string, rest: Partial<KeptNode> = {}): KeptNode {
  return {
    uid: `uid-of-${name}`,
    name,
    providerId: `aws:///eu-west-1a/i-${name}`,
    labels: {
      "karpenter.sh/nodepool": "default",
      "karpenter.sh/registered": "true",
      "karpenter.sh/initialized": "true",
      "karpenter.sh/capacity-type": "spot",
      "topology.kubernetes.io/zone": "eu-west-1a",
      "node.kubernetes.io/instance-type": "m7g.large",
      "kubernetes.io/arch": "arm64",
      "kubernetes.io/os": "linux",
      "karpenter.k8s.aws/instance-cpu": "2",
      "karpenter.k8s.aws/ec2nodeclass": "standard",
      "topology.k8s.aws/zone-id": "euw1-az1",
      team: "not one of Karpenter's",
    },
    annotations: {},
    taints: [],
    capacity: { cpu: 2000, memory: 8_000_000_000, "ephemeral-storage": 20_000_000_000, pods: 29 },
    allocatable: { cpu: 1930, memory: 7_000_000_000, "ephemeral-storage": 18_000_000_000, pods: 29 },
    conditions: [condition("Ready", "True", "KubeletReady")],
    cordoned: false,
    createdAtMs: startMs,
    deletionAtMs: undefined,
    ...rest,
  };
}

export function condition(
  type: string,
  status: Condition["status"] = "True",
  reason = type,
  changedAtMs = startMs,
): Condition {
  return { type, status, reason, changedAtMs };
}

export function claim(name: string, rest: Partial<KeptNodeClaim> = {}): KeptNodeClaim {
  return {
    uid: `uid-of-claim-${name}`,
    name: `default-${name}`,
    generation: 1,
    labels: {
      "karpenter.sh/nodepool": "default",
      "karpenter.sh/capacity-type": "spot",
      "topology.kubernetes.io/zone": "eu-west-1a",
      "karpenter.k8s.aws/ec2nodeclass": "standard",
    },
    annotations: {},
    conditions: [condition("Launched"), condition("Registered"), condition("Initialized"), condition("Ready")],
    createdAtMs: startMs,
    deletionAtMs: undefined,
    nodePool: "default",
    nodeName: name,
    providerId: `aws:///eu-west-1a/i-${name}`,
    lastPodEventAtMs: undefined,
    ...rest,
  };
}

export function pool(name: string, rest: Partial<KeptNodePool> = {}): KeptNodePool {
  return {
    uid: `uid-of-pool-${name}`,
    name,
    generation: 1,
    labels: {},
    conditions: [condition("Ready")],
    createdAtMs: startMs,
    deletionAtMs: undefined,
    weight: 0,
    limits: {},
    usage: {},
    nodeClassName: "standard",
    replicas: undefined,
    consolidationPolicy: "WhenEmptyOrUnderutilized",
    consolidateAfterMs: 0,
    budgets: [{ nodes: "10%" }],
    ...rest,
  };
}

export function nodeClass(name: string, rest: Partial<KeptNodeClass> = {}): KeptNodeClass {
  return {
    uid: `uid-of-class-${name}`,
    name,
    generation: 1,
    labels: {},
    conditions: [condition("Ready")],
    createdAtMs: startMs,
    deletionAtMs: undefined,
    resolvedIds: "ami-1 subnet-1",
    reservations: "",
    ...rest,
  };
}
