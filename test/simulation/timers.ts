import type { RelayClock } from "../../relay/clock.ts";
import type { Clock } from "../../shared/ports/index.ts";

export interface Timers extends RelayClock {
  /** Calls back all that is due by now, in order. */
  runDue(): void;
  nextDueAtMs(): number | undefined;
}

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

/** Timers on a clock that is moved by hand. */
export function createTimers(clock: Clock): Timers {
  const waiting = new Set<Timer>();
  const earliest = () =>
    [...waiting].reduce<Timer | undefined>((a, b) => (a !== undefined && a.atMs <= b.atMs ? a : b), undefined);
  return {
    now: clock.now,
    elapsed: clock.now,
    sleep: clock.sleep,
    after(ms, callback) {
      const timer = { atMs: clock.now() + Math.max(0, ms), callback };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
    runDue() {
      for (let next = earliest(); next !== undefined && next.atMs <= clock.now(); next = earliest()) {
        waiting.delete(next);
        next.callback();
      }
    },
    nextDueAtMs: () => earliest()?.atMs,
  };
}
