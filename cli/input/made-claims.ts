// What a node says of itself, as the claim or the instance that it would have in a cluster of ours.
import {
  annotations,
  type CapacityType,
  type ClaimInstance,
  labels,
  type Node,
  type NodeClaim,
  type NodePool,
} from "../../shared/core/model/index.ts";

/** A launched, registered and initialized claim for a node that carries its pool's label. Its age is the node's. */
export function claimFor(
  node: Node,
  pool: NodePool | undefined,
  classHashes: ReadonlyMap<string, string>,
): NodeClaim & { readonly instance: ClaimInstance } {
  const own = node.labels;
  const instance = instanceOf(node);
  const nodeClass = pool?.nodeClassRef.name ?? own[labels.nodeClass] ?? "";
  return {
    name: node.name,
    version: 1,
    createdAtMs: node.createdAtMs,
    nodePool: own[labels.nodePool]!,
    nodePoolUid: pool?.uid ?? "",
    nodePoolHash: node.annotations[annotations.nodePoolHash] ?? pool?.hash ?? "",
    nodeClass,
    nodeClassHash: node.annotations[annotations.nodeClassHash] ?? classHashes.get(nodeClass) ?? "",
    requirements: Object.keys(own)
      .sort()
      .map((key) => ({ key, operator: "In", values: [own[key]!] })),
    instanceTypes: instance.instanceType === "" ? [] : [instance.instanceType],
    labels: own,
    annotations: {},
    taints: node.taints,
    startupTaints: pool?.startupTaints ?? [],
    requests: {},
    expireAfterMs: pool?.expireAfterMs ?? null,
    terminationGracePeriodMs: pool?.terminationGracePeriodMs ?? null,
    reason: "provisioned",
    instance,
    nodeName: node.name,
    nodeUid: node.uid,
    registeredAtMs: node.createdAtMs,
    initializedAtMs: node.createdAtMs,
  };
}

/** The instance that a node runs on. The node must have a provider id. */
export function instanceOf(node: Node): ClaimInstance {
  const own = node.labels;
  const providerId = node.providerId!;
  return {
    id: providerId.split("/").at(-1)!,
    providerId,
    instanceType: own[labels.instanceType] ?? "",
    zone: own[labels.zone] ?? "",
    ...(own[labels.zoneId] === undefined ? {} : { zoneId: own[labels.zoneId] }),
    capacityType: (own[labels.capacityType] ?? "on-demand") as CapacityType,
    priceMicroUsd: 0,
    capacity: node.capacity,
    allocatable: node.allocatable,
    launchedAtMs: node.createdAtMs,
  };
}
