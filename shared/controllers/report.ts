import { OperationError } from "../ports/index.ts";
import type { RunReport } from "./index.ts";

/** Collects what a run did. */
export interface RunLog {
  count(name: string, by?: number): void;
  fail(object: string, error: OperationError): void;
  /** The earliest moment named is when the controller runs again. */
  due(atMs: number | null): void;
  /** Takes over what another part of the same run did. */
  absorb(part: RunLog): void;
  readonly counts: RunReport["counts"];
  readonly failures: RunReport["failures"];
  readonly nextDueAtMs: number | null;
  report(): RunReport;
}

export function createRunLog(controller: string, cluster: string): RunLog {
  const counts: Record<string, number> = {};
  const failures: { object: string; message: string }[] = [];
  let next: number | null = null;
  const log: RunLog = {
    count(name, by = 1) {
      if (by !== 0) counts[name] = (counts[name] ?? 0) + by;
    },
    fail: (object, error) => void failures.push({ object, message: `${error.code}: ${error.message}` }),
    due(atMs) {
      if (atMs !== null && (next === null || atMs < next)) next = atMs;
    },
    absorb(part) {
      for (const [name, by] of Object.entries(part.counts)) log.count(name, by);
      failures.push(...part.failures);
      log.due(part.nextDueAtMs);
    },
    counts,
    failures,
    get nextDueAtMs() {
      return next;
    },
    report: () => ({ controller, cluster, counts: { ...counts }, failures: [...failures], nextDueAtMs: next }),
  };
  return log;
}

/**
 * Runs one object's part. A failed operation is that object's alone: it is noted and the object tried again at the given
 * moment, or with the next net if repeating does not help. Everything else is a mistake in the program and ends the run.
 */
export async function isolate(
  log: RunLog,
  object: string,
  retryAtMs: number,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    log.fail(object, error);
    if (error.retry !== "never" || error.outcomeUnknown) log.due(retryAtMs);
  }
}

/**
 * Works on all items, at most `limit` at the same time, in order of the list. After one failed no more are begun; it
 * throws when those under way have ended, so that nothing goes on behind the caller's back.
 */
export async function forEachBounded<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const item = items[next++]!;
      try {
        await work(item);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, lane));
  for (const ended of lanes) if (ended.status === "rejected") throw ended.reason;
}
