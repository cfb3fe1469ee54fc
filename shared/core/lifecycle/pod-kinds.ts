import { annotations, type Pod, taints } from "../model/index.ts";
import { tolerates } from "./tolerates.ts";

const criticalClasses: ReadonlySet<string> = new Set(["system-cluster-critical", "system-node-critical"]);

/** It has ended by itself: it holds no resources and needs no place. */
export function isTerminal(pod: Pod): boolean {
  return pod.phase === "Succeeded" || pod.phase === "Failed";
}

export function isDaemonPod(pod: Pod): boolean {
  return pod.owner?.kind === "DaemonSet";
}

/** A static pod's mirror lives and dies with its kubelet. */
export function isStaticPod(pod: Pod): boolean {
  return pod.mirror || pod.owner?.kind === "Node";
}

/** It asked to stay on a node that is to go. */
export function toleratesDisruption(pod: Pod): boolean {
  return tolerates(pod.tolerations, taints.disrupted);
}

export function isCritical(pod: Pod): boolean {
  return pod.priorityClassName !== undefined && criticalClasses.has(pod.priorityClassName);
}

/** A pod that would need another node if this one went: alive, not leaving, and not bound to the node by nature. */
export function isReschedulable(pod: Pod): boolean {
  return !isTerminal(pod) && pod.deletionAtMs === undefined && !isDaemonPod(pod) && !isStaticPod(pod);
}

/**
 * Until when `karpenter.sh/do-not-disrupt` protects a pod or node: "true" for ever, a Go duration from its start. What is
 * neither, or not positive, protects nothing (`invalid`, for a warning).
 */
export function protectedUntil(holder: {
  readonly annotations: Readonly<Record<string, string>>;
  readonly createdAtMs: number;
}): { readonly untilMs: number; readonly invalid: boolean } {
  const value = holder.annotations[annotations.doNotDisrupt];
  if (value === undefined || value === "false") return { untilMs: 0, invalid: false };
  if (value === "true") return { untilMs: Number.POSITIVE_INFINITY, invalid: false };
  const durationMs = parseGoDurationMs(value);
  if (durationMs === undefined || durationMs <= 0) return { untilMs: 0, invalid: true };
  return { untilMs: holder.createdAtMs + durationMs, invalid: false };
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** `1h30m`, `90s`, `1.5h`: milliseconds; undefined if it is no Go duration (units below a millisecond are not read). */
export function parseGoDurationMs(text: string): number | undefined {
  const match = /^([+-]?)((?:\d+(?:\.\d+)?(?:ms|h|m|s))+)$/.exec(text);
  if (match === null) return undefined;
  let totalMs = 0;
  for (const [, amount, unit] of match[2]!.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)) {
    totalMs += Number(amount) * unitMs[unit!]!;
  }
  return Math.round(match[1] === "-" ? -totalMs : totalMs);
}
