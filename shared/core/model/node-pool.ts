import type { RequirementSpec } from "./requirement.ts";
import type { Resources } from "./resources.ts";
import type { Taint } from "./taint.ts";

export type DisruptionReason = "Underutilized" | "Empty" | "Drifted";
export type ConsolidationPolicy = "WhenEmpty" | "WhenEmptyOrUnderutilized" | "Balanced";

export interface Budget {
  /** A count ("5") or a percentage ("10%", rounded up). */
  readonly nodes: string;
  /** Undefined: every reason. */
  readonly reasons?: readonly DisruptionReason[];
  /** Five-field cron or a macro, in UTC; undefined: always in force. */
  readonly schedule?: string;
  readonly durationMs?: number;
}

export interface NodeClassRef {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

export interface NodePool {
  readonly uid: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly createdAtMs: number;
  readonly deletionAtMs?: number;
  /** Hash of the template's drift-relevant fields, as the claim's `karpenter.sh/nodepool-hash`. */
  readonly hash: string;
  readonly weight: number;
  /** Set on static pools only. */
  readonly replicas?: number;
  readonly nodeClassRef: NodeClassRef;
  readonly requirements: readonly RequirementSpec[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly startupTaints: readonly Taint[];
  /** null: never. */
  readonly expireAfterMs: number | null;
  /** null: wait for ever. */
  readonly terminationGracePeriodMs: number | null;
  readonly consolidationPolicy: ConsolidationPolicy;
  /** null: never. */
  readonly consolidateAfterMs: number | null;
  readonly budgets: readonly Budget[];
  /** By resource name; `nodes` counts nodes. Absent: without limit. */
  readonly limits: Resources;
}
