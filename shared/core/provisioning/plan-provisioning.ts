import type { Placement, Pod, ProvisioningPlan, Snapshot, Verdict } from "../model/index.ts";
import { compileWorld, podKey, type Solution, solve, unsupportedReason, type World } from "../scheduling/index.ts";
import { nextChangeAtMs } from "./next-change.ts";
import { ClaimBuilder } from "./planned-claim.ts";
import { provisionable } from "./provisionable.ts";
import { refused, verdictsFor } from "./verdicts.ts";

/**
 * What one run of provisioning decides: places for the pods that need one, on nodes that are there, on claims in flight
 * and on new claims; a verdict for each pod that gets none. A pure function: the same snapshot gives the same plan,
 * whatever the order of its lists. Never throws for bad input: what cannot be read or used is named and left out.
 */
export function planProvisioning(snapshot: Snapshot): ProvisioningPlan {
  const world = compileWorld(snapshot);
  const { pods, ignored, nextChangeAtMs: podsChangeAtMs } = provisionable(world);
  const { planned, verdicts } = refuseUnplannable(world, pods);
  const solution = solve(world, planned);
  const unschedulable = [...verdicts, ...verdictsFor(world, solution)];
  return {
    ...placesOf(world, solution),
    unschedulable: unschedulable.sort((a, b) => (a.pod < b.pod ? -1 : 1)),
    ignored,
    warnings: world.pools.warnings,
    nextChangeAtMs: nextChangeAtMs(snapshot, planned.length > 0, podsChangeAtMs),
  };
}

/** Sets apart the pods that are refused before planning; the others come back with what their volumes ask for. */
export function refuseUnplannable(
  world: World,
  pods: readonly Pod[],
): {
  readonly planned: readonly Pod[];
  readonly verdicts: readonly Verdict[];
} {
  const supported: Pod[] = [];
  const verdicts: Verdict[] = [];
  for (const pod of pods) {
    const reason = unsupportedReason(pod);
    if (reason === undefined) supported.push(pod);
    else verdicts.push(refused(pod, reason));
  }
  const { planned, refused: stranded } = world.volumes.plan(supported, world.asks, world.nominated);
  return { planned, verdicts: [...verdicts, ...stranded.map(({ pod, reason }) => refused(pod, reason))] };
}

/** A solution's claims and placements in the plan's form. Claims are numbered in the solver's order. */
export function placesOf(world: World, solution: Solution): Pick<ProvisioningPlan, "claims" | "placements"> {
  const builder = new ClaimBuilder(world);
  const claims = solution.claims.map(({ claim, pods }, index) => builder.build(claim, pods, index));
  const placements = solution.placements.map(
    ({ bin, pods }): Placement => ({ target: world.bins[bin]!.target, pods: pods.map(podKey).sort() }),
  );
  return { claims, placements: placements.sort((a, b) => (a.target < b.target ? -1 : 1)) };
}
