// Karpenter takes pools by weight and, where that is the same, by name. A weight is the user's word and is kept; a name says
// nothing, so between pools of one weight it is the price that decides.
import { maxInstanceTypesPerClaim } from "../limits.ts";
import { typesHolding } from "./open-claim.ts";
import type { Pool } from "./pool.ts";
import { type Option, startsFor } from "./solver-classes.ts";
import type { World } from "./world.ts";

/** Pods of a class that may share a node, where there are several: more make no difference to which pool is cheaper. */
const mostSharing = 16;

/** Options of one ask by weight, then by the least that a pod costs on a node of the pool, alone or among several, then by name. */
export function ordered(
  { pools: { pools } }: World,
  options: readonly Option[],
  usage: Float64Array,
  several: boolean,
): readonly Option[] {
  const weightOf = ({ pool }: Option): number => pools[pool]!.nodePool.weight;
  if (new Set(options.map(weightOf)).size === options.length) return options;
  const most = several ? mostSharing : 1;
  const costs = new Map(options.map((option) => [option, costOfPod(pools[option.pool]!, option.ask, usage, most)]));
  return [...options].sort((a, b) => weightOf(b) - weightOf(a) || costs.get(a)! - costs.get(b)! || a.pool - b.pool);
}

/** In micro-USD an hour, of the cheapest types that hold one; Infinity: none does. */
function costOfPod(pool: Pool, ask: number, usage: Float64Array, most: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const state of startsFor(pool, ask)) {
    const room = pool.states.room(state);
    for (const t of typesHolding(pool, state, usage, undefined, maxInstanceTypesPerClaim)) {
      let sharing = most;
      for (let r = 0; r < usage.length; r++) {
        if (usage[r]! > 0) sharing = Math.min(sharing, Math.floor(room[t * usage.length + r]! / usage[r]!));
      }
      least = Math.min(least, pool.states.price(state, t) / sharing);
    }
  }
  return least;
}
