import type { Command, DisruptionPlan, PlanWarning, Snapshot } from "../../model/index.ts";
import type { Candidate } from "../candidates.ts";

/** What a method makes of the candidates that earlier ones left. */
export interface MethodResult {
  readonly commands: readonly Command[];
  /** Nodes that could go for each reason of this method, whether or not budgets allow it now. */
  readonly eligible: NonNullable<DisruptionPlan["eligible"]>;
  /** Claim name → why this method does not take it. */
  readonly verdicts: ReadonlyMap<string, readonly string[]>;
  readonly warnings: readonly PlanWarning[];
  /** Before it, time alone changes nothing; Infinity: never. */
  readonly nextChangeAtMs: number;
}

export type Method = (snapshot: Snapshot, candidates: readonly Candidate[]) => MethodResult;
