import { isReschedulable } from "../../lifecycle/index.ts";
import type { Command, NodeClaim, NodePool, PlanWarning, Snapshot } from "../../model/index.ts";
import { type Allowance, allowedDisruptions } from "../budgets.ts";
import { type Candidate, countPools } from "../candidates.ts";
import type { Method } from "./method.ts";

/**
 * Nodes without a pod that would need another place go once they have been quiet for the pool's consolidateAfter, dearest
 * first, as far as the pool's budget for Empty allows.
 */
export const emptiness: Method = (snapshot, candidates) => {
  const verdicts = new Map<string, string[]>();
  const empty: (Candidate & { readonly pool: NodePool })[] = [];
  let next = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const { reasons, atMs } = judge(candidate, snapshot.nowMs);
    next = Math.min(next, atMs);
    if (reasons.length === 0 && candidate.pool !== undefined) empty.push({ ...candidate, pool: candidate.pool });
    else verdicts.set(candidate.claim.name, reasons);
  }
  const budgets = allowances(snapshot);
  for (const { nextChangeAtMs } of budgets.values()) next = Math.min(next, nextChangeAtMs ?? next);
  const eligible = { Empty: empty.length };
  const commands: Command[] = [];
  const taken = new Map<string, number>();
  for (const { claim, pool } of empty.sort(dearestFirst)) {
    const used = taken.get(pool.name) ?? 0;
    if (used >= budgets.get(pool.name)!.allowed) {
      verdicts.set(claim.name, [`the budget of NodePool ${pool.name} allows no more empty nodes to go now`]);
      continue;
    }
    taken.set(pool.name, used + 1);
    commands.push(commandFor(claim, snapshot));
  }
  return { commands, eligible, verdicts, warnings: warningsOf(budgets), nextChangeAtMs: next };
};

/** Why an idle node is not for this method, and when time alone may change that. */
function judge(candidate: Candidate, nowMs: number): { readonly reasons: string[]; readonly atMs: number } {
  const { claim, pool, pods } = candidate;
  const reasons = [...candidate.blocked];
  const waiting = pods.filter(isReschedulable);
  let atMs = candidate.nextChangeAtMs ?? Number.POSITIVE_INFINITY;
  if (waiting.length > 0) reasons.push(`${waiting.length} of its pods would need another node`);
  if (pool?.replicas !== undefined) reasons.push(`NodePool ${pool.name} keeps a fixed number of nodes`);
  if (pool?.consolidateAfterMs === null) reasons.push(`NodePool ${pool.name} never consolidates`);
  const sinceMs = claim.lastPodEventAtMs ?? claim.initializedAtMs;
  if (pool !== undefined && pool.consolidateAfterMs !== null && sinceMs !== undefined) {
    const dueAtMs = sinceMs + pool.consolidateAfterMs;
    if (nowMs < dueAtMs) {
      reasons.push(`consolidateAfter (${pool.consolidateAfterMs / 1000} s) has not passed since its last pod event`);
      atMs = Math.min(atMs, dueAtMs);
    }
  }
  return { reasons, atMs };
}

function allowances(snapshot: Snapshot): ReadonlyMap<string, Allowance> {
  const counts = countPools(snapshot);
  return new Map(
    snapshot.nodePools.map((pool) => [
      pool.name,
      allowedDisruptions(pool, "Empty", counts.get(pool.name) ?? { total: 0, disrupting: 0 }, snapshot.nowMs),
    ]),
  );
}

function warningsOf(budgets: ReadonlyMap<string, Allowance>): readonly PlanWarning[] {
  return [...budgets].flatMap(([pool, { faults }]) =>
    faults.map((message) => ({ object: `NodePool/${pool}`, field: "spec.disruption.budgets", message })),
  );
}

function dearestFirst(a: Candidate, b: Candidate): number {
  const price = ({ claim }: Candidate) => claim.instance?.priceMicroUsd ?? 0;
  return price(b) - price(a) || (a.claim.name < b.claim.name ? -1 : 1);
}

function commandFor(claim: NodeClaim, snapshot: Snapshot): Command {
  return {
    id: `empty-${claim.name}-${snapshot.head.seq}`,
    reason: "Empty",
    decision: "delete",
    consolidationType: "empty",
    candidates: [claim.name],
    replacements: [],
    savingsMicroUsdPerHour: claim.instance?.priceMicroUsd ?? 0,
  };
}
