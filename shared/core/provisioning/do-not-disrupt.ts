import { parseGoDurationMs } from "../resources/index.ts";

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
