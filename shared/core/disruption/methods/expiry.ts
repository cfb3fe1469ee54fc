import type { Command } from "../../model/index.ts";
import type { Method } from "./method.ts";

/**
 * Claims older than their expireAfter go: no budget, no waiting for a replacement, whatever protects them. A
 * claim that was created at time 0 is one whose creation nobody has told: its age is not known, so it never expires.
 */
export const expiry: Method = (snapshot, candidates) => {
  const commands: Command[] = [];
  let next = Number.POSITIVE_INFINITY;
  for (const { claim } of candidates) {
    if (claim.expireAfterMs === null || claim.createdAtMs === 0) continue;
    const atMs = claim.createdAtMs + claim.expireAfterMs;
    if (snapshot.nowMs < atMs) {
      next = Math.min(next, atMs);
      continue;
    }
    if (claim.commandId !== undefined) continue;
    commands.push({
      id: `expired-${claim.name}`,
      reason: "Expired",
      decision: "delete",
      candidates: [claim.name],
      replacements: [],
      savingsMicroUsdPerHour: claim.instance?.priceMicroUsd ?? 0,
    });
  }
  return { commands, eligible: {}, verdicts: new Map(), warnings: [], nextChangeAtMs: next };
};
