import { maxClaimsPerLaunch, maxTransactionItems } from "../../core/limits.ts";
import type { NodeClaim, PlanChunk, PlannedClaim } from "../../core/model/index.ts";
import { OperationError } from "../../ports/index.ts";

/** Every claim that a chunk makes: its own and the replacements of its commands, each once. */
export function claimsOf(chunk: PlanChunk): readonly { readonly planned: PlannedClaim; readonly reason: string }[] {
  const made = new Map<string, { planned: PlannedClaim; reason: string }>();
  for (const command of chunk.commands) {
    for (const planned of command.replacements) {
      made.set(planned.name, { planned, reason: command.reason.toLowerCase() });
    }
  }
  for (const planned of chunk.claims) {
    if (!made.has(planned.name)) made.set(planned.name, { planned, reason: chunk.reason });
  }
  return [...made.values()];
}

/** The record of a claim at its commit: what was asked for, and no evidence yet. */
export function newRecord(planned: PlannedClaim, reason: string, createdAtMs: number): NodeClaim {
  return {
    name: planned.name,
    version: 1,
    createdAtMs,
    nodePool: planned.nodePool,
    nodePoolUid: planned.nodePoolUid,
    nodePoolHash: planned.nodePoolHash,
    nodeClass: planned.nodeClass,
    nodeClassHash: planned.nodeClassHash,
    requirements: planned.requirements,
    instanceTypes: planned.instanceTypes,
    labels: planned.labels,
    annotations: planned.annotations,
    taints: planned.taints,
    startupTaints: planned.startupTaints,
    requests: planned.requests,
    expireAfterMs: planned.expireAfterMs,
    terminationGracePeriodMs: planned.terminationGracePeriodMs,
    ...(planned.podsSinceMs === undefined ? {} : { podsSinceMs: planned.podsSinceMs }),
    reason,
  };
}

/** One transaction writes an item once. Throws `bad-request` (never) for a name that is there twice. */
export function requireNamedOnce(what: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  throw new OperationError(`${what} names ${twice} twice: one transaction writes an item once`, {
    retry: "never",
    code: "bad-request",
  });
}

/** Throws `too-large` when a chunk does not fit one transaction: head, plan, claims, commands and their candidates. */
export function requireChunkFits(chunk: PlanChunk): void {
  const made = claimsOf(chunk).map(({ planned }) => planned.name);
  const candidates = chunk.commands.flatMap((command) => command.candidates);
  const what = `plan ${chunk.id} chunk ${chunk.index}`;
  requireNamedOnce(what, [...made, ...candidates]);
  requireNamedOnce(
    what,
    chunk.commands.map((command) => command.id),
  );
  const items = 2 + made.length + chunk.commands.length + candidates.length;
  if (items > maxTransactionItems) {
    throw new OperationError(
      `${what} writes ${items} items, a transaction takes ${maxTransactionItems}: commit it in smaller chunks`,
      { retry: "never", code: "too-large" },
    );
  }
}

/** Throws `too-large` when a launch has more claims than one transaction can settle. */
export function requireLaunchFits(id: string, claims: readonly string[]): void {
  requireNamedOnce(`launch ${id}`, claims);
  if (claims.length > maxClaimsPerLaunch) {
    throw new OperationError(
      `launch ${id} has ${claims.length} claims, at most ${maxClaimsPerLaunch} can be settled in one transaction: split it`,
      { retry: "never", code: "too-large" },
    );
  }
}
