import { reservationClosesAtMs } from "../catalog/index.ts";
import type { Snapshot } from "../model/index.ts";
import { expiresAtMs, isLeaving } from "../scheduling/index.ts";

/**
 * The earliest time at which the same snapshot might give another plan; null: never. Before it nothing that planning reads
 * from the clock changes: refused offerings stay refused, pods that hold their node go on holding it.
 */
export function nextChangeAtMs(snapshot: Snapshot, plansPods: boolean, podsChangeAtMs: number | null): number | null {
  const times = podsChangeAtMs === null ? [] : [podsChangeAtMs];
  // An expired claim takes no pods any more, and its own need another place.
  for (const claim of snapshot.claims) {
    const atMs = expiresAtMs(claim);
    if (atMs > snapshot.nowMs && atMs < Number.POSITIVE_INFINITY && !isLeaving(claim)) times.push(atMs);
  }
  if (plansPods) {
    for (const { untilMs } of snapshot.refusals) {
      if (untilMs !== undefined && untilMs > snapshot.nowMs) times.push(untilMs);
    }
    for (const reservation of snapshot.nodeClasses.flatMap(({ resolved }) => resolved.capacityReservations)) {
      const atMs = reservationClosesAtMs(reservation);
      if (atMs > snapshot.nowMs && atMs < Number.POSITIVE_INFINITY) times.push(atMs);
    }
  }
  return times.length === 0 ? null : times.reduce((a, b) => Math.min(b, a));
}
