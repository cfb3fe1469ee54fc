import type { Placement, PlannedClaim, Pod, Snapshot, Verdict } from "../model/index.ts";
import { compileWorld, solve } from "../scheduling/index.ts";
import { placesOf, refuseUnsupported } from "./plan-provisioning.ts";
import { verdictsFor } from "./verdicts.ts";

export interface SimulateOptions {
  /** Claims, or unmanaged nodes, that are taken as gone: they hold no pods and count for no limit. */
  readonly withoutNodes: readonly string[];
  /** The pods to place; usually those of `withoutNodes`. */
  readonly pods: readonly Pod[];
}

export interface Simulation {
  readonly claims: readonly PlannedClaim[];
  readonly placements: readonly Placement[];
  readonly unschedulable: readonly Verdict[];
}

/** What would become of these pods if those nodes were gone: the same planning, and nothing decided. */
export function simulate(snapshot: Snapshot, { withoutNodes, pods }: SimulateOptions): Simulation {
  const world = compileWorld(snapshot, new Set(withoutNodes));
  const { planned, verdicts } = refuseUnsupported(world, pods);
  const solution = solve(world, planned);
  const unschedulable = [...verdicts, ...verdictsFor(world, solution)];
  return { ...placesOf(world, solution), unschedulable: unschedulable.sort((a, b) => (a.pod < b.pod ? -1 : 1)) };
}
