import type { Toleration } from "../../model/index.ts";
import { wellKnownLabels } from "../../requirements/index.ts";
import { valuesFor } from "../choose-types.ts";
import type { Pool } from "../pool.ts";
import { settleOwnLabels } from "../settle-labels.ts";
import { untoleratedTaint } from "../taints.ts";
import type { World } from "../world.ts";

/** Which values of a label new nodes could have. */
export interface PoolDomains {
  /** Of nodes of a pool in a state, ascending. */
  of(pool: number, state: number, key: string): readonly string[];
  /** Of nodes of any pool that pods with these tolerations and one of these asks may use. */
  forPods(tolerations: readonly Toleration[], alternatives: readonly number[], key: string): ReadonlySet<string>;
}

/** States that nodes of a pool begin in: plain ones, and those on its reservations. */
export function startsOf({ states, reservations }: Pool): readonly number[] {
  return [states.root, ...reservations.map(({ start }) => start)];
}

/** Values are those that something on sale really gives (core#2623), not all that requirements would allow. */
export function poolDomains(world: World): PoolDomains {
  const { pools } = world.pools;
  const known = new Map<string, readonly string[]>();
  const of = (index: number, state: number, key: string): readonly string[] => {
    const text = `${index}/${state}/${key}`;
    let values = known.get(text);
    if (values === undefined) {
      values = valuesOf(pools[index]!, state, key);
      known.set(text, values);
    }
    return values;
  };
  return {
    of,
    forPods(tolerations, alternatives, key) {
      const found = new Set<string>();
      pools.forEach(({ nodePool, states }, index) => {
        if (untoleratedTaint(tolerations, nodePool.taints) !== undefined) return;
        for (const ask of alternatives) {
          for (const start of startsOf(pools[index]!)) {
            const state = states.next(start, ask);
            if (state >= 0) for (const value of of(index, state, key)) found.add(value);
          }
        }
      });
      return found;
    },
  };
}

function valuesOf({ states }: Pool, state: number, key: string): readonly string[] {
  const requirements = states.requirements(state);
  const found = new Set<string>();
  for (const t of states.cheapest(state)) {
    for (const value of valuesFor(states.types[t]!, key, requirements)) found.add(value);
  }
  if (found.size === 0 && !wellKnownLabels.has(key)) {
    const own = requirements.get(key);
    const settled = own?.complement === false ? own : settleOwnLabels(requirements).get(key);
    if (settled?.complement === false) for (const value of settled.values) found.add(value);
  }
  return [...found].sort();
}
