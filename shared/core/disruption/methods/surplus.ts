import { isDaemonPod, protectedUntil } from "../../lifecycle/index.ts";
import { annotations, type Command, type NodePool, type Snapshot } from "../../model/index.ts";
import type { Candidate } from "../candidates.ts";
import type { Method } from "./method.ts";

/**
 * Static pools that have more nodes than replicas lose the rest, budgets or not. In Karpenter's order: claims without an
 * instance, empty nodes, then those whose pods it costs least to move; nodes with protected pods last. People may say who
 * goes first among equals with the annotation karpenter.sh/deprovisioning-priority.
 */
export const surplus: Method = (snapshot, candidates) => {
  const commands: Command[] = [];
  const gate = snapshot.settings.featureGates.staticCapacity;
  const fixed = gate ? snapshot.nodePools.filter(isFixed) : [];
  for (const pool of fixed) {
    const own = candidates.filter(({ claim }) => claim.nodePool === pool.name && claim.commandId === undefined);
    const ranked = own.map((candidate) => rankOf(candidate, snapshot)).sort(byRank);
    for (const { candidate } of ranked.slice(0, Math.max(0, own.length - pool.replicas!))) {
      const { claim } = candidate;
      commands.push({
        id: `surplus-${claim.name}-${snapshot.head.seq}`,
        reason: "Overprovisioned",
        decision: "delete",
        candidates: [claim.name],
        replacements: [],
        savingsMicroUsdPerHour: claim.instance?.priceMicroUsd ?? 0,
      });
    }
  }
  return {
    commands,
    eligible: {},
    verdicts: new Map(),
    warnings: [],
    // Time alone makes no node one too many.
    nextChangeAtMs: Number.POSITIVE_INFINITY,
  };
};

function isFixed({ replicas, deletionAtMs }: NodePool): boolean {
  return replicas !== undefined && deletionAtMs === undefined;
}

interface Rank {
  readonly candidate: Candidate;
  /** 0: no instance yet; 1: empty; 2: with pods; 3: with protected ones. */
  readonly group: number;
  readonly priority: number;
  readonly cost: number;
}

function rankOf(candidate: Candidate, { nowMs, placements }: Snapshot): Rank {
  const { claim, node, pods } = candidate;
  const priority = Number.parseInt(claim.annotations[annotations.deprovisioningPriority] ?? "", 10) || 0;
  const awaited = placements.some(
    ({ target, pods: on }) => on.length > 0 && (target === claim.name || target === node?.name),
  );
  const protectedPods = pods.some((pod) => protectedUntil(pod) > nowMs);
  const isEmpty = pods.every(isDaemonPod) && !protectedPods && !awaited;
  const group = claim.instance === undefined ? 0 : isEmpty ? 1 : protectedPods ? 3 : 2;
  const cost = pods.reduce((sum, pod) => sum + evictionCost(pod), 0) * lifetimeLeft(candidate, nowMs);
  return { candidate, group, priority, cost };
}

function byRank(a: Rank, b: Rank): number {
  return (
    a.group - b.group ||
    b.priority - a.priority ||
    a.cost - b.cost ||
    (a.candidate.claim.name < b.candidate.claim.name ? -1 : 1)
  );
}

/** Facts §3.6. */
function evictionCost({ annotations: notes, priority }: Candidate["pods"][number]): number {
  const deletionCost = Number.parseInt(notes["controller.kubernetes.io/pod-deletion-cost"] ?? "", 10) || 0;
  return Math.min(10, Math.max(-10, 1 + deletionCost / 2 ** 27 + priority / 2 ** 25));
}

/** The share of its life that a node still has; 1 where it never expires. */
function lifetimeLeft({ claim }: Candidate, nowMs: number): number {
  if (claim.expireAfterMs === null || claim.expireAfterMs === 0) return 1;
  return Math.min(1, Math.max(0, (claim.createdAtMs + claim.expireAfterMs - nowMs) / claim.expireAfterMs));
}
