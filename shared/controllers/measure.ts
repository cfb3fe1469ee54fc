// What operators see of a cluster, from what a run has read anyway. Every measurement names its cluster; which labels
// become dimensions, and what they cost, is the telemetry's business. Answers to Karpenter's metrics controllers, which
// poll; here a gauge is as fresh as the last run, and a run comes at least every ten minutes.
import { phaseOf } from "../core/lifecycle/index.ts";
import type {
  ClaimPhase,
  Command,
  DisruptionPlan,
  LaunchRefusal,
  NodeClaim,
  PlannedClaim,
  ProvisioningPlan,
  Snapshot,
} from "../core/model/index.ts";
import type { StoredState, Telemetry } from "../ports/index.ts";

const phases: readonly Exclude<ClaimPhase, "Gone">[] = [
  "Pending",
  "Launching",
  "Launched",
  "Registered",
  "Initialized",
  "Disrupting",
  "Draining",
  "Terminating",
];
const capacityTypes = ["on-demand", "spot", "reserved"] as const;
const milliCpusPerCpu = 1_000;

function secondsBetween(fromMs: number, toMs: number): number {
  return Math.max(0, toMs - fromMs) / 1_000;
}

/** What the cluster holds, what that costs an hour, and where its claims stand. */
export function measureClaims(telemetry: Telemetry, cluster: string, state: StoredState, nowMs: number): void {
  const held = state.claims.flatMap(({ instance }) => (instance === undefined ? [] : [instance]));
  for (const capacityType of capacityTypes) {
    const own = held.filter((instance) => instance.capacityType === capacityType);
    const labels = { cluster, capacity_type: capacityType };
    const sum = (resource: string) => own.reduce((total, { capacity }) => total + (capacity[resource] ?? 0), 0);
    telemetry.gauge("timmerman_nodes", own.length, labels);
    telemetry.gauge("timmerman_vcpus", sum("cpu") / milliCpusPerCpu, labels);
    telemetry.gauge("timmerman_memory_bytes", sum("memory"), labels);
  }
  const costMicroUsd = held.reduce((total, { priceMicroUsd }) => total + priceMicroUsd, 0);
  telemetry.gauge("timmerman_hourly_cost_micro_usd", costMicroUsd, { cluster });
  const launches = new Map(state.launches.map((launch) => [launch.id, launch]));
  const commands = new Map(state.commands.flatMap((command) => command.candidates.map((name) => [name, command])));
  const standing = state.claims.map((claim) =>
    phaseOf(claim, claim.launch === undefined ? undefined : launches.get(claim.launch.id), commands.get(claim.name)),
  );
  for (const phase of phases) {
    const count = standing.filter((one) => one === phase).length;
    telemetry.gauge("timmerman_nodeclaims", count, { cluster, phase });
  }
  const requested = state.claims.flatMap(({ deletion }) => (deletion === undefined ? [] : [deletion.requestedAtMs]));
  const oldest = requested.length === 0 ? 0 : secondsBetween(Math.min(...requested), nowMs);
  telemetry.gauge("timmerman_oldest_termination_seconds", oldest, { cluster });
}

/**
 * Pods that wait for a node, those that have a place on one that is on its way included. No DaemonSet's, static, gated or
 * preempting ones: the relay exports the same number.
 */
export function measurePending(
  telemetry: Telemetry,
  cluster: string,
  snapshot: Snapshot,
  plan: ProvisioningPlan,
): void {
  const waiting = snapshot.pods.filter(
    (pod) =>
      pod.nodeName === undefined &&
      pod.nominatedNodeName === undefined &&
      pod.unschedulable &&
      pod.phase === "Pending" &&
      pod.deletionAtMs === undefined &&
      pod.schedulingGates.length === 0 &&
      !pod.mirror &&
      !(pod.owner?.kind === "DaemonSet" || pod.owner?.kind === "Node"),
  );
  telemetry.gauge("karpenter_scheduler_queue_depth", waiting.length, { cluster });
  telemetry.gauge("karpenter_scheduler_unschedulable_pods_count", plan.unschedulable.length, { cluster });
}

/** When the oldest of the pods that a claim was planned for was created; absent where none is known. */
export function podsSince(snapshot: Snapshot): (claim: PlannedClaim) => { readonly podsSinceMs?: number } {
  const created = new Map(snapshot.pods.map((pod) => [`${pod.namespace}/${pod.name}`, pod.createdAtMs]));
  return (claim) => {
    const times = claim.pods.map((name) => created.get(name)).filter((atMs) => atMs !== undefined);
    return times.length === 0 ? {} : { podsSinceMs: Math.min(...times) };
  };
}

export function measureCreated(
  telemetry: Telemetry,
  cluster: string,
  claims: readonly PlannedClaim[],
  reason: string,
  nowMs: number,
): void {
  for (const { nodePool, podsSinceMs } of claims) {
    telemetry.count("karpenter_nodeclaims_created_total", 1, { cluster, nodepool: nodePool, reason });
    if (podsSinceMs === undefined) continue;
    const seconds = secondsBetween(podsSinceMs, nowMs);
    telemetry.observe("karpenter_pods_scheduling_decision_duration_seconds", seconds, { cluster });
  }
}

