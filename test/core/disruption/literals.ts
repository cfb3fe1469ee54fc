import type { NodeClaim, NodePool, Snapshot } from "../../../shared/core/model/index.ts";
import { claim, instance, minute, node, t0 } from "../lifecycle/literals.ts";

export function pool(change: Partial<NodePool> = {}): NodePool {
  return {
    uid: "pool-1",
    name: "default",
    resourceVersion: "1",
    generation: 1,
    createdAtMs: t0,
    hash: "1",
    weight: 0,
    nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
    requirements: [],
    labels: {},
    annotations: {},
    taints: [],
    startupTaints: [],
    expireAfterMs: null,
    terminationGracePeriodMs: null,
    consolidationPolicy: "WhenEmptyOrUnderutilized",
    consolidateAfterMs: minute,
    budgets: [],
    limits: {},
    ...change,
  };
}

/** An initialized claim and its node, numbered. */
export function held(n: number, change: Partial<NodeClaim> = {}): NodeClaim {
  return claim({
    name: `default-${n}`,
    instance: { ...instance, id: `i-${n}`, providerId: `aws:///us-east-1a/i-${n}`, priceMicroUsd: 1_000 * n },
    registeredAtMs: t0 + minute,
    initializedAtMs: t0 + 2 * minute,
    nodeName: `ip-${n}`,
    ...change,
  });
}

export function nodeOf(n: number, change: Parameters<typeof node>[0] = {}): ReturnType<typeof node> {
  return node({ uid: `node-${n}`, name: `ip-${n}`, providerId: `aws:///us-east-1a/i-${n}`, ...change });
}

export function snapshot(change: Partial<Snapshot> = {}): Snapshot {
  return {
    nowMs: t0 + 60 * minute,
    head: { seq: 5, epoch: "e1", clusterUid: "u" },
    settings: {
      clusterName: "demo",
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
    },
    catalog: {
      region: "us-east-1",
      zones: [],
      instanceTypes: [],
      offerings: {},
      onDemand: {},
      spot: {},
      unavailable: [],
      reserved: [],
    },
    claims: [held(1)],
    placements: [],
    commands: [],
    refusals: [],
    reservations: [],
    nodeOverlays: [],
    capacityBuffers: [],
    nodes: [nodeOf(1)],
    pods: [],
    daemonSets: [],
    nodePools: [pool()],
    nodeClasses: [],
    podDisruptionBudgets: [],
    namespaces: [],
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
    ...change,
  };
}
