import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { EventBridgeEvent } from "aws-lambda";
import type { WorldClock } from "../clock.ts";
import { invoke, type LocalFunction } from "./event-source.ts";

/** An event as EventBridge carries it. */
export type BusEvent = Pick<EventBridgeEvent<string, unknown>, "source" | "detail-type"> &
  Readonly<Record<string, unknown>>;

/** The part of an event pattern that rules here use: an event matches when it has one of the listed values in each field. */
export interface Rule {
  readonly pattern: { readonly source: readonly string[]; readonly "detail-type": readonly string[] };
  deliver(event: BusEvent): Promise<void>;
}

export interface Schedule {
  readonly everyMs: number;
  readonly to: LocalFunction<ScheduledEvent, unknown>;
}

export type ScheduledEvent = EventBridgeEvent<"Scheduled Event", Record<string, never>>;

export interface BusOptions {
  readonly clock: WorldClock;
  readonly region: string;
  readonly rules: readonly Rule[];
  readonly schedules: readonly Schedule[];
  onError?(name: string, error: unknown): void;
}

export interface Bus {
  /** Gives the event to every rule that it matches; resolves when it is delivered. */
  put(event: BusEvent): Promise<void>;
  /** No more ticks; resolves when those that run have ended. */
  stop(): Promise<void>;
}

/** What EventBridge does for a deployment, in this process and in the world's time: rules and schedules. */
export function startBus({ clock, region, rules, schedules, onError }: BusOptions): Bus {
  const running = new Set<Promise<void>>();
  const cancels = new Map<Schedule, () => void>();
  let stopped = false;

  function track(name: string, work: () => Promise<unknown>): void {
    const run = work()
      .then(() => {})
      .catch((error: unknown) => onError?.(name, error))
      .finally(() => running.delete(run));
    running.add(run);
  }

  /** The next tick does not wait for this one to end: a slow function is invoked again, as by EventBridge. */
  function plan(schedule: Schedule): void {
    if (stopped) return;
    const cancel = clock.after(schedule.everyMs, () => {
      plan(schedule);
      track(schedule.to.name, () => invoke(schedule.to, scheduledEvent(schedule, clock.now(), region), region));
    });
    cancels.set(schedule, cancel);
  }

  for (const schedule of schedules) plan(schedule);
  return {
    async put(event) {
      const matching = rules.filter(
        ({ pattern }) => pattern.source.includes(event.source) && pattern["detail-type"].includes(event["detail-type"]),
      );
      await Promise.all(matching.map((rule) => rule.deliver(event)));
    },
    async stop() {
      stopped = true;
      for (const cancel of cancels.values()) cancel();
      await Promise.all(running);
    },
  };
}

function scheduledEvent(schedule: Schedule, nowMs: number, region: string): ScheduledEvent {
  return {
    version: "0",
    id: `${schedule.to.name}-${nowMs}`,
    "detail-type": "Scheduled Event",
    source: "aws.events",
    account: "123456789012",
    time: new Date(nowMs).toISOString().replace(/\.\d+Z$/, "Z"),
    region,
    resources: [`arn:aws:events:${region}:123456789012:rule/${schedule.to.name}`],
    detail: {},
  };
}

/** A rule whose target is a queue on loopback; events about instances go to the interruption queue by it (facts §3.10). */
export function queueRule(options: {
  readonly endpoint: string;
  readonly queueUrl: string;
  readonly region: string;
}): Rule & { close(): void } {
  const client = new SQSClient({
    region: options.region,
    endpoint: options.endpoint,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  return {
    pattern: {
      source: ["aws.ec2", "aws.health"],
      "detail-type": [
        "EC2 Spot Instance Interruption Warning",
        "EC2 Instance Rebalance Recommendation",
        "EC2 Instance State-change Notification",
        "EC2 Capacity Reservation Instance Interruption Warning",
        "AWS Health Event",
      ],
    },
    async deliver(event) {
      await client.send(new SendMessageCommand({ QueueUrl: options.queueUrl, MessageBody: JSON.stringify(event) }));
    },
    close: () => client.destroy(),
  };
}
