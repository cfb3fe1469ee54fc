import type { WorldClock } from "../../../local/clock.ts";

/** Time that passes when a test says so. */
export function handClock(): WorldClock & { pass(ms: number): void } {
  let nowMs = 1_760_000_000_000;
  let timers: { atMs: number; callback: () => void }[] = [];
  const after = (ms: number, callback: () => void) => {
    const timer = { atMs: nowMs + ms, callback };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  return {
    speed: 1,
    now: () => nowMs,
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    after,
    pass(ms) {
      const endMs = nowMs + ms;
      for (;;) {
        const next = timers.filter((timer) => timer.atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        nowMs = next.atMs;
        next.callback();
      }
      nowMs = endMs;
    },
  };
}
