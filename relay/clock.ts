import type { Clock } from "../shared/ports/index.ts";

/**
 * Time with timers, so that tests and the embedded world can bring their own. `now` is for moments that are written down;
 * it may be set back (NTP). What waits or measures goes by `elapsed`.
 */
export interface RelayClock extends Clock {
  /** Milliseconds since some moment, by a clock that nobody sets. */
  elapsed(): number;
  /** Calls back after that many milliseconds; returns the function that calls it off. */
  after(ms: number, callback: () => void): () => void;
}

export function systemClock(): RelayClock {
  const after = (ms: number, callback: () => void) => {
    const timer = setTimeout(callback, Math.max(0, ms));
    return () => clearTimeout(timer);
  };
  return {
    now: () => Date.now(),
    elapsed: () => Math.floor(performance.now()),
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    after,
  };
}

/** Calls back again and again, the first time after `everyMs`. Returns the function that ends it. */
export function repeatEvery(clock: RelayClock, everyMs: number, callback: () => void): () => void {
  let cancel = clock.after(everyMs, again);
  function again(): void {
    cancel = clock.after(everyMs, again);
    callback();
  }
  return () => cancel();
}
