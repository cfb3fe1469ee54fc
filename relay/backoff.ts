export interface Backoff {
  /** How long to wait after one more failure. `askedMs`: what the server asked for, at least, within reason. */
  nextMs(askedMs?: number): number;
  /** After a success. */
  reset(): void;
}

/** A server that asks for more is not believed: what it serves would not be seen for so long. */
const longestAskedMs = 5 * 60_000;

/** Doubling waits, each shortened by up to a half at random, so that many relays don't come back at one moment. */
export function createBackoff(firstMs: number, longestMs: number, random: () => number): Backoff {
  let failures = 0;
  return {
    nextMs(askedMs = 0) {
      // 2^20 times the first wait is past any longest one; the bound keeps the power finite.
      const fullMs = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 20));
      failures++;
      return Math.max(Math.min(askedMs, longestAskedMs), Math.round(fullMs * (1 - random() / 2)));
    },
    reset() {
      failures = 0;
    },
  };
}
