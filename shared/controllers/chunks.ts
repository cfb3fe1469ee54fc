import { maxClaimsPerChunk, maxPlacementBytesPerChunk, nominationWindowMs } from "../core/limits.ts";
import type { Placement, PlanChunk, PlannedClaim, ProvisioningPlan } from "../core/model/index.ts";

/**
 * Cuts a plan into commits that are each a valid plan by itself: at most 90 claims and as many pod names as an item
 * holds. Placements on what is there already come first. A crash between two chunks leaves pods pending, no more.
 */
export function chunksOf(
  plan: Pick<ProvisioningPlan, "claims" | "placements">,
  options: { readonly id: string; readonly reason: string; readonly nowMs: number },
): readonly PlanChunk[] {
  const parts: { claims: PlannedClaim[]; placements: Placement[]; bytes: number }[] = [];
  const partFor = (pods: readonly string[], isClaim: boolean) => {
    const bytes = pods.reduce((sum, pod) => sum + pod.length + 4, 0);
    const last = parts.at(-1);
    const full =
      last === undefined ||
      (isClaim && last.claims.length === maxClaimsPerChunk) ||
      (last.bytes > 0 && last.bytes + bytes > maxPlacementBytesPerChunk);
    const part = full ? { claims: [], placements: [], bytes: 0 } : last;
    if (full) parts.push(part);
    part.bytes += bytes;
    return part;
  };
  for (const placement of plan.placements) partFor(placement.pods, false).placements.push(placement);
  for (const claim of plan.claims) partFor(claim.pods, true).claims.push(claim);
  return parts.map(({ claims, placements }, index) => ({
    id: options.id,
    index,
    claims,
    placements,
    commands: [],
    reason: options.reason,
    createdAtMs: options.nowMs,
    nominatedUntilMs: options.nowMs + nominationWindowMs,
  }));
}
