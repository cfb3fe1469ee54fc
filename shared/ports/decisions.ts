import { OperationError } from "./errors.ts";

/** `interrupted`: AWS takes the instance. `disrupted`: the claim is to go for any other reason. `refused`: no instance. */
export type DecisionKind = "launched" | "registered" | "disrupted" | "interrupted" | "refused";

/** Something that was decided or happened to a claim, for people's own rules: audits, chat messages, cost reports. */
export interface DecisionEvent {
  readonly kind: DecisionKind;
  readonly cluster: string;
  readonly atMs: number;
  readonly claim: string;
  readonly nodePool?: string;
  readonly node?: string;
  readonly instanceId?: string;
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: string;
  /** An hour, at the time of the launch. */
  readonly priceMicroUsd?: number;
  /** Of `disrupted` and `interrupted` that of karpenter_nodeclaims_disrupted_total, of `refused` that of Launched=Unknown. */
  readonly reason?: string;
  readonly message?: string;
}

/** Tells the world outside. Nothing depends on it: an event may be lost or come twice. */
export interface Decisions {
  /** Rejects with DecisionsLost when some were not taken; all others are out then. */
  publish(events: readonly DecisionEvent[]): Promise<void>;
}

export class DecisionsLost extends OperationError {
  readonly lost: number;

  constructor(lost: number, why: OperationError) {
    const { retry, code, outcomeUnknown } = why;
    super(`${lost} decision events were not taken: ${why.message}`, { retry, code, outcomeUnknown, cause: why });
    this.name = "DecisionsLost";
    this.lost = lost;
  }
}
