/** Seconds between two moments, never negative: the clocks of API server and relay may differ a little. */
export function seconds(fromMs: number, toMs: number): number {
  return Math.max(0, toMs - fromMs) / 1000;
}
