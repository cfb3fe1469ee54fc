import type { Pod, Verdict } from "../model/index.ts";
import { explainPool, podKey, type Solution, type Unplaced, type World } from "../scheduling/index.ts";

/** The sentences for pods that no place was found for. One explanation a class: its pods are alike. */
export function verdictsFor(world: World, solution: Solution): Verdict[] {
  return solution.unplaced.flatMap((unplaced) => {
    const { reason, nodePools } = explain(world, solution, unplaced);
    return unplaced.pods.map((pod) => ({ pod: podKey(pod), reason, nodePools }));
  });
}

function explain(
  world: World,
  solution: Solution,
  { solverClass, reason: rules }: Unplaced,
): { readonly reason: string; readonly nodePools: Readonly<Record<string, string>> } {
  const { pools, skipped } = world.pools;
  const entries = [
    ...pools.map((pool): [string, string] => [
      pool.nodePool.name,
      explainPool(world, solution.ledger, pool, solverClass),
    ]),
    ...skipped.map(({ nodePool, reason }): [string, string] => [nodePool.name, reason]),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  const reason = rules ?? summary(entries, world.bins.length);
  return { reason, nodePools: Object.fromEntries(entries) };
}

function summary(entries: readonly (readonly [string, string])[], nodes: number): string {
  const none = nodes === 0 ? "" : "no node that is there has room for it, and ";
  if (entries.length === 0) return `${none}there is no NodePool to make one from`;
  const [first] = entries;
  if (entries.length === 1) return `${none}NodePool ${first![0]} gives none: ${first![1]}`;
  const reasons = new Set(entries.map(([, reason]) => reason));
  return reasons.size === 1
    ? `${none}none of the ${entries.length} NodePools gives one: ${first![1]}`
    : `${none}none of the ${entries.length} NodePools gives one: ${entries.map(([pool, reason]) => `${pool}: ${reason}`).join("; ")}`;
}

/** Verdicts on pods that are not planned at all, for a reason that no pool can change. */
export function refused(pod: Pod, reason: string): Verdict {
  return { pod: podKey(pod), reason, nodePools: {} };
}
