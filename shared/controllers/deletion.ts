import { maxCommitTries } from "../core/limits.ts";
import type { DeletionReason, DisruptedBy, NodeClaim } from "../core/model/index.ts";
import { OperationError } from "../ports/index.ts";
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

export interface DeletionOptions {
  /** An instance that ends by itself at this time shortens that of a deletion that was asked for before. */
  readonly soonerMs?: number;
  /** Only while the claim is a candidate of this command: a roll-back meanwhile keeps it. */
  readonly command?: DisruptedBy;
}

/** `requested`: by this call. `present`: it was to go before, or is gone. `kept`: the command let go of it. */
export type DeletionOutcome = "requested" | "present" | "kept";

/**
 * Writes that a claim is to go, if nobody has yet. Throws an OperationError (now) if others changed the record at each try.
 */
export async function requestDeletion(
  ports: ControllerPorts,
  cluster: string,
  record: NodeClaim,
  reason: DeletionReason,
  { soonerMs, command }: DeletionOptions = {},
): Promise<DeletionOutcome> {
  let claim: NodeClaim | undefined = record;
  for (let tries = 0; tries < maxCommitTries; tries++) {
    if (claim === undefined || claim.goneAtMs !== undefined) return "present";
    const requestedAtMs = ports.clock.now();
    const present = claim.deletion;
    if (
      present !== undefined &&
      (soonerMs === undefined || (present.deadlineMs ?? Number.POSITIVE_INFINITY) <= soonerMs)
    ) {
      return "present";
    }
    if (command !== undefined && claim.commandId !== command.id) return "kept";
    const deletion =
      present === undefined
        ? { requestedAtMs, reason, ...deadlineOf(claim, requestedAtMs, soonerMs), ...disruptedBy(command) }
        : { ...present, ...(soonerMs === undefined ? {} : { deadlineMs: soonerMs }) };
    const written = await ports.store.changeClaim(cluster, claim.name, claim.version, { deletion });
    if (written.kind === "written") return "requested";
    claim = written.current;
  }
  const message = `NodeClaim ${record.name}: its record changed at each of ${maxCommitTries} tries to delete it`;
  throw new OperationError(message, { retry: "now", code: "conflict" });
}

function disruptedBy(command: DisruptedBy | undefined): { readonly command?: DisruptedBy } {
  if (command === undefined) return {};
  const { id, decision, consolidationType } = command;
  return { command: { id, decision, ...(consolidationType === undefined ? {} : { consolidationType }) } };
}
