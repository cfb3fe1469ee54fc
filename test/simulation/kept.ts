// What the memory cluster holds, as the relay would keep it after reading the API server's documents.
import type {
  KeptBuffer,
  KeptNode,
  KeptNodeClaim,
  KeptNodeClass,
  KeptNodePool,
  KeptOverlay,
  KeptPod,
  Kind,
} from "../../relay/objects.ts";
import type { MemoryCluster, StoredMirror } from "../../shared/adapters/memory/cluster.ts";
import {
  annotations,
  type CapacityBuffer,
  type Node,
  type NodeClass,
  type NodeOverlay,
  type NodePool,
  type Pod,
} from "../../shared/core/model/index.ts";

/** One kind: its objects as they stand, and how one is kept. */
export interface Kept {
  readonly kind: Kind;
  readonly objects: readonly { readonly uid: string; readonly resourceVersion: string }[];
  readonly convert: (object: never) => object;
}

export function keptObjects(cluster: MemoryCluster): readonly Kept[] {
  return [
    { kind: "Pod", objects: cluster.pods.list(), convert: keptPod },
    { kind: "Node", objects: cluster.nodes.list(), convert: keptNode },
    { kind: "NodePool", objects: cluster.nodePools.list(), convert: keptPool },
    { kind: "EC2NodeClass", objects: cluster.nodeClasses.list(), convert: keptClass },
    { kind: "NodeClaim", objects: cluster.mirrors.list(), convert: keptClaim },
    { kind: "NodeOverlay", objects: cluster.nodeOverlays.list(), convert: keptOverlay },
    { kind: "CapacityBuffer", objects: cluster.capacityBuffers.list(), convert: keptBuffer },
  ];
}

function keptPod(pod: Pod): KeptPod {
  return {
    uid: pod.uid,
    namespace: pod.namespace,
    name: pod.name,
    owner: undefined,
    isDaemon: pod.owner?.kind === "DaemonSet",
    isStatic: pod.mirror,
    nodeName: pod.nodeName,
    phase: pod.phase,
    ready: pod.ready,
    unschedulable: pod.unschedulable,
    gated: pod.schedulingGates.length > 0,
    nominated: pod.nominatedNodeName !== undefined,
    doNotDisrupt: pod.annotations[annotations.doNotDisrupt],
    createdAtMs: pod.createdAtMs,
    scheduledAtMs: undefined,
    startedAtMs: undefined,
    readyAtMs: undefined,
    deletionAtMs: pod.deletionAtMs,
    resources: { requests: pod.requests, limits: {} },
  };
}

function keptNode(node: Node): KeptNode {
  const { uid, name, labels, taints, capacity, allocatable, cordoned, createdAtMs } = node;
  return {
    uid,
    name,
    providerId: node.providerId,
    labels,
    annotations: node.annotations,
    taints,
    capacity,
    allocatable,
    conditions: node.conditions.map((condition) => ({ ...condition, reason: "" })),
    cordoned,
    createdAtMs,
    deletionAtMs: node.deletionAtMs,
  };
}

function keptPool(pool: NodePool): KeptNodePool {
  const { uid, name, generation, labels, createdAtMs, weight, limits } = pool;
  const { consolidationPolicy, consolidateAfterMs, budgets } = pool;
  return {
    uid,
    name,
    generation,
    labels,
    conditions: [],
    createdAtMs,
    deletionAtMs: pool.deletionAtMs,
    weight,
    limits,
    usage: {},
    nodeClassName: pool.nodeClassRef.name,
    replicas: pool.replicas,
    consolidationPolicy,
    consolidateAfterMs,
    budgets,
  };
}

function keptClass(nodeClass: NodeClass): KeptNodeClass {
  const { uid, name, generation, resolved, ready } = nodeClass;
  const ids = [...resolved.amis, ...resolved.subnets].map(({ id }) => id).concat(resolved.securityGroupIds);
  return {
    uid,
    name,
    generation,
    labels: {},
    conditions: [{ type: "Ready", status: ready ? "True" : "False", reason: "", changedAtMs: 0 }],
    createdAtMs: 0,
    deletionAtMs: nodeClass.deletionAtMs,
    resolvedIds: ids.sort().join(" "),
    reservations: resolved.capacityReservations.map(({ id, endAtMs }) => `${id}/${endAtMs ?? ""}`).join(" "),
  };
}

function keptClaim({ uid, name, deletionAtMs, lastPodEventAtMs, claim }: StoredMirror): KeptNodeClaim {
  return {
    uid,
    name,
    generation: 1,
    labels: {},
    conditions: [],
    createdAtMs: claim.createdAtMs,
    deletionAtMs,
    annotations: {},
    nodePool: claim.nodePool,
    nodeName: claim.nodeName,
    providerId: claim.instance === undefined ? undefined : providerIdOf(claim.instance),
    lastPodEventAtMs,
  };
}

function keptOverlay({ uid, name, generation }: NodeOverlay): KeptOverlay {
  return { uid, name, generation };
}

function keptBuffer({ uid, namespace, name, generation, podTemplate }: CapacityBuffer): KeptBuffer {
  return { uid, namespace, name, generation, podTemplate: podTemplate?.name };
}

function providerIdOf({ zone, id }: { readonly zone: string; readonly id: string }): string {
  return `aws:///${zone}/${id}`;
}
