import { launchLookupGapMs } from "../limits.ts";
import type { Launch } from "../model/index.ts";

/** What to do about a launch item: `give-up` settles it with what is found, be it nothing. */
export type LaunchStep =
  | { readonly kind: "settled" }
  | { readonly kind: "send" }
  | { readonly kind: "look-up"; readonly ifNone: "note" | "give-up" }
  | { readonly kind: "wait"; readonly untilMs: number };

/**
 * Before `sendBefore` the same bytes are sent with the same token, however often. At and after it the request is never
 * sent: only look-ups by launch tag, and two of them two minutes apart that find too few settle it with what they found.
 */
export function nextLaunchStep(launch: Launch, nowMs: number): LaunchStep {
  if (launch.settledAtMs !== undefined) return { kind: "settled" };
  if (nowMs < launch.sendBeforeMs) return { kind: "send" };
  // One from before the last sending says nothing about it.
  if (launch.emptyLookupAtMs === undefined || launch.emptyLookupAtMs < launch.sendBeforeMs)
    return { kind: "look-up", ifNone: "note" };
  const secondAtMs = launch.emptyLookupAtMs + launchLookupGapMs;
  return nowMs >= secondAtMs ? { kind: "look-up", ifNone: "give-up" } : { kind: "wait", untilMs: secondAtMs };
}
