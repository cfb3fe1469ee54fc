import { annotations, type Pod, type PodDisruptionBudget } from "../model/index.ts";
import { isOver, podKey, selects, type World } from "../scheduling/index.ts";
import { doNotDisruptUntil } from "./do-not-disrupt.ts";

export interface Ignored {
  readonly pod: string;
  readonly reason: string;
}

/** The pods to plan, and the pending ones that are not, with the reason. */
export interface Provisionable {
  readonly pods: readonly Pod[];
  readonly ignored: readonly Ignored[];
  /** When one of the reasons ends by itself. */
  readonly nextChangeAtMs: number | null;
}

/** Deletions that end the instance whatever its pods wish: their pods need a new place now. */
const endings: ReadonlySet<string> = new Set([
  "spot_interrupted",
  "capacity_reservation_interrupted",
  "instance_stopped",
  "instance_terminated",
]);

/**
 * Pending pods that kube-scheduler found no node for, and the pods of nodes that are on their way out, as they will be
 * pending soon. A pod that keeps its node from going (do-not-disrupt, a budget that allows nothing ever) gets no second
 * place (core#2033, core#1928), unless its instance ends anyway.
 */
export function provisionable(world: World): Provisionable {
  const { snapshot, bins } = world;
  const pods: Pod[] = [];
  const ignored: Ignored[] = [];
  const changes: number[] = [];
  const daemonSets = new Set(snapshot.daemonSets.map(({ uid }) => uid));
  const leaving = new Map<string, string>();
  for (const { leaving: leaves, nodeName, claim } of bins) {
    if (leaves && nodeName !== undefined) leaving.set(nodeName, claim?.deletion?.reason ?? "");
  }
  for (const pod of snapshot.pods) {
    if (isOver(pod)) continue;
    const isDaemon = pod.owner?.kind === "DaemonSet" || (pod.owner !== undefined && daemonSets.has(pod.owner.uid));
    if (pod.nodeName !== undefined) {
      const reason = leaving.get(pod.nodeName);
      if (reason === undefined || isDaemon || pod.mirror || pod.deletionAtMs !== undefined) continue;
      if (world.nominated.has(podKey(pod)) || pod.owner?.kind === "Node") continue;
      if (!endings.has(reason)) {
        const until = blockedUntil(pod, snapshot.podDisruptionBudgets, snapshot.nowMs);
        if (until !== undefined) {
          if (until !== null) changes.push(until);
          continue;
        }
      }
      pods.push(pod);
      continue;
    }
    const reason = ignoredReason(pod, isDaemon, world.nominated.get(podKey(pod)));
    if (reason === undefined) pods.push(pod);
    else ignored.push({ pod: podKey(pod), reason });
  }
  ignored.sort((a, b) => (a.pod < b.pod ? -1 : 1));
  return { pods, ignored, nextChangeAtMs: changes.length === 0 ? null : Math.min(...changes) };
}

function ignoredReason(pod: Pod, isDaemon: boolean, nominatedTo: string | undefined): string | undefined {
  if (pod.deletionAtMs !== undefined) return "it is being deleted";
  if (pod.mirror || pod.owner?.kind === "Node") return "it is a static pod: its kubelet runs it";
  if (isDaemon) return "its DaemonSet places it: nodes are planned with room for it";
  if (pod.schedulingGates.length > 0) return `it waits for its scheduling gates: ${pod.schedulingGates.join(", ")}`;
  if (nominatedTo !== undefined) return `it has a place on ${nominatedTo} already`;
  if (pod.nominatedNodeName !== undefined) {
    return `kube-scheduler is making room for it on node ${pod.nominatedNodeName}`;
  }
  if (!pod.unschedulable) return "kube-scheduler has not found it unschedulable";
  return undefined;
}

/** Until when the pod keeps its node from being drained: a time, null for as long as things stay, undefined for not at all. */
function blockedUntil(pod: Pod, budgets: readonly PodDisruptionBudget[], nowMs: number): number | null | undefined {
  const until = doNotDisruptUntil(pod.annotations[annotations.doNotDisrupt], pod.createdAtMs);
  if (until === null) return null;
  const blocking = budgets.some(
    (budget) => budget.namespace === pod.namespace && allowsNothing(budget) && selects(budget.selector, pod.labels),
  );
  if (blocking) return null;
  return until !== undefined && until > nowMs ? until : undefined;
}

/** Budgets by which no pod may ever be evicted; one that is merely used up now will give way. */
function allowsNothing({ maxUnavailable, minAvailable }: PodDisruptionBudget): boolean {
  return maxUnavailable === "0" || maxUnavailable === "0%" || minAvailable === "100%";
}
