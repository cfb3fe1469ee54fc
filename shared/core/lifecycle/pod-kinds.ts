import { annotations, type Pod, taints } from "../model/index.ts";
import { doNotDisruptUntil } from "../provisioning/do-not-disrupt.ts";
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

/** Until when `karpenter.sh/do-not-disrupt` protects a pod or node; 0: it does not, Infinity: for ever. */
export function protectedUntil(holder: {
  readonly annotations: Readonly<Record<string, string>>;
  readonly createdAtMs: number;
}): number {
  const untilMs = doNotDisruptUntil(holder.annotations[annotations.doNotDisrupt], holder.createdAtMs);
  return untilMs === null ? Number.POSITIVE_INFINITY : (untilMs ?? 0);
}
