// Claims for nodes that stand in the input without one, and prices for claims from documents.
import { offeringPriceMicroUsd } from "../../shared/core/catalog/index.ts";
import {
  annotations,
  type CapacityType,
  type Catalog,
  labels,
  type Node,
  type NodeClaim,
  type NodeClass,
  type NodePool,
} from "../../shared/core/model/index.ts";

export interface Fleet {
  readonly nodes: readonly Node[];
  readonly claims: readonly NodeClaim[];
}

/**
 * Ties nodes and claims together. A node that carries a pool's label but has no claim gets one: launched, registered and
 * initialized when the node was created. Without a creation time that is long ago, and such a node never expires, since
 * nobody knows its age. Nodes without a provider id get one, for it is what ties a claim to its node.
 */
export function fleetOf(
  nodes: readonly Node[],
  claims: readonly NodeClaim[],
  pools: readonly NodePool[],
  nodeClasses: readonly NodeClass[],
  catalog: Catalog,
): Fleet {
  const claimed = new Set(claims.flatMap(({ instance }) => (instance === undefined ? [] : [instance.providerId])));
  const claimedNames = new Set(claims.flatMap(({ nodeName }) => (nodeName === undefined ? [] : [nodeName])));
  const poolsByName = new Map(pools.map((pool) => [pool.name, pool]));
  const hashes = new Map(nodeClasses.map(({ name, hash }) => [name, hash]));
  const named = nodes.map((node) =>
    node.providerId === undefined ? { ...node, providerId: madeProviderId(node) } : node,
  );
  const made = named
    .filter((node) => node.labels[labels.nodePool] !== undefined)
    .filter((node) => !claimed.has(node.providerId!) && !claimedNames.has(node.name))
    .map((node) => claimFor(node, poolsByName.get(node.labels[labels.nodePool]!), hashes));
  const priced = [...claims, ...made].map((claim) => withPrice(claim, catalog));
  return { nodes: named, claims: priced };
}

function madeProviderId(node: Node): string {
  return `aws:///${node.labels[labels.zone] ?? "nowhere"}/${node.name}`;
}

function claimFor(node: Node, pool: NodePool | undefined, classHashes: ReadonlyMap<string, string>): NodeClaim {
  const own = node.labels;
  const instanceType = own[labels.instanceType] ?? "";
  const nodeClass = pool?.nodeClassRef.name ?? own[labels.nodeClass] ?? "";
  const providerId = node.providerId!;
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
    instanceTypes: instanceType === "" ? [] : [instanceType],
    labels: own,
    annotations: node.annotations,
    taints: node.taints,
    startupTaints: pool?.startupTaints ?? [],
    requests: {},
    expireAfterMs: node.createdAtMs === 0 ? null : (pool?.expireAfterMs ?? null),
    terminationGracePeriodMs: pool?.terminationGracePeriodMs ?? null,
    reason: "provisioned",
    instance: {
      id: providerId.split("/").at(-1)!,
      providerId,
      instanceType,
      zone: own[labels.zone] ?? "",
      ...(own[labels.zoneId] === undefined ? {} : { zoneId: own[labels.zoneId]! }),
      capacityType: (own[labels.capacityType] ?? "on-demand") as CapacityType,
      priceMicroUsd: 0,
      capacity: node.capacity,
      allocatable: node.allocatable,
      launchedAtMs: node.createdAtMs,
    },
    nodeName: node.name,
    nodeUid: node.uid,
    registeredAtMs: node.createdAtMs,
    initializedAtMs: node.createdAtMs,
  };
}

function withPrice(claim: NodeClaim, catalog: Catalog): NodeClaim {
  const { instance } = claim;
  if (instance === undefined) return claim;
  const { instanceType, zone, capacityType } = instance;
  const priceMicroUsd = offeringPriceMicroUsd(catalog, instanceType, zone, capacityType) ?? 0;
  return { ...claim, instance: { ...instance, priceMicroUsd } };
}
