import type { RelayClock } from "../clock.ts";
import type { KeptPod } from "../objects.ts";
import type { ClusterView } from "../view.ts";
import { isWaiting } from "./rules.ts";

/** After this long without a new pending pod, wakes are repeated at the slow pace: what can be done was done. */
export const freshMs = 10 * 60_000;
export const slowRepeatMs = 60_000;

export interface PendingPods {
  count(): number;
  stop(): void;
}

/**
 * Repeats the wake for pods that stay pending, so that a lost one costs little. Changes that may help them (a pool, a
 * class, a volume) wake by themselves, and so does every new pending pod; hence the slower pace for old ones.
 */
export function repeatWhilePending(
  view: ClusterView,
  clock: RelayClock,
  repeatMs: number,
  fire: () => void,
): PendingPods {
  const waiting = new Set<string>();
  let newestMs = clock.elapsed();
  let firedMs = clock.elapsed();

  const note = (before: KeptPod | undefined, after: KeptPod | undefined) => {
    if (after !== undefined && isWaiting(after)) {
      if (waiting.size === 0) firedMs = clock.elapsed();
      if (!waiting.has(after.uid)) newestMs = clock.elapsed();
      waiting.add(after.uid);
    } else waiting.delete((after ?? before)!.uid);
  };
  const forget = view.onChange("Pod", note);

  let cancel = clock.after(repeatMs, look);
  function look(): void {
    cancel = clock.after(repeatMs, look);
    if (waiting.size === 0) return;
    const everyMs = clock.elapsed() - newestMs > freshMs ? Math.max(slowRepeatMs, repeatMs) : repeatMs;
    if (clock.elapsed() - firedMs < everyMs) return;
    firedMs = clock.elapsed();
    fire();
  }

  return {
    count: () => waiting.size,
    stop() {
      forget();
      cancel();
    },
  };
}
