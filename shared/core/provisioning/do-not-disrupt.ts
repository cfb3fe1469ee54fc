const unitsMs: Readonly<Record<string, number>> = {
  ns: 0.000_001,
  us: 0.001,
  µs: 0.001,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** A Go duration ("1h30m") in milliseconds, rounded down; undefined if it is none. */
export function parseGoDurationMs(text: string): number | undefined {
  const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/gy;
  let total = 0;
  let end = 0;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    total += Number(match[1]) * unitsMs[match[2]!]!;
    end = part.lastIndex;
  }
  return end === text.length && text !== "" ? Math.floor(total) : undefined;
}

/**
 * Until when `karpenter.sh/do-not-disrupt` holds: null for ever ("true"), a time for a duration, counted from the pod's
 * creation, and undefined where it does not hold at all (absent, invalid, zero or negative: facts §3.6).
 */
export function doNotDisruptUntil(value: string | undefined, sinceMs: number): number | null | undefined {
  if (value === undefined) return undefined;
  if (value === "true") return null;
  const duration = parseGoDurationMs(value);
  return duration === undefined || duration <= 0 ? undefined : sinceMs + duration;
}
