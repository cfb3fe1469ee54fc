import { claimNotes, labels, snakeCaseReason } from "../../shared/core/model/index.ts";
import type { Condition, KeptNodeClaim } from "../objects.ts";
import type { ClusterView } from "../view.ts";
import { counter, doublingBuckets, histogram } from "./definition.ts";
import type { Family } from "./exposition.ts";
import { createCounter, createHistogram } from "./instruments.ts";
import { seconds } from "./seconds.ts";

const minValuesRelaxed = "karpenter.sh/nodeclaim-min-values-relaxed";

export const claimSeries = {
  created: counter(
    "karpenter_nodeclaims_created_total",
    ["reason", "nodepool", "min_values_relaxed"],
    "NodeClaims that were made, by why.",
  ),
  terminated: counter(
    "karpenter_nodeclaims_terminated_total",
    ["nodepool", "capacity_type", "zone"],
    "NodeClaims that are gone, with their instances.",
  ),
  disrupted: counter(
    "karpenter_nodeclaims_disrupted_total",
    ["reason", "nodepool", "capacity_type"],
    "NodeClaims that were told to go, by why; those that people delete are not among them.",
  ),
  termination: histogram(
    "karpenter_nodeclaims_termination_duration_seconds",
    ["nodepool"],
    doublingBuckets(1, 12),
    "From the wish that a NodeClaim goes until it was gone.",
  ),
  instanceTermination: histogram(
    "karpenter_nodeclaims_instance_termination_duration_seconds",
    ["nodepool"],
    doublingBuckets(1, 11),
    "From the call that ends an instance until it was gone.",
  ),
  drained: counter(
    "karpenter_nodes_drained_total",
    ["nodepool"],
    "Nodes whose pods are gone because the node is to go.",
  ),
  decisions: counter(
    "karpenter_voluntary_disruption_decisions_total",
    ["decision", "reason", "consolidation_type"],
    "Disruption commands that were carried out.",
  ),
  decisionsByPool: counter(
    "karpenter_voluntary_disruption_decisions_by_nodepool_total",
    ["nodepool", "decision", "reason", "consolidation_type"],
    "Disruption commands that were carried out, once for each NodePool that they touched.",
  ),
} as const;

/** Reasons that are a choice: the others happen to nodes. */
const voluntaryReasons: ReadonlySet<string> = new Set(["empty", "underutilized", "drifted"]);

/** The condition of that type, if it is True. */
export function metCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type && condition.status === "True");
}

/** When it was first said that the claim is to go: in its conditions, or by deleting it. */
export function deletionRequestedAtMs(claim: KeptNodeClaim): number | undefined {
  const told = metCondition(claim.conditions, "DisruptionReason")?.changedAtMs;
  if (told === undefined || claim.deletionAtMs === undefined) return told ?? claim.deletionAtMs;
  return Math.min(told, claim.deletionAtMs);
}

/**
 * Counts what happens to NodeClaims, from the first list on. A mirror that vanishes without having been told to go is made
 * again by the functions under its name, which is never another claim's: neither end nor beginning is counted.
 */
