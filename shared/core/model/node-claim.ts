import type { CapacityType } from "./instance-type.ts";
import type { Command } from "./plan.ts";
import type { RequirementSpec } from "./requirement.ts";
import type { Resources } from "./resources.ts";
import type { Taint } from "./taint.ts";

/** The instance that a claim got. */
export interface ClaimInstance {
  readonly id: string;
  readonly providerId: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly zoneId?: string;
  readonly capacityType: CapacityType;
  readonly priceMicroUsd: number;
  readonly imageId?: string;
  readonly subnetId?: string;
  readonly capacity: Resources;
  readonly allocatable: Resources;
  readonly launchedAtMs: number;
}

/** Why a claim is to go: the `reason` label of karpenter_nodeclaims_disrupted_total, or "deleted" when a person asked. */
export const deletionReasons = [
  "empty",
  "underutilized",
  "drifted",
  "expired",
  "spot_interrupted",
  "capacity_reservation_interrupted",
  "scheduled_change",
  "instance_stopped",
  "instance_terminated",
  "insufficient_capacity",
  "launch_timeout",
  "registration_timeout",
  "nodeclass_not_ready",
  "overprovisioned",
  "garbage_collected",
  "deleted",
] as const;

export type DeletionReason = (typeof deletionReasons)[number];

/** A condition's reason as labels and records spell it: SpotInterrupted is spot_interrupted. */
export function snakeCaseReason(conditionReason: string): string {
  return conditionReason.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
}

/** What a claim's record keeps of the command that it falls to; the command itself is closed soon after. */
export type DisruptedBy = Pick<Command, "id" | "decision" | "consolidationType">;

/**
 * The record of a NodeClaim: what was asked for and what was seen since. It is the truth; the custom resource is its
 * mirror. Its phase is derived by `phaseOf` and never stored: each piece of evidence is written once, with its time.
 */
export interface NodeClaim {
  readonly name: string;
  /** Grows by one at each write; writes are conditional on it. */
  readonly version: number;
  readonly createdAtMs: number;
  readonly nodePool: string;
  readonly nodePoolUid: string;
  readonly nodePoolHash: string;
  readonly nodeClass: string;
  readonly nodeClassHash: string;
  /** Final requirements of the node, in custom-resource form. */
  readonly requirements: readonly RequirementSpec[];
  /** Acceptable types, cheapest first, at most 60. */
  readonly instanceTypes: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly startupTaints: readonly Taint[];
  /** Sum of the pods and daemons it was planned for. */
  readonly requests: Resources;
  readonly expireAfterMs: number | null;
  readonly terminationGracePeriodMs: number | null;
  /** When the oldest of the pods that it was planned for was created, as far as it is known. */
  readonly podsSinceMs?: number;
  /** Why it was made: "provisioned", or the disruption's reason. */
  readonly reason: string;
  /** The last try to launch; `failure` is what EC2 said, when it refused. */
  readonly launch?: { readonly id: string; readonly sealedAtMs: number };
  readonly launchFailure?: { readonly reason: string; readonly message: string; readonly atMs: number };
  readonly instance?: ClaimInstance;
  readonly nodeName?: string;
  readonly nodeUid?: string;
  readonly registeredAtMs?: number;
  readonly initializedAtMs?: number;
  /** When a pod was last bound to, removed from or ended on the node (the relay's patch, mirrored). */
  readonly lastPodEventAtMs?: number;
  /** The open Command it takes part in as a candidate. */
  readonly commandId?: string;
  readonly deletion?: {
    readonly requestedAtMs: number;
    readonly reason: DeletionReason;
    /** Pods are ended at this time, ready or not. */
    readonly deadlineMs?: number;
    /** The disruption that asked for it; absent: it was no disruption by choice, nor an expiry. */
    readonly command?: DisruptedBy;
  };
  readonly drainedAtMs?: number;
  readonly terminateCalledAtMs?: number;
  /** Looked up after TerminateInstances and not found: when first. Gone only on the second look. */
  readonly notFoundAtMs?: number;
  readonly goneAtMs?: number;
}

export type ClaimPhase =
  | "Pending"
  | "Launching"
  | "Launched"
  | "Registered"
  | "Initialized"
  | "Disrupting"
  | "Draining"
  | "Terminating"
  | "Gone";
