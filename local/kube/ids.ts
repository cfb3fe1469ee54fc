// Ids that a seed replays.
import type { WorldIds } from "./types.ts";

/** The letters of generated names: no vowels and nothing that looks alike, as in Kubernetes. */
const suffixAlphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;

/** Mulberry32: a 32-bit generator that is plenty for ids. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** The same seed gives the same ids in the same order. */
export function createSeededIds(seed: number): WorldIds {
  const next = generator(seed);
  const hex = (): string => next().toString(16).padStart(8, "0");
  return {
    uid: () => {
      const digits = `${hex()}${hex()}${hex()}${hex()}`;
      const variant = "89ab"[Number.parseInt(digits[16]!, 16) % 4];
      return [
        digits.slice(0, 8),
        digits.slice(8, 12),
        `4${digits.slice(13, 16)}`,
        `${variant}${digits.slice(17, 20)}`,
        digits.slice(20),
      ].join("-");
    },
    nameSuffix: () =>
      Array.from({ length: suffixLength }, () => suffixAlphabet[next() % suffixAlphabet.length]).join(""),
  };
}
