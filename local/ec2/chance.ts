// Seeded chance: the ids and the shares of failing calls are the same for the same seed.

/** Numbers in [0, 1) by mulberry32 (public domain, Tommy Ettinger). */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Ids such as i-0b5c1a…: the prefix, a hyphen, a zero and sixteen hexadecimal digits, as EC2 writes them. */
export function createIds(seed: number): (prefix: string) => string {
  const chance = createChance(seed);
  const digit = (): string => Math.floor(chance() * 16).toString(16);
  return (prefix) => `${prefix}-0${Array.from({ length: 16 }, digit).join("")}`;
}
