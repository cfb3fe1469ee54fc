import { spotWarningMs } from "../limits.ts";
import type { CapacityType, DeletionReason, InterruptionMessage } from "../model/index.ts";

/** What a message means for the claim of its instance. */
export interface InterruptionAction {
  /** The claim is to go, for this reason. */
  readonly deletion?: { readonly reason: DeletionReason; readonly deadlineMs?: number };
  /** The instance's offering is not to be asked for until it recovers. */
  readonly refuse?: CapacityType;
  /** Events on the claim and its node (facts §3.7). */
  readonly events: readonly {
    readonly type: "Normal" | "Warning";
    readonly reason: string;
    readonly message: string;
  }[];
}

const terminating = {
  type: "Warning",
  reason: "TerminatingOnInterruption",
  message: "the node is drained and replaced because of the interruption",
} as const;

const actions: Readonly<Record<InterruptionMessage["kind"], (message: InterruptionMessage) => InterruptionAction>> = {
  spot_interrupted: ({ atMs }) => ({
    deletion: { reason: "spot_interrupted", deadlineMs: atMs + spotWarningMs },
    refuse: "spot",
    events: [
      { type: "Warning", reason: "SpotInterrupted", message: "EC2 takes the spot instance back in two minutes" },
      terminating,
    ],
  }),
  rebalance_recommendation: () => ({
    events: [
      {
        type: "Normal",
        reason: "SpotRebalanceRecommendation",
        message: "EC2 sees a raised risk that the spot instance is taken back",
      },
    ],
  }),
  instance_stopped: () => ({
    deletion: { reason: "instance_stopped" },
    events: [{ type: "Warning", reason: "InstanceStopping", message: "the instance is being stopped" }, terminating],
  }),
  instance_terminated: () => ({
    deletion: { reason: "instance_terminated" },
    events: [
      { type: "Warning", reason: "InstanceTerminating", message: "the instance is being terminated" },
      terminating,
    ],
  }),
  scheduled_change: () => ({
    deletion: { reason: "scheduled_change" },
    events: [
      { type: "Warning", reason: "InstanceUnhealthy", message: "AWS has scheduled maintenance for the instance" },
      terminating,
    ],
  }),
  capacity_reservation_interrupted: () => ({
    deletion: { reason: "capacity_reservation_interrupted" },
    refuse: "reserved",
    events: [
      {
        type: "Warning",
        reason: "CapacityReservationInstanceInterrupted",
        message: "the instance's capacity reservation is taken back",
      },
      terminating,
    ],
  }),
  no_op: () => ({ events: [] }),
};

/** The decision table for interruption messages (facts §3.10). */
export function actionFor(message: InterruptionMessage): InterruptionAction {
  return actions[message.kind](message);
}
