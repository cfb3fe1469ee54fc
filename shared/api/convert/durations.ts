const unitMs = { h: 3_600_000, m: 60_000, s: 1000 } as const;

/** Milliseconds of a duration such as "1h30m" or "90s", which its schema has checked; capped far beyond any use. */
export function durationMs(text: string): number {
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/([0-9]+)(s|m|h)/g)) total += Number(amount) * unitMs[unit as "s"];
  return Math.min(total, Number.MAX_SAFE_INTEGER);
}

/** Milliseconds, or null for "Never". */
export function durationOrNeverMs(text: string): number | null {
  return text === "Never" ? null : durationMs(text);
}
