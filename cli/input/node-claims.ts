// Claims and nodes of the input tied together, claims for nodes that stand there without one, and prices for both.
import { offeringPriceMicroUsd } from "../../shared/core/catalog/index.ts";
import {
  type CapacityType,
  type Catalog,
  labels,
  type Node,
  type NodeClaim,
  type NodeClass,
  type NodePool,
} from "../../shared/core/model/index.ts";
import { claimFor, instanceOf } from "./made-claims.ts";

export interface Fleet {
  readonly nodes: readonly Node[];
  readonly claims: readonly NodeClaim[];
  /** Lines for stderr. */
  readonly notes: readonly string[];
}

/**
 * Ties nodes and claims together: by provider id, or else by the node name in the claim's status, for what is one machine
 * must not count twice. Afterwards both have the same provider id, and the claim says of its instance what only the node
 * said. A node that carries a pool's label but has no claim gets one: launched, registered and initialized when the node
 * was created.
 */
export function fleetOf(
  nodes: readonly Node[],
  claims: readonly NodeClaim[],
  pools: readonly NodePool[],
  nodeClasses: readonly NodeClass[],
  catalog: Catalog,
): Fleet {
  const { single, notes } = singled(claims);
  const identified = withProviderIds(nodes);
  const nodeOf = tiesOf(identified, single);
  const tied = new Map([...nodeOf].map(([name, node]) => [node.name, name]));
  const joined = single.map((claim) => {
    const node = nodeOf.get(claim.name);
    return node === undefined ? unjoined(claim, tied) : joinedTo(claim, node);
  });
  const poolsByName = new Map(pools.map((pool) => [pool.name, pool]));
  const hashes = new Map(nodeClasses.map(({ name, hash }) => [name, hash]));
  const made = identified
    .filter(({ name, labels: own }) => own[labels.nodePool] !== undefined && !tied.has(name))
    .map((node) => leaving(claimFor(node, poolsByName.get(node.labels[labels.nodePool]!), hashes), node));
  const instances = new Map(joined.map(({ name, instance }) => [name, instance?.providerId]));
  return {
    nodes: identified.map((node) => {
      const providerId = instances.get(tied.get(node.name) ?? "") ?? node.providerId!;
      return providerId === node.providerId ? node : { ...node, providerId };
    }),
    claims: [...joined, ...made].map((claim) => ageless(withPrice(claim, catalog))),
    notes,
  };
}

/** Claims of distinct instances: two of one provider id would count its capacity twice, so the first one has it. */
function singled(claims: readonly NodeClaim[]): { single: readonly NodeClaim[]; notes: readonly string[] } {
  const holders = new Map<string, string>();
  const notes: string[] = [];
  const single = claims.filter(({ name, instance }) => {
    if (instance === undefined) return true;
    const holder = holders.get(instance.providerId);
    if (holder === undefined) holders.set(instance.providerId, name);
    else notes.push(`NodeClaim ${name}: left out, since its status.providerID is that of NodeClaim ${holder}`);
    return holder === undefined;
  });
  return { single, notes };
}

/** A provider id is what ties a claim to its node: a node without one, or with that of an earlier node, gets its own. */
function withProviderIds(nodes: readonly Node[]): readonly Node[] {
  const taken = new Set<string>();
  return nodes.map((node) => {
    const own = node.providerId;
    if (own !== undefined && !taken.has(own)) {
      taken.add(own);
      return node;
    }
    return { ...node, providerId: `aws:///${node.labels[labels.zone] ?? "nowhere"}/${node.name}` };
  });
}

/** The node of each claim that has one, by the claim's name. No node is two claims'. */
function tiesOf(nodes: readonly Node[], claims: readonly NodeClaim[]): ReadonlyMap<string, Node> {
  const byProviderId = new Map(nodes.map((node) => [node.providerId!, node]));
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const ties = new Map<string, Node>();
  for (const { name, instance } of claims) {
    const node = instance === undefined ? undefined : byProviderId.get(instance.providerId);
    if (node === undefined) continue;
    ties.set(name, node);
    byName.delete(node.name);
  }
  for (const { name, nodeName } of claims) {
    const node = nodeName === undefined || ties.has(name) ? undefined : byName.get(nodeName);
    if (node === undefined) continue;
    ties.set(name, node);
    byName.delete(node.name);
  }
  return ties;
}

/** A claim without a node doesn't bear the name of one that is another claim's. */
function unjoined(claim: NodeClaim, tied: ReadonlyMap<string, string>): NodeClaim {
  const { nodeName, ...rest } = claim;
  return nodeName !== undefined && tied.has(nodeName) ? rest : claim;
}

/** What a claim's document leaves to its node: name, type, zone and amounts. */
function joinedTo(claim: NodeClaim, node: Node): NodeClaim {
  const seen = instanceOf(node);
  const said = claim.instance ?? { ...seen, launchedAtMs: claim.createdAtMs };
  const amounts = (own: typeof seen.capacity, of: typeof seen.capacity) => (Object.keys(own).length > 0 ? own : of);
  const instance = {
    ...said,
    instanceType: said.instanceType || seen.instanceType,
    zone: said.zone || seen.zone,
    capacityType: (claim.labels[labels.capacityType] ?? seen.capacityType) as CapacityType,
    capacity: amounts(said.capacity, seen.capacity),
    allocatable: amounts(said.allocatable, seen.allocatable),
  };
  return leaving({ ...claim, instance, nodeName: node.name, nodeUid: node.uid }, node);
}

/** Deleting a node deletes its claim. */
function leaving(claim: NodeClaim, node: Node): NodeClaim {
  if (claim.deletion !== undefined || node.deletionAtMs === undefined) return claim;
  return { ...claim, deletion: { requestedAtMs: node.deletionAtMs, reason: "deleted" } };
}

/** Nobody knows how old an object without a creation time is: it never expires, and no lifetime of it is used up. */
function ageless(claim: NodeClaim): NodeClaim {
  return claim.createdAtMs === 0 ? { ...claim, expireAfterMs: null } : claim;
}

function withPrice(claim: NodeClaim, catalog: Catalog): NodeClaim {
  const { instance } = claim;
  if (instance === undefined) return claim;
  const { instanceType, zone, capacityType } = instance;
  const priceMicroUsd = offeringPriceMicroUsd(catalog, instanceType, zone, capacityType) ?? 0;
  return { ...claim, instance: { ...instance, priceMicroUsd } };
}
