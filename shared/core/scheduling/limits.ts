import { type InstanceType, type Node, type NodeClaim, type NodePool, own, type Resources } from "../model/index.ts";
import { addResources, raiseResources, subtractResources } from "../resources/index.ts";

/**
 * What a claim takes of its pool's limits: what its instance has (where its record does not say, its node does), or before
 * that the most that any of its types would have, and one node (core#2854, core#2915). Claims count, not nodes, so that
 * one that never joins counts too.
 */
export function limitUseOf({ instance }: NodeClaim, types: readonly InstanceType[], node: Node | undefined): Resources {
  const told = [instance?.capacity, node?.capacity].find((one) => one !== undefined && Object.keys(one).length > 0);
  return told === undefined ? largestCapacity(types) : { ...told, nodes: 1 };
}

/** What a pool's limits leave, by the names that are limited; claims that are on their way out do not count. */
export function remainingLimits(nodePool: NodePool, uses: readonly Resources[]): Resources {
  const used = uses.reduce<Resources>(addResources, {});
  const remaining = subtractResources(nodePool.limits, used);
  return Object.fromEntries(Object.keys(nodePool.limits).map((name) => [name, remaining[name]!]));
}

/** Names of the limited resources that one more node with this capacity would exceed, sorted. */
export function limitsExceeded(remaining: Resources, capacity: Resources): string[] {
  return Object.keys(remaining)
    .filter((name) => (name === "nodes" ? 1 : (own(capacity, name) ?? 0)) > remaining[name]!)
    .sort();
}

/** The largest capacity among types, and one node. */
export function largestCapacity(types: readonly InstanceType[]): Resources {
  const most: Record<string, number> = {};
  for (const { capacity } of types) raiseResources(most, capacity);
  most.nodes = 1;
  return most;
}

export function takeLimits(remaining: Resources, use: Resources, times: number): Resources {
  return Object.fromEntries(
    Object.keys(remaining).map((name) => [name, remaining[name]! - times * (own(use, name) ?? 0)]),
  );
}

export function isCovered(remaining: Resources, use: Resources, times: number): boolean {
  return Object.keys(remaining).every((name) => times * (own(use, name) ?? 0) <= remaining[name]!);
}
