import type { RelayClock } from "../clock.ts";

/** A burst ends when it was quiet for `idleMs`, and at the latest `longestMs` after it began (Karpenter's batch windows). */
export interface Window {
  readonly idleMs: number;
  readonly longestMs: number;
  /** From the end of one burst to that of the next, at least. Default 0. */
  readonly gapMs?: number;
}

export interface Coalescer {
  /** Something happened. */
  note(): void;
  /** Ends an open burst now. */
  flush(): void;
  stop(): void;
}

/** Calls `fire` once for each burst. */
export function coalesce(clock: RelayClock, { idleMs, longestMs, gapMs = 0 }: Window, fire: () => void): Coalescer {
  let firstMs: number | undefined;
  let lastMs = 0;
  let endedMs = Number.NEGATIVE_INFINITY;
  let cancel = () => {};

  function end(): void {
    cancel();
    firstMs = undefined;
    endedMs = clock.elapsed();
    fire();
  }

  /** One timer a burst, set again when it comes too early: notes come by the thousand. */
  function check(): void {
    if (firstMs === undefined) return;
    const leftMs = Math.max(Math.min(lastMs + idleMs, firstMs + longestMs), endedMs + gapMs) - clock.elapsed();
    if (leftMs <= 0) end();
    else cancel = clock.after(leftMs, check);
  }

  return {
    note() {
      lastMs = clock.elapsed();
      if (firstMs !== undefined) return;
      firstMs = lastMs;
      cancel = clock.after(Math.min(idleMs, longestMs), check);
    },
    flush() {
      if (firstMs !== undefined) end();
    },
    stop() {
      cancel();
      firstMs = undefined;
    },
  };
}
