import { Cron } from "croner";
import type { Budget, DisruptionReason } from "../../shared/core/model/index.ts";

/** What Karpenter shows where no budget says anything: the largest 32-bit integer. */
const unlimited = 2 ** 31 - 1;

/**
 * Nodes of a pool that its budgets let go at the same time for the reason, those on their way not yet taken off: the
 * tightest budget in force decides. A percentage is of the pool's nodes, rounded up; a schedule that cannot be read allows
 * nothing. The rule is the planner's (its own, in shared/core/disruption); this only shows what it says.
 */
export function budgetedNodes(
  budgets: readonly Budget[],
  reason: DisruptionReason,
  poolNodes: number,
  nowMs: number,
): number {
  const limits = budgets
    .filter(({ reasons }) => reasons === undefined || reasons.includes(reason))
    .map((budget) => {
      const force = inForce(budget, nowMs);
      if (force === "unreadable") return 0;
      return force ? nodesOf(budget.nodes, poolNodes) : unlimited;
    });
  return Math.min(unlimited, ...limits);
}

function inForce({ schedule, durationMs }: Budget, nowMs: number): boolean | "unreadable" {
  if (schedule === undefined || durationMs === undefined) return true;
  const cron = cronOf(schedule);
  if (cron === undefined) return "unreadable";
  const openedAtMs = cron.nextRun(new Date(nowMs - durationMs))?.getTime();
  return openedAtMs !== undefined && openedAtMs <= nowMs;
}

/** Schedules read before: every scrape asks about the same few. Undefined: it cannot be read. */
const crons = new Map<string, Cron | undefined>();

function cronOf(schedule: string): Cron | undefined {
  if (!crons.has(schedule)) {
    if (crons.size > 1000) crons.clear();
    crons.set(schedule, readCron(schedule));
  }
  return crons.get(schedule);
}

function readCron(schedule: string): Cron | undefined {
  try {
    return new Cron(schedule, { timezone: "UTC", mode: "5-part", paused: true });
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function nodesOf(nodes: string, poolNodes: number): number {
  return nodes.endsWith("%") ? Math.ceil((poolNodes * Number(nodes.slice(0, -1))) / 100) : Number(nodes);
}
