export interface Backoff {
  /** How long to wait after one more failure. `askedMs`: what the server asked for, at least. */
  nextMs(askedMs?: number): number;
  /** After a success. */
  reset(): void;
}

/** Doubling waits, each shortened by up to a half at random, so that many relays don't come back at one moment. */
export function createBackoff(firstMs: number, longestMs: number, random: () => number): Backoff {
  let failures = 0;
  return {
    nextMs(askedMs = 0) {
      // 2^20 times the first wait is past any longest one; the bound keeps the power finite.
      const fullMs = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 20));
      failures++;
      return Math.max(askedMs, Math.round(fullMs * (1 - random() / 2)));
    },
    reset() {
      failures = 0;
    },
  };
}
