// What EC2 tells EventBridge about instances.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html, rebalance-recommendations.html,
// monitoring-instance-state-changes.html

export type InstanceState = "pending" | "running" | "shutting-down" | "terminated";

/** An event of this endpoint; `at` is the moment it is due, in epoch milliseconds. */
export type Ec2Event =
  | {
      readonly kind: "state-change";
      readonly at: number;
      readonly instanceId: string;
      readonly zone: string;
      readonly state: InstanceState;
    }
  | {
      readonly kind: "interruption-warning";
      readonly at: number;
      readonly instanceId: string;
      readonly zone: string;
      readonly terminatesAt: number;
    }
  | {
      readonly kind: "rebalance-recommendation";
      readonly at: number;
      readonly instanceId: string;
      readonly zone: string;
    };

export interface EventBridgeEvent {
  readonly version: "0";
  readonly id: string;
  readonly "detail-type": string;
  readonly source: "aws.ec2";
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, string>>;
}

/** The event as EventBridge delivers it to a rule's target. */
export function toEventBridge(
  event: Ec2Event,
  where: { readonly region: string; readonly accountId: string; readonly id: string },
): EventBridgeEvent {
  const detail = { "instance-id": event.instanceId };
  const envelope = {
    version: "0",
    id: where.id,
    source: "aws.ec2",
    account: where.accountId,
    time: new Date(event.at).toISOString().replace(/\.\d+Z$/, "Z"),
    region: where.region,
  } as const;
  const inZone = [`arn:aws:ec2:${event.zone}:instance/${event.instanceId}`];
  if (event.kind === "interruption-warning") {
    return {
      ...envelope,
      "detail-type": "EC2 Spot Instance Interruption Warning",
      resources: inZone,
      detail: { ...detail, "instance-action": "terminate" },
    };
  }
  if (event.kind === "rebalance-recommendation") {
    return { ...envelope, "detail-type": "EC2 Instance Rebalance Recommendation", resources: inZone, detail };
  }
  return {
    ...envelope,
    "detail-type": "EC2 Instance State-change Notification",
    resources: [`arn:aws:ec2:${where.region}:${where.accountId}:instance/${event.instanceId}`],
    detail: { ...detail, state: event.state },
  };
}
