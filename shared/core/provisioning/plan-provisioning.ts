import type { Placement, PlannedClaim, Pod, ProvisioningPlan, Snapshot, Verdict } from "../model/index.ts";
import { compileWorld, podKey, type Solution, solve, type World } from "../scheduling/index.ts";
import { type Headroom, headroomOf, targetsWithHeadroom, withoutVirtualPods } from "./headroom.ts";
import { nextChangeAtMs } from "./next-change.ts";
import { ClaimBuilder } from "./planned-claim.ts";
import { provisionable } from "./provisionable.ts";
import { asCommitted, planStaticPools } from "./static-pools.ts";
import { refused, verdictsFor } from "./verdicts.ts";

/**
 * What one run of provisioning decides: places for the pods that need one, on nodes that are there, on claims in flight
 * and on new claims; a verdict for each pod that gets none. A pure function: the same snapshot gives the same plan,
 * whatever the order of its lists. Never throws for bad input: what cannot be read or used is named and left out.
 */
export function planProvisioning(snapshot: Snapshot): ProvisioningPlan {
  const headroom = headroomOf(snapshot);
  return withoutVirtualPods(planAll(snapshot, headroom), headroom);
}

/** What a placement names of the nodes that hold room for CapacityBuffers, virtual pods and all. */
export function headroomTargets(snapshot: Snapshot): ReadonlySet<string> {
  const headroom = headroomOf(snapshot);
  return headroom.pods.length === 0 ? new Set() : targetsWithHeadroom(planAll(snapshot, headroom), headroom);
}

function planAll(given: Snapshot, headroom: Headroom): ProvisioningPlan {
  const { world, fixed, ignored, podsChangeAtMs, planned, verdicts, solution } = workOut(given, headroom);
  const unschedulable = [...verdicts, ...verdictsFor(world, solution)];
  return {
    ...withStatics(fixed.claims, placesOf(world, solution, fixed.claims.length)),
    unschedulable: unschedulable.sort((a, b) => (a.pod < b.pod ? -1 : 1)),
    ignored,
    warnings: [...world.pools.warnings, ...fixed.warnings],
    buffers: [],
    nextChangeAtMs: nextChangeAtMs(world.snapshot, planned.length > 0, podsChangeAtMs),
  };
}

/** Real pods take what is there before room is kept for others. */
function realFirst(pods: readonly Pod[], { bufferOf }: Headroom): readonly (readonly Pod[])[] {
  if (bufferOf.size === 0) return [pods];
  const isVirtual = (pod: Pod): boolean => bufferOf.has(podKey(pod));
  return [pods.filter((pod) => !isVirtual(pod)), pods.filter(isVirtual)].filter((tier) => tier.length > 0);
}

/** A plan before it is put into words: what was solved, on which world, and what was left out of it. */
export function workOut(given: Snapshot, headroom: Headroom) {
  const snapshot = headroom.pods.length === 0 ? given : { ...given, pods: [...given.pods, ...headroom.pods] };
  const first = compileWorld(snapshot);
  const fixed = planStaticPools(first);
  // Pods find the static pools' new nodes as claims in flight.
  const committed = fixed.claims.map((claim) => asCommitted(claim, snapshot.nowMs));
  const world =
    committed.length === 0 ? first : compileWorld({ ...snapshot, claims: [...snapshot.claims, ...committed] });
  const { pods, ignored, nextChangeAtMs: podsChangeAtMs } = provisionable(world);
  const { planned, verdicts } = refuseUnplannable(world, pods);
  const solution = solve(world, planned, realFirst(planned, headroom));
  return { world, fixed, ignored, podsChangeAtMs, planned, verdicts, solution };
}

/** Sets apart the pods that are refused before planning; the others come back with what their volumes and devices ask for. */
export function refuseUnplannable(
  world: World,
  pods: readonly Pod[],
): {
  readonly planned: readonly Pod[];
  readonly verdicts: readonly Verdict[];
} {
  const { planned: reaching, refused: stranded } = world.volumes.plan(pods, world.asks, world.nominated);
  const { planned, refused: without } = world.devices.plan(reaching, world.nominated, world.bins);
  return { planned, verdicts: [...stranded, ...without].map(({ pod, reason }) => refused(pod, reason)) };
}

/** Static claims first; pods that were placed on them are theirs. */
function withStatics(
  fixed: readonly PlannedClaim[],
  { claims, placements }: Pick<ProvisioningPlan, "claims" | "placements">,
): Pick<ProvisioningPlan, "claims" | "placements"> {
  if (fixed.length === 0) return { claims, placements };
  const podsOf = new Map(placements.map(({ target, pods }) => [target, pods]));
  const names = new Set(fixed.map(({ name }) => name));
  return {
    claims: [...fixed.map((claim) => ({ ...claim, pods: podsOf.get(claim.name) ?? [] })), ...claims],
    placements: placements.filter(({ target }) => !names.has(target)),
  };
}

/** A solution's claims and placements in the plan's form. Claims are numbered in the solver's order, from `from` on. */
export function placesOf(world: World, solution: Solution, from = 0): Pick<ProvisioningPlan, "claims" | "placements"> {
  const builder = new ClaimBuilder(world);
  const claims = solution.claims.map(({ claim, pods }, index) => builder.build(claim, pods, from + index));
  const placements = solution.placements.map(
    ({ bin, pods }): Placement => ({ target: world.bins[bin]!.target, pods: pods.map(podKey).sort() }),
  );
  return { claims, placements: placements.sort((a, b) => (a.target < b.target ? -1 : 1)) };
}
