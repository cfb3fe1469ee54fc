import type { KeptNode, KeptNodeClaim, KeptPod } from "../../relay/objects.ts";

const resources = { requests: { cpu: 100, pods: 1 }, limits: {} };

export function keptPod(given: Partial<KeptPod> = {}): KeptPod {
  return {
    uid: "p1",
    namespace: "default",
    name: "web-1",
    owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web" },
    isDaemon: false,
    isStatic: false,
    nodeName: undefined,
    phase: "Pending",
    ready: false,
    unschedulable: false,
    gated: false,
    nominated: false,
    doNotDisrupt: undefined,
    createdAtMs: 1_000,
    scheduledAtMs: undefined,
    startedAtMs: undefined,
    readyAtMs: undefined,
    deletionAtMs: undefined,
    resources,
    ...given,
  };
}

export function keptNode(given: Partial<KeptNode> = {}): KeptNode {
  return {
    uid: "n1",
    name: "node-1",
    providerId: "aws:///a/i-1",
    labels: {},
    annotations: {},
    taints: [],
    capacity: {},
    allocatable: {},
    conditions: [],
    cordoned: false,
    createdAtMs: 1_000,
    deletionAtMs: undefined,
    ...given,
  };
}

export function keptClaim(given: Partial<KeptNodeClaim> = {}): KeptNodeClaim {
  return {
    uid: "c1",
    name: "claim-1",
    generation: 1,
    labels: {},
    annotations: {},
    conditions: [],
    createdAtMs: 1_000,
    deletionAtMs: undefined,
    nodePool: "default",
    nodeName: "node-1",
    providerId: "aws:///a/i-1",
    lastPodEventAtMs: undefined,
    ...given,
  };
}
