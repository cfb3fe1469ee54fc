import type { Placement, PlannedClaim, Pod, Snapshot, Verdict } from "../model/index.ts";
import { compileWorld, solve, type World, withoutBins } from "../scheduling/index.ts";
import { placesOf, refuseUnsupported } from "./plan-provisioning.ts";
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
}

/** What-ifs on one snapshot, compiled once: what would become of pods if nodes were gone. Decides nothing. */
export class Simulator {
  readonly #world: World;

  constructor(snapshot: Snapshot) {
    this.#world = compileWorld(snapshot);
  }

  simulate({ withoutNodes, pods }: SimulateOptions): Simulation {
    const world = withoutBins(this.#world, new Set(withoutNodes));
    const { planned, verdicts } = refuseUnsupported(pods);
    const solution = solve(world, planned);
    const unschedulable = [...verdicts, ...verdictsFor(world, solution)];
    return { ...placesOf(world, solution), unschedulable: unschedulable.sort((a, b) => (a.pod < b.pod ? -1 : 1)) };
  }
}

/** One what-if: the same planning as for pending pods. */
export function simulate(snapshot: Snapshot, options: SimulateOptions): Simulation {
  return new Simulator(snapshot).simulate(options);
}
