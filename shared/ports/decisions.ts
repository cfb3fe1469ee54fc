/** Something that was decided or happened to a claim, for people's own rules: audits, chat messages, cost reports. */
export interface DecisionEvent {
  readonly kind: "launched" | "registered" | "disrupted" | "interrupted" | "refused";
  readonly cluster: string;
  readonly atMs: number;
  readonly nodePool?: string;
  readonly claim?: string;
  readonly node?: string;
  readonly instanceId?: string;
  /** What else there is to say, e.g. `reason`, `instanceType`, `zone`, `capacityType`. */
  readonly detail?: Readonly<Record<string, string | number>>;
}

/** Tells the world outside. Nothing depends on it: an event may be lost or come twice. */
export interface Decisions {
  publish(events: readonly DecisionEvent[]): Promise<void>;
}
