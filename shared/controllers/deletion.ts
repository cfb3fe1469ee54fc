import { maxCommitTries } from "../core/limits.ts";
import type { DeletionReason, NodeClaim } from "../core/model/index.ts";
import type { ControllerPorts } from "./context.ts";

/** When a claim's pods are ended, ready or not: by its own grace period, or sooner if the instance goes before. */
export function deadlineOf(claim: NodeClaim, nowMs: number, soonerMs?: number): { readonly deadlineMs?: number } {
  const graceMs = claim.terminationGracePeriodMs;
  const deadlineMs = Math.min(
    graceMs === null ? Number.POSITIVE_INFINITY : nowMs + graceMs,
    soonerMs ?? Number.POSITIVE_INFINITY,
  );
  return deadlineMs === Number.POSITIVE_INFINITY ? {} : { deadlineMs };
}

/**
 * Writes that a claim is to go, if nobody has yet; true: this call did. An instance that ends by itself shortens the time
 * of a deletion that was asked for before.
 */
export async function requestDeletion(
  ports: ControllerPorts,
  cluster: string,
  record: NodeClaim,
  reason: DeletionReason,
  soonerMs?: number,
): Promise<boolean> {
  let claim: NodeClaim | undefined = record;
  for (let tries = 0; claim !== undefined && claim.goneAtMs === undefined && tries < maxCommitTries; tries++) {
    const requestedAtMs = ports.clock.now();
    const present = claim.deletion;
    if (
      present !== undefined &&
      (soonerMs === undefined || (present.deadlineMs ?? Number.POSITIVE_INFINITY) <= soonerMs)
    ) {
      return false;
    }
    const deletion =
      present === undefined
        ? { requestedAtMs, reason, ...deadlineOf(claim, requestedAtMs, soonerMs) }
        : { ...present, ...(soonerMs === undefined ? {} : { deadlineMs: soonerMs }) };
    const written = await ports.store.changeClaim(cluster, claim.name, claim.version, { deletion });
    if (written.kind === "written") return true;
    claim = written.current;
  }
  return false;
}
