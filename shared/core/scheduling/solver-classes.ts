import type { Pod } from "../model/index.ts";
import type { Selection } from "./asks.ts";
import { selectionOf } from "./asks.ts";
import { someTypeHolds } from "./open-claim.ts";
import { groupPods, type PodClass } from "./pod-class.ts";
import type { Pool } from "./pool.ts";
import { settledState } from "./settle-labels.ts";
import { isShunned, untoleratedTaint } from "./taints.ts";
import type { World } from "./world.ts";

/** A way for a class to get new nodes: a pool, and one of the class's alternatives. */
export interface Option {
  readonly pool: number;
  readonly ask: number;
  /** Only once all others have failed (PreferNoSchedule). */
  readonly shunned: boolean;
}

export interface SolverClass extends PodClass {
  readonly selection: Selection;
  readonly options: readonly Option[];
  /** Bins whose pods repel it. */
  readonly binsOff: ReadonlySet<number>;
}

/** Classes of the pods with their options, and their requests as a matrix (one row a class). */
export function compileClasses(
  world: World,
  pods: readonly Pod[],
): { readonly classes: readonly SolverClass[]; readonly requests: Float64Array } {
  const { repelling, asks, axis } = world;
  const mark = (pod: Pod): string => (repelling.empty ? "" : repelling.mark(pod));
  const grouped = groupPods(pods, mark);
  const requests = new Float64Array(grouped.length * axis.size);
  const classes = grouped.map((group, row): SolverClass => {
    axis.write(group.sample.requests, requests, row);
    const selection = selectionOf(group.sample, asks, { anyHost: false });
    return {
      ...group,
      selection,
      options: [],
      binsOff: repelling.binsOff(group.sample),
    };
  });
  return {
    classes: classes.map((one, row) => ({ ...one, options: optionsOf(world, one, requests, row) })),
    requests,
  };
}

/** Each alternative in order, for each the pools by weight; places that ask to be avoided come last. */
function optionsOf(world: World, one: SolverClass, requests: Float64Array, row: number): Option[] {
  const options: Option[] = [];
  const { tolerations } = one.sample;
  const usage = requests.subarray(row * world.axis.size, (row + 1) * world.axis.size);
  for (const shunned of [false, true]) {
    for (const ask of one.selection.alternatives) {
      world.pools.pools.forEach((pool, index) => {
        const { taints } = pool.nodePool;
        if (untoleratedTaint(tolerations, taints) !== undefined || isShunned(tolerations, taints) !== shunned) return;
        if (startsFor(pool, ask).some((state) => someTypeHolds(pool, state, usage, undefined))) {
          options.push({ pool: index, ask, shunned });
        }
      });
    }
  }
  return options;
}

/** States in which a node for just this ask may start: plain, or on a reservation; own labels open, or settled. */
export function startsFor(pool: Pool, ask: number): number[] {
  return [pool.states.root, ...pool.reservations.map(({ start }) => start)]
    .map((start) => pool.states.next(start, ask))
    .flatMap((state) => (state < 0 ? [] : [state, settledState(pool.states, state)]))
    .filter((state) => state >= 0);
}