export function createClaimSeries(view: ClusterView, clock: { now(): number }): readonly Family[] {
  const created = createCounter(claimSeries.created);
  const terminated = createCounter(claimSeries.terminated);
  const termination = createHistogram(claimSeries.termination);
  const instanceTermination = createHistogram(claimSeries.instanceTermination);
  const disruptions = createDisruptionCounters();
  const vanished = new Set<string>();

  function begin(claim: KeptNodeClaim): void {
    if (vanished.delete(claim.name)) return;
    const { [claimNotes.madeFor]: reason = "", [minValuesRelaxed]: relaxed = "false" } = claim.annotations;
    created.add([reason, claim.nodePool ?? "", relaxed]);
  }

  function end(claim: KeptNodeClaim): void {
    const { name, conditions, nodePool = "" } = claim;
    const sinceMs = deletionRequestedAtMs(claim);
    if (sinceMs === undefined) {
      vanished.add(name);
      return;
    }
    const nowMs = clock.now();
    terminated.add([nodePool, ...labelValues(claim, labels.capacityType, labels.zone)]);
    termination.observe([nodePool], seconds(sinceMs, nowMs));
    const terminating = metCondition(conditions, "InstanceTerminating");
    if (terminating !== undefined) instanceTermination.observe([nodePool], seconds(terminating.changedAtMs, nowMs));
  }

  view.onChange("NodeClaim", (before, after) => {
    if (view.isListed("NodeClaim")) {
      if (before === undefined && after !== undefined) begin(after);
      if (after !== undefined) disruptions.follow(before, after);
      else if (before !== undefined) end(before);
    }
    if (after === undefined && before !== undefined) disruptions.forget(before);
  });
  return [created, terminated, termination, instanceTermination, ...disruptions.families];
}

function labelValues(claim: KeptNodeClaim, ...keys: readonly string[]): string[] {
  return keys.map((key) => claim.labels[key] ?? "");
}

/**
 * Counts claims and commands once, when a claim is first seen told to go. The mirror writes a claim's conditions before its
 * annotations, so a decision is counted when the annotations have come too, or never came and the claim goes.
 */
function createDisruptionCounters() {
  const disrupted = createCounter(claimSeries.disrupted);
  const drained = createCounter(claimSeries.drained);
  const decisions = createCounter(claimSeries.decisions);
  const decisionsByPool = createCounter(claimSeries.decisionsByPool);
  /** Commands that were counted, with the pools, for as long as one of their claims is there. */
  const counted = new Map<string, { readonly pools: Set<string>; readonly claims: Set<string> }>();
  /** Uid of a claim that was told to go and does not name its command yet → the reason. */
  const untold = new Map<string, string>();

  function decide(claim: KeptNodeClaim, reason: string): void {
    const { nodePool = "", uid } = claim;
    const notes = claim.annotations;
    const said = [notes[claimNotes.decision] ?? "", reason, notes[claimNotes.consolidationType] ?? ""];
    // A claim that names no command is its own.
    const id = notes[claimNotes.command] ?? uid;
    let command = counted.get(id);
    if (command === undefined) {
      command = { pools: new Set(), claims: new Set() };
      counted.set(id, command);
      decisions.add(said);
    }
    if (!command.pools.has(nodePool)) decisionsByPool.add([nodePool, ...said]);
    command.pools.add(nodePool);
    command.claims.add(uid);
  }

  /** Counts the decision that the claim falls to, if it was not counted yet. */
  function settle(claim: KeptNodeClaim): void {
    const reason = untold.get(claim.uid);
    if (reason === undefined) return;
    untold.delete(claim.uid);
    decide(claim, reason);
  }

  return {
    families: [disrupted, drained, decisions, decisionsByPool] as readonly Family[],
    follow(before: KeptNodeClaim | undefined, after: KeptNodeClaim): void {
      const isNew = (type: string) =>
        before === undefined || metCondition(before.conditions, type) === undefined
          ? metCondition(after.conditions, type)
          : undefined;
      const told = isNew("DisruptionReason");
      const { nodePool = "" } = after;
      if (told !== undefined) {
        const reason = snakeCaseReason(told.reason);
        if (reason !== "deleted") disrupted.add([reason, nodePool, ...labelValues(after, labels.capacityType)]);
        if (voluntaryReasons.has(reason)) untold.set(after.uid, reason);
      }
      if (after.annotations[claimNotes.command] !== undefined) settle(after);
      if (isNew("Drained") !== undefined) drained.add([nodePool]);
    },
    forget(claim: KeptNodeClaim): void {
      settle(claim);
      const id = claim.annotations[claimNotes.command] ?? claim.uid;
      const command = counted.get(id);
      if (command === undefined) return;
      command.claims.delete(claim.uid);
      if (command.claims.size === 0) counted.delete(id);
    },
  };
}
