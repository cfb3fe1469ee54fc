import { Cron } from "croner";
import type { Budget, DisruptionReason, NodePool } from "../model/index.ts";

/** Whether a budget is in force, and when that changes by itself (null: never). */
export interface BudgetState {
  readonly active: boolean;
  readonly nextChangeAtMs: number | null;
  /** The schedule cannot be read; such a budget is in force and allows nothing. */
  readonly fault?: string;
}

/**
 * A window opens at each hit of the schedule (UTC) and is open for the duration, start included, end not: in force if
 * some hit lies in (now − duration, now].
 */
export function budgetState(budget: Budget, nowMs: number): BudgetState {
  if (budget.schedule === undefined || budget.durationMs === undefined) return { active: true, nextChangeAtMs: null };
  let cron: Cron;
  try {
    cron = new Cron(budget.schedule, { timezone: "UTC", mode: "5-part", paused: true });
  } catch (error) {
    return { active: true, nextChangeAtMs: null, fault: `schedule "${budget.schedule}": ${(error as Error).message}` };
  }
  const after = (ms: number) => cron.nextRun(new Date(ms))?.getTime() ?? null;
  const hitMs = after(nowMs - budget.durationMs);
  if (hitMs !== null && hitMs <= nowMs) return { active: true, nextChangeAtMs: hitMs + budget.durationMs };
  return { active: false, nextChangeAtMs: hitMs };
}

export interface PoolCount {
  /** Initialized nodes that are not terminating. */
  readonly total: number;
  /** Of these: not ready, or on their way out. */
  readonly disrupting: number;
}

export interface Allowance {
  /** Nodes that may be disrupted for this reason now; Infinity: no budget says anything. */
  readonly allowed: number;
  readonly nextChangeAtMs: number | null;
  readonly faults: readonly string[];
}

/**
 * The tightest budget in force that names the reason (or none) decides. A percentage is of the pool's nodes, rounded up;
 * nodes that are down or going count against it.
 */
export function allowedDisruptions(
  pool: Pick<NodePool, "budgets">,
  reason: DisruptionReason,
  count: PoolCount,
  nowMs: number,
): Allowance {
  let limit = Number.POSITIVE_INFINITY;
  let next = Number.POSITIVE_INFINITY;
  const faults: string[] = [];
  for (const budget of pool.budgets) {
    if (budget.reasons !== undefined && !budget.reasons.includes(reason)) continue;
    const state = budgetState(budget, nowMs);
    if (state.nextChangeAtMs !== null) next = Math.min(next, state.nextChangeAtMs);
    if (state.fault !== undefined) faults.push(state.fault);
    if (state.active) limit = Math.min(limit, state.fault === undefined ? nodesOf(budget.nodes, count.total) : 0);
  }
  return {
    allowed: limit === Number.POSITIVE_INFINITY ? limit : Math.max(0, limit - count.disrupting),
    nextChangeAtMs: next === Number.POSITIVE_INFINITY ? null : next,
    faults,
  };
}

function nodesOf(nodes: string, total: number): number {
  return nodes.endsWith("%") ? Math.ceil((total * Number(nodes.slice(0, -1))) / 100) : Number(nodes);
}
