import type { WorldClock } from "../../local/clock.ts";

export interface VirtualClock extends WorldClock {
  /** Lets time pass up to a moment, from one timer to the next; everything comes to rest before time goes on. */
  runUntil(endMs: number): Promise<void>;
  /** Sleeps that were begun by those for whom `isCounted` held, and that are not over. */
  sleeping(): number;
}

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/**
 * Time that jumps to the next timer once nothing moves any more: a day is minutes, and no count depends on this computer's
 * speed. `rest` resolves when everything that was set off has come to an end or waits for time.
 */
export function createVirtualClock(options: {
  readonly startMs: number;
  rest(): Promise<void>;
  isCounted(): boolean;
}): VirtualClock {
  let nowMs = options.startMs;
  let order = 0;
  let sleeping = 0;
  const timers = new Set<Timer>();

  const after = (ms: number, callback: () => void) => {
    const timer = { atMs: nowMs + Math.max(0, ms), order: order++, callback };
    timers.add(timer);
    return () => void timers.delete(timer);
  };

  function next(endMs: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (timer.atMs > endMs) continue;
      if (first === undefined || timer.atMs < first.atMs || (timer.atMs === first.atMs && timer.order < first.order)) {
        first = timer;
      }
    }
    return first;
  }

  return {
    // Watches on real sockets stay silent for real minutes: for whoever asks how fast this clock runs, without bound.
    speed: 1_000_000,
    now: () => nowMs,
    sleeping: () => sleeping,
    after,
    sleep(ms) {
      const counts = options.isCounted();
      if (counts) sleeping += 1;
      return new Promise((resolve) => {
        after(ms, () => {
          if (counts) sleeping -= 1;
          resolve();
        });
      });
    },
    async runUntil(endMs) {
      await options.rest();
      for (let timer = next(endMs); timer !== undefined; timer = next(endMs)) {
        timers.delete(timer);
        nowMs = Math.max(nowMs, timer.atMs);
        timer.callback();
        await options.rest();
      }
      nowMs = endMs;
    },
  };
}
