/** A message about an instance, parsed at the edge. One EventBridge event may give several (scheduled changes). */
export interface InterruptionMessage {
  readonly kind:
    | "spot_interrupted"
    | "rebalance_recommendation"
    | "instance_stopped"
    | "instance_terminated"
    | "scheduled_change"
    | "capacity_reservation_interrupted"
    | "no_op";
  readonly instanceId: string;
  readonly atMs: number;
  readonly eventId: string;
  /** Whose instance it is, and where. */
  readonly account?: string;
  readonly region?: string;
}
