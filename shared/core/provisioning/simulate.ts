import type { Placement, PlannedClaim, Pod, Snapshot, Verdict } from "../model/index.ts";
import { compileWorld, solve, type World, withoutBins } from "../scheduling/index.ts";
import { placesOf, refuseUnplannable } from "./plan-provisioning.ts";
import { verdictsFor } from "./verdicts.ts";

export interface SimulateOptions {
  /** Claims, or unmanaged nodes, that are taken as gone: they hold no pods and count for no limit. */
  readonly withoutNodes: readonly string[];
  /** The pods to place; usually those of `withoutNodes`. Pods of the snapshot. */
  readonly pods: readonly Pod[];
}

export interface Simulation {
  readonly claims: readonly PlannedClaim[];
  readonly placements: readonly Placement[];
  readonly unschedulable: readonly Verdict[];
  /** How many pods have no place: costs nothing to say, where `unschedulable` costs an explanation for each class. */
  readonly unplaced: number;
}

/** What-ifs on one snapshot, compiled once: what would become of pods if nodes were gone. Decides nothing. */
export class Simulator {
  readonly #world: World;

  constructor(snapshot: Snapshot) {
    this.#world = compileWorld(snapshot);
  }

  simulate({ withoutNodes, pods }: SimulateOptions): Simulation {
    const world = withoutBins(this.#world, new Set(withoutNodes));
    const { planned, verdicts } = refuseUnplannable(world, pods);
    const solution = solve(world, planned);
    let told: readonly Verdict[] | undefined;
    return {
      ...placesOf(world, solution),
      // Most what-ifs are only asked whether they work: sentences are made when somebody reads them.
      get unschedulable() {
        told ??= [...verdicts, ...verdictsFor(world, solution)].sort((a, b) => (a.pod < b.pod ? -1 : 1));
        return told;
      },
      unplaced: solution.unplaced.reduce((sum, { pods: left }) => sum + left.length, verdicts.length),
    };
  }
}

/** One what-if: the same planning as for pending pods. */
export function simulate(snapshot: Snapshot, options: SimulateOptions): Simulation {
  return new Simulator(snapshot).simulate(options);
}
