import type { WorldClock } from "../../../local/clock.ts";

export interface HandClock extends WorldClock {
  /** Milliseconds that passed, whatever `step` did. */
  elapsed(): number;
  pass(ms: number): void;
  /** Sets what `now` says forward or back, as NTP does; no time passes. */
  step(ms: number): void;
}

/** Time that passes when a test says so. */
export function handClock(): HandClock {
  const startMs = 1_760_000_000_000;
  let elapsedMs = 0;
  let steppedMs = 0;
  let timers: { atMs: number; callback: () => void }[] = [];
  const after = (ms: number, callback: () => void) => {
    const timer = { atMs: elapsedMs + ms, callback };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  return {
    speed: 1,
    now: () => startMs + elapsedMs + steppedMs,
    elapsed: () => elapsedMs,
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    after,
    pass(ms) {
      const endMs = elapsedMs + ms;
      for (;;) {
        const next = timers.filter((timer) => timer.atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        elapsedMs = next.atMs;
        next.callback();
      }
      elapsedMs = endMs;
    },
    step(ms) {
      steppedMs += ms;
    },
  };
}
