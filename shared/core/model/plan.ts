import type { CapacityType } from "./instance-type.ts";
import type { DisruptionReason } from "./node-pool.ts";
import type { RequirementSpec } from "./requirement.ts";
import type { Resources } from "./resources.ts";
import type { Taint } from "./taint.ts";

/** The cheapest way to get a planned claim. */
export interface Choice {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: CapacityType;
  readonly priceMicroUsd: number;
}

export interface PlannedClaim {
  readonly name: string;
  readonly nodePool: string;
  readonly nodePoolUid: string;
  readonly nodePoolHash: string;
  readonly nodeClass: string;
  readonly nodeClassHash: string;
  readonly requirements: readonly RequirementSpec[];
  readonly instanceTypes: readonly string[];
  readonly cheapest: Choice;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly startupTaints: readonly Taint[];
  readonly requests: Resources;
  readonly expireAfterMs: number | null;
  readonly terminationGracePeriodMs: number | null;
  /** `namespace/name`, sorted. */
  readonly pods: readonly string[];
  /** When the oldest of these pods was created, as far as it is known. */
  readonly podsSinceMs?: number;
}

/** Pods that go to a node or claim that is already there. `target` is the claim's name, or an unmanaged node's. */
export interface Placement {
  readonly target: string;
  readonly pods: readonly string[];
}

/** Why a pod got nothing: data; `shared/core/provisioning` makes the sentence. */
export interface Verdict {
  readonly pod: string;
  readonly reason: string;
  /** Pool → why it refused. */
  readonly nodePools: Readonly<Record<string, string>>;
}

export interface PlanWarning {
  readonly object: string;
  readonly field?: string;
  readonly message: string;
}

/** How a plan keeps the room of one CapacityBuffer, in pods. What is neither is missing. */
export interface BufferRoom {
  readonly namespace: string;
  readonly name: string;
  /** On nodes that are there and on claims in flight. */
  readonly existing: number;
  /** On claims that the plan makes. */
  readonly coming: number;
}

/** What one run of provisioning decides. */
export interface ProvisioningPlan {
  readonly claims: readonly PlannedClaim[];
  readonly placements: readonly Placement[];
  readonly unschedulable: readonly Verdict[];
  readonly ignored: readonly { readonly pod: string; readonly reason: string }[];
  readonly warnings: readonly PlanWarning[];
  /** One for each buffer that room is kept for, by namespace and name. */
  readonly buffers: readonly BufferRoom[];
  /** For every t before it, the plan at t is this plan. null: until something changes. */
  readonly nextChangeAtMs: number | null;
}

export interface Command {
  readonly id: string;
  readonly reason: DisruptionReason | "Expired" | "Overprovisioned";
  readonly decision: "delete" | "replace";
  /** How consolidation found it (facts §3.2); absent: it is none. */
  readonly consolidationType?: "empty" | "multi" | "single";
  /** Claim names. */
  readonly candidates: readonly string[];
  readonly replacements: readonly PlannedClaim[];
  readonly savingsMicroUsdPerHour: number;
}

export interface DisruptionPlan {
  readonly commands: readonly Command[];
  /** Why the other nodes stay. `node` is the Node's name, or the claim's before it has one. */
  readonly blocked: readonly { readonly node: string; readonly reasons: readonly string[] }[];
  readonly warnings: readonly PlanWarning[];
  readonly nextChangeAtMs: number | null;
  /** Reason → nodes that could go for it, whether or not budgets allow it now. */
  readonly eligible?: Readonly<Partial<Record<DisruptionReason, number>>>;
  /** How many placements were tried on the way (the measure of work); absent: none. */
  readonly simulations?: number;
}

/** A commit: at most 90 claims, a valid plan by itself. */
export interface PlanChunk {
  readonly id: string;
  readonly index: number;
  readonly claims: readonly PlannedClaim[];
  readonly placements: readonly Placement[];
  /** Disruption: the commands that this chunk opens. */
  readonly commands: readonly Command[];
  readonly reason: string;
  readonly createdAtMs: number;
  /** Placements count until then (compared in code). */
  readonly nominatedUntilMs: number;
}
