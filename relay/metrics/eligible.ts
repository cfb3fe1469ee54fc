import { annotations, taints } from "../../shared/core/model/index.ts";
import type { KeptNode, KeptNodeClaim, KeptNodePool } from "../objects.ts";
import type { ClusterView } from "../view.ts";
import { deletionRequestedAtMs, metCondition } from "./claims.ts";
import { gauge } from "./definition.ts";
import type { Family } from "./exposition.ts";
import { createGauge } from "./instruments.ts";
import type { NodeLoad, NodeLoads } from "./node-load.ts";

export const eligibleSeries = {
  nodes: gauge(
    "karpenter_voluntary_disruption_eligible_nodes",
    ["reason"],
    "Nodes that might be disrupted for the reason, budgets and pod disruption budgets left aside.",
  ),
} as const;

/** Already told to go, tainted for it, or deleted by somebody. */
export function isGoing(claim: KeptNodeClaim, node: KeptNode): boolean {
  return (
    deletionRequestedAtMs(claim) !== undefined ||
    node.deletionAtMs !== undefined ||
    node.taints.some(({ key, effect }) => key === taints.disrupted.key && effect === taints.disrupted.effect)
  );
}

export function isReadyNode({ conditions }: KeptNode): boolean {
  return metCondition(conditions, "Ready") !== undefined;
}

/**
 * How many nodes each reason could take: initialized, not going, protected by no annotation, and quiet for as long as the
 * NodePool wants. Pod disruption budgets are not looked at: the known alert finds them by nodes that stay eligible while
 * nothing is decided.
 */
export function createEligibleSeries(view: ClusterView, loads: NodeLoads): readonly Family[] {
  return [
    createGauge(eligibleSeries.nodes, (nowMs) => {
      const pools = new Map([...view.all("NodePool")].map((pool) => [pool.name, pool]));
      const counts = { empty: 0, underutilized: 0, drifted: 0 };
      for (const claim of view.all("NodeClaim")) {
        const node = claim.nodeName === undefined ? undefined : view.node(claim.nodeName);
        const pool = claim.nodePool === undefined ? undefined : pools.get(claim.nodePool);
        if (node === undefined || pool === undefined || pool.replicas !== undefined) continue;
        const load = loads.get(node.name);
        if (!isCandidate(claim, node) || isProtected(claim, node, load, view, nowMs)) continue;
        if (metCondition(claim.conditions, "Drifted") !== undefined) counts.drifted++;
        const reason = consolidation(claim, pool, load, nowMs);
        if (reason !== undefined) counts[reason]++;
      }
      return Object.entries(counts).map(([reason, count]) => [[reason], count] as const);
    }),
  ];
}

function isCandidate(claim: KeptNodeClaim, node: KeptNode): boolean {
  return metCondition(claim.conditions, "Initialized") !== undefined && !isGoing(claim, node);
}

function consolidation(
  claim: KeptNodeClaim,
  { consolidateAfterMs, consolidationPolicy }: KeptNodePool,
  load: NodeLoad | undefined,
  nowMs: number,
): "empty" | "underutilized" | undefined {
  if (consolidateAfterMs === null || nowMs < quietSinceMs(claim) + consolidateAfterMs) return undefined;
  if ((load?.movable ?? 0) === 0) return "empty";
  return consolidationPolicy === "WhenEmpty" ? undefined : "underutilized";
}

/** The last pod event or, as long as there was none, when the node was initialized. */
function quietSinceMs({ lastPodEventAtMs, conditions }: KeptNodeClaim): number {
  return lastPodEventAtMs ?? metCondition(conditions, "Initialized")?.changedAtMs ?? Number.POSITIVE_INFINITY;
}

function isProtected(
  claim: KeptNodeClaim,
  node: KeptNode,
  load: NodeLoad | undefined,
  view: ClusterView,
  nowMs: number,
): boolean {
  const ofObject = (object: KeptNodeClaim | KeptNode) =>
    isHeld(object.annotations[annotations.doNotDisrupt], object.createdAtMs, nowMs);
  if (ofObject(claim) || ofObject(node)) return true;
  for (const uid of load?.protectedPods ?? []) {
    const pod = view.get("Pod", uid);
    if (pod !== undefined && isHeld(pod.doNotDisrupt, pod.createdAtMs, nowMs)) return true;
  }
  return false;
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** `karpenter.sh/do-not-disrupt`: "true" holds for ever, a duration for so long after the creation, anything else not. */
function isHeld(value: string | undefined, createdAtMs: number, nowMs: number): boolean {
  if (value === undefined || value === "true") return value === "true";
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(value)) return false;
  let durationMs = 0;
  for (const [, amount, unit] of value.matchAll(/([\d.]+)(h|ms|m|s)/g)) durationMs += Number(amount) * unitMs[unit!]!;
  return nowMs < createdAtMs + durationMs;
}
