import type { Resources, Toleration } from "../../model/index.ts";
import { Requirements, wellKnownLabels } from "../../requirements/index.ts";
import { valuesFor } from "../choose-types.ts";
import { someTypeHolds } from "../open-claim.ts";
import type { Pool } from "../pool.ts";
import { settleOwnLabels } from "../settle-labels.ts";
import { untoleratedTaint } from "../taints.ts";
import type { World } from "../world.ts";

/** What decides which pools a pod may use, beside its asks. */
interface Wanting {
  readonly tolerations: readonly Toleration[];
  readonly requests: Resources;
}

/**
 * Which values of a label new nodes could have: those that something on sale really gives and that holds the pod
 * (core#2623), not all that requirements would allow.
 */
export class PoolDomains {
  readonly #world: World;
  readonly #known = new Map<string, readonly string[]>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Of nodes of a pool in a state, ascending. */
  of(index: number, state: number, key: string): readonly string[] {
    const text = `${index}/${state}/${key}`;
    let values = this.#known.get(text);
    if (values === undefined) {
      values = valuesOf(this.#world.pools.pools[index]!, state, key);
      this.#known.set(text, values);
    }
    return values;
  }

  /** Of nodes of any pool that such pods with one of these asks may use. */
  forPods({ tolerations, requests }: Wanting, alternatives: readonly number[], key: string): ReadonlySet<string> {
    const { pools, axis } = this.#world;
    const found = new Set<string>();
    const usage = new Float64Array(axis.size);
    axis.write(requests, usage, 0);
    pools.pools.forEach((pool, index) => {
      if (untoleratedTaint(tolerations, pool.nodePool.taints) !== undefined) return;
      for (const ask of alternatives) {
        for (const start of startsOf(pool)) {
          const state = pool.states.next(start, ask);
          for (const value of state < 0 ? [] : this.of(index, state, key)) {
            if (!found.has(value) && this.#holds(pool, state, key, value, usage)) found.add(value);
          }
        }
      }
    });
    return found;
  }

  #holds(pool: Pool, state: number, key: string, value: string, usage: Float64Array): boolean {
    const there = pool.states.next(state, this.#world.asks.intern(Requirements.fromLabels({ [key]: value })));
    return there >= 0 && someTypeHolds(pool, there, usage, undefined);
  }
}

/** States that nodes of a pool begin in: plain ones, and those on its reservations. */
export function startsOf({ states, reservations }: Pool): readonly number[] {
  return [states.root, ...reservations.map(({ start }) => start)];
}

function valuesOf({ states }: Pool, state: number, key: string): readonly string[] {
  const requirements = states.requirements(state);
  const found = new Set<string>();
  for (const t of states.cheapest(state)) {
    for (const value of valuesFor(states.types[t]!, key, requirements)) found.add(value);
  }
  if (found.size === 0) {
    const own = requirements.get(key);
    const settled =
      own?.complement === false || wellKnownLabels.has(key) ? own : settleOwnLabels(requirements).get(key);
    if (settled?.complement === false) for (const value of settled.values) found.add(value);
  }
  return [...found].sort();
}
