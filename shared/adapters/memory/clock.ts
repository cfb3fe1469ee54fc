import type { Clock, Ids } from "../../ports/index.ts";

/** Virtual time: it stands still until it is moved, and everything that sleeps wakes in order of its time. */
export interface MemoryClock extends Clock {
  /** Moves time to that moment, waking sleepers on the way and letting each run as far as it gets before the next. */
  advanceTo(ms: number): Promise<void>;
  /** When the next sleeper wakes; undefined: nobody sleeps. */
  nextWakeAtMs(): number | undefined;
}

interface Sleeper {
  readonly atMs: number;
  readonly order: number;
  readonly wake: () => void;
}

export function createMemoryClock(startMs: number): MemoryClock {
  let nowMs = startMs;
  let order = 0;
  const sleepers: Sleeper[] = [];
  const earliest = () => sleepers.sort((a, b) => a.atMs - b.atMs || a.order - b.order)[0];
  return {
    now: () => nowMs,
    sleep: (ms) =>
      new Promise((wake) => {
        sleepers.push({ atMs: nowMs + Math.max(0, ms), order: order++, wake });
      }),
    nextWakeAtMs: () => earliest()?.atMs,
    async advanceTo(ms) {
      if (ms < nowMs) throw new RangeError(`time runs forward: it is ${nowMs}, ${ms} is past`);
      await settled();
      for (let next = earliest(); next !== undefined && next.atMs <= ms; next = earliest()) {
        sleepers.splice(sleepers.indexOf(next), 1);
        nowMs = Math.max(nowMs, next.atMs);
        next.wake();
        await settled();
      }
      nowMs = ms;
    },
  };
}

/** Resolves when no promise can go on by itself: the event loop turns only after the queue of reactions is empty. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Tokens that follow from a seed, so that a run can be replayed. */
export function createMemoryIds(seed: number): Ids {
  let count = 0;
  return { next: () => `${seed.toString(36)}x${(count++).toString(36).padStart(6, "0")}` };
}
