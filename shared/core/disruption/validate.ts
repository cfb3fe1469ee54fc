import { isReschedulable, isTerminal, protectedUntil } from "../lifecycle/index.ts";
import type { Pod } from "../model/index.ts";

/**
 * Pods that stand against deleting a node that was to go because it was empty, read again after it was tainted: those
 * that would need another place, and protected ones. By `namespace/name`.
 */
export function blockingPods(pods: readonly Pod[], nowMs: number): readonly string[] {
  return pods
    .filter((pod) => isReschedulable(pod) || (!isTerminal(pod) && protectedUntil(pod) > nowMs))
    .map((pod) => `${pod.namespace}/${pod.name}`)
    .sort();
}
