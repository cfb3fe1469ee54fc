import { maxEvictionsPerStep, stuckTerminatingMs } from "../limits.ts";
import type { Pod } from "../model/index.ts";
import { isCritical, isDaemonPod, isStaticPod, isTerminal, protectedUntil, toleratesDisruption } from "./pod-kinds.ts";

/** One bounded step of emptying a node. */
export interface DrainStep {
  /** Nothing that counts is left, or the deadline has passed. */
  readonly drained: boolean;
  /** To be asked of the eviction API now. */
  readonly evict: readonly Pod[];
  /** Past asking: deleted now, with the time that is left to them. */
  readonly remove: readonly { readonly pod: Pod; readonly gracePeriodMs: number }[];
  /** Still there after this step, by `namespace/name`. */
  readonly waitingFor: readonly string[];
  /** When a deadline next forces a pod, or a protection ends; null: never. */
  readonly nextChangeAtMs: number | null;
}

/**
 * What to do about the pods of a node that is to go. Four groups, each waited for before the next: non-critical pods,
 * non-critical daemons, critical pods, critical daemons. Pods that tolerate the disrupted taint, static and ended pods
 * are left alone. A deadline ends pods so that their own grace period fits before it, whatever protects them.
 */
export function planDrain(pods: readonly Pod[], nowMs: number, deadlineMs?: number): DrainStep {
  const present = pods.filter((pod) => countsInDrain(pod, nowMs)).sort(byName);
  if (deadlineMs !== undefined && nowMs >= deadlineMs) {
    return { drained: true, evict: [], remove: [], waitingFor: present.map(nameOf), nextChangeAtMs: null };
  }
  const remove = present
    .filter(
      (pod) =>
        deadlineMs !== undefined && nowMs >= deadlineMs - pod.terminationGracePeriodMs && outlives(pod, deadlineMs),
    )
    .map((pod) => ({ pod, gracePeriodMs: Math.max(1_000, deadlineMs! - nowMs) }));
  const forced = new Set(remove.map(({ pod }) => pod));
  const group = firstGroup(present);
  const evict = group
    .filter((pod) => pod.deletionAtMs === undefined && !forced.has(pod) && protectedUntil(pod) <= nowMs)
    .slice(0, maxEvictionsPerStep);
  return {
    drained: present.length === 0,
    evict,
    remove,
    waitingFor: present.map(nameOf),
    nextChangeAtMs: nextChange(present, nowMs, deadlineMs),
  };
}

/** Whether the pod holds up its node's end. */
function countsInDrain(pod: Pod, nowMs: number): boolean {
  if (isTerminal(pod) || isStaticPod(pod) || toleratesDisruption(pod)) return false;
  return pod.deletionAtMs === undefined || nowMs < pod.deletionAtMs + stuckTerminatingMs;
}

/** It would not be gone by the deadline by itself. */
function outlives(pod: Pod, deadlineMs: number): boolean {
  return pod.deletionAtMs === undefined || pod.deletionAtMs > deadlineMs;
}

function firstGroup(pods: readonly Pod[]): readonly Pod[] {
  const rank = (pod: Pod) => (isCritical(pod) ? 2 : 0) + (isDaemonPod(pod) ? 1 : 0);
  const first = pods.reduce((lowest, pod) => Math.min(lowest, rank(pod)), 4);
  return pods.filter((pod) => rank(pod) === first);
}

function nextChange(pods: readonly Pod[], nowMs: number, deadlineMs: number | undefined): number | null {
  let next = Number.POSITIVE_INFINITY;
  const consider = (atMs: number) => {
    if (atMs > nowMs && atMs < next) next = atMs;
  };
  for (const pod of pods) {
    if (deadlineMs !== undefined) consider(deadlineMs - pod.terminationGracePeriodMs);
    if (pod.deletionAtMs !== undefined) consider(pod.deletionAtMs + stuckTerminatingMs);
    consider(protectedUntil(pod));
  }
  if (deadlineMs !== undefined) consider(deadlineMs);
  return next === Number.POSITIVE_INFINITY ? null : next;
}

function nameOf(pod: Pod): string {
  return `${pod.namespace}/${pod.name}`;
}

function byName(a: Pod, b: Pod): number {
  return nameOf(a) < nameOf(b) ? -1 : 1;
}
