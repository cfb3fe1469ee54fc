import { maxWakeDelayMs } from "../../core/limits.ts";
import type { Clock, DelayedWake, Wake, Wakes } from "../../ports/index.ts";

/** Wakes that wait in memory for whoever takes them: the simulation's queue, in one process, under any clock. */
export interface MemoryWakes extends Wakes {
  /** Removes and returns what is due by now: earliest first, in the order of sending where times are equal. */
  takeDue(): readonly Wake[];
  /** When the next one is due; undefined: nothing waits. */
  nextDueAtMs(): number | undefined;
}

export function createMemoryWakes(clock: Pick<Clock, "now">): MemoryWakes {
  let waiting: { readonly wake: Wake; readonly dueAtMs: number }[] = [];

  async function sendAll(wakes: readonly DelayedWake[]): Promise<void> {
    for (const { delayMs = 0 } of wakes) requireDelay(delayMs);
    const nowMs = clock.now();
    for (const { wake, delayMs = 0 } of wakes) waiting.push({ wake: { ...wake }, dueAtMs: nowMs + delayMs });
    waiting.sort((a, b) => a.dueAtMs - b.dueAtMs);
  }

  return {
    send: (wake, delayMs = 0) => sendAll([{ wake, delayMs }]),
    sendAll,
    takeDue() {
      const nowMs = clock.now();
      const due = waiting.filter((entry) => entry.dueAtMs <= nowMs).map((entry) => entry.wake);
      waiting = waiting.filter((entry) => entry.dueAtMs > nowMs);
      return due;
    },
    nextDueAtMs: () => waiting[0]?.dueAtMs,
  };
}

/** Throws a RangeError for a delay that no queue can do. */
export function requireDelay(delayMs: number): void {
  if (!Number.isFinite(delayMs) || delayMs < 0 || delayMs > maxWakeDelayMs) {
    throw new RangeError(`a wake can be delayed by 0 to ${maxWakeDelayMs} ms, not ${delayMs}: use the agenda`);
  }
}
