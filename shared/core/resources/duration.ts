const unitsMs: Readonly<Record<string, number>> = {
  ns: 0.000_001,
  us: 0.001,
  µs: 0.001,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/**
 * A duration as Go writes it ("1h30m", "1.5s") in milliseconds, rounded down; undefined if it is none, or negative. The bare
 * "0" that Go takes too is none here: where settings are written by hand it is a unit forgotten.
 */
export function parseGoDurationMs(text: string): number | undefined {
  const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/gy;
  let total = 0;
  let end = 0;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    total += Number(match[1]) * unitsMs[match[2]!]!;
    end = part.lastIndex;
  }
  return end === text.length && text !== "" ? wholeMs(total) : undefined;
}

/** Sums of fractions are a little off (1.001 s is 1000.99… ms): what Go knows, nanoseconds, is made whole first. */
function wholeMs(ms: number): number {
  return Math.floor(Math.round(ms * 1_000_000) / 1_000_000);
}