export function measureLaunched(
  telemetry: Telemetry,
  cluster: string,
  claim: NodeClaim,
  instance: NonNullable<NodeClaim["instance"]>,
  nowMs: number,
): void {
  const { capacityType, zone } = instance;
  const labels = { cluster, nodepool: claim.nodePool };
  telemetry.count("timmerman_nodeclaims_launched_total", 1, { ...labels, capacity_type: capacityType, zone });
  telemetry.observe("timmerman_nodeclaims_launch_duration_seconds", secondsBetween(claim.createdAtMs, nowMs), labels);
}

/** A claim whose launch came to nothing. */
export function measureRefused(telemetry: Telemetry, cluster: string, claim: NodeClaim, reason: string): void {
  telemetry.count("timmerman_launches_refused_total", 1, { cluster, nodepool: claim.nodePool, reason });
}

/** What EC2 said no to, offering by offering; `reasonOf` puts it in Karpenter's words. */
export function measureRefusals(
  telemetry: Telemetry,
  cluster: string,
  refusals: readonly LaunchRefusal[],
  reasonOf: (refusal: LaunchRefusal) => string,
): void {
  for (const refusal of refusals) {
    telemetry.count("karpenter_cloudprovider_instance_launch_failures_total", 1, {
      cluster,
      reason: reasonOf(refusal),
      ...(refusal.zone === undefined ? {} : { zone: refusal.zone }),
      ...(refusal.capacityType === undefined ? {} : { capacity_type: refusal.capacityType }),
    });
  }
}

export function measureRegistered(telemetry: Telemetry, cluster: string, claim: NodeClaim, nowMs: number): void {
  const labels = { cluster, nodepool: claim.nodePool };
  const zone = claim.instance === undefined ? {} : { zone: claim.instance.zone };
  telemetry.count("karpenter_nodes_created_total", 1, { ...labels, ...zone });
  const seconds = secondsBetween(claim.createdAtMs, nowMs);
  telemetry.observe("timmerman_nodeclaims_registration_duration_seconds", seconds, labels);
}

export function measureInitialized(telemetry: Telemetry, cluster: string, claim: NodeClaim, nowMs: number): void {
  const labels = { cluster, nodepool: claim.nodePool };
  const seconds = secondsBetween(claim.createdAtMs, nowMs);
  telemetry.observe("timmerman_nodeclaims_initialization_duration_seconds", seconds, labels);
  if (claim.podsSinceMs === undefined) return;
  telemetry.observe("timmerman_pods_ready_duration_seconds", secondsBetween(claim.podsSinceMs, nowMs), labels);
}

/** A claim that is to go. */
export function measureDisrupted(telemetry: Telemetry, cluster: string, claim: NodeClaim, reason: string): void {
  telemetry.count("karpenter_nodeclaims_disrupted_total", 1, {
    cluster,
    nodepool: claim.nodePool,
    reason,
    ...(claim.instance === undefined ? {} : { capacity_type: claim.instance.capacityType }),
  });
}

/** A claim that is gone, with how long it took where it had a node. */
export function measureGone(telemetry: Telemetry, cluster: string, claim: NodeClaim, nowMs: number): void {
  const labels = { cluster, nodepool: claim.nodePool };
  const { instance, deletion, nodeName } = claim;
  telemetry.count("karpenter_nodeclaims_terminated_total", 1, {
    ...labels,
    ...(instance === undefined ? {} : { capacity_type: instance.capacityType, zone: instance.zone }),
  });
  if (nodeName === undefined || deletion === undefined) return;
  const seconds = secondsBetween(deletion.requestedAtMs, nowMs);
  telemetry.observe("karpenter_nodes_termination_duration_seconds", seconds, labels);
}

export function measureEligible(telemetry: Telemetry, cluster: string, { eligible }: DisruptionPlan): void {
  for (const [reason, nodes] of Object.entries(eligible ?? {})) {
    const labels = { cluster, reason: reason.toLowerCase() };
    telemetry.gauge("karpenter_voluntary_disruption_eligible_nodes", nodes, labels);
  }
}

export function measureDecided(telemetry: Telemetry, cluster: string, commands: readonly Command[]): void {
  for (const command of commands) {
    const labels = { cluster, reason: command.reason.toLowerCase() };
    const { decision, savingsMicroUsdPerHour } = command;
    telemetry.count("karpenter_voluntary_disruption_decisions_total", 1, { ...labels, decision });
    telemetry.count("timmerman_voluntary_disruption_savings_micro_usd_total", savingsMicroUsdPerHour, labels);
  }
}

/** Somebody else committed first; what was planned is planned anew. */
export function measureLostCommit(telemetry: Telemetry, cluster: string, controller: string): void {
  telemetry.count("timmerman_commits_lost_total", 1, { cluster, controller });
}
