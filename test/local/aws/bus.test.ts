import { ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BusEvent, queueRule, type ScheduledEvent, startBus } from "../../../local/aws/bus.ts";
import { type Queues, startQueues } from "../../../local/aws/queues.ts";
import { handClock } from "./hand-clock.ts";

const region = "us-east-1";

const spotWarning: BusEvent = {
  version: "0",
  id: "1e5527d7-bb36-4607-3370-4164db56a40e",
  "detail-type": "EC2 Spot Instance Interruption Warning",
  source: "aws.ec2",
  account: "123456789012",
  time: "2025-10-09T08:53:20Z",
  region,
  resources: ["arn:aws:ec2:us-east-1b:instance/i-0b662ef9931388ba0"],
  detail: { "instance-id": "i-0b662ef9931388ba0", "instance-action": "terminate" },
};

describe("the bus", () => {
  let queues: Queues;
  let client: SQSClient;
  beforeAll(async () => {
    queues = await startQueues();
    client = new SQSClient({ region, endpoint: queues.url, credentials: { accessKeyId: "a", secretAccessKey: "b" } });
  });
  afterAll(async () => {
    client.destroy();
    await queues.stop();
  });

  it("delivers events about instances to the interruption queue, and no others", async () => {
    const rule = queueRule({ endpoint: queues.url, queueUrl: queues.urlOf("interruption"), region });
    const bus = startBus({ clock: handClock(), region, rules: [rule], schedules: [] });
    await bus.put(spotWarning);
    await bus.put({ ...spotWarning, "detail-type": "EBS Volume Notification" });
    await bus.put({ ...spotWarning, source: "my.app" });
    const QueueUrl = queues.urlOf("interruption");
    const { Messages: messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
    );
    expect(messages.map((message) => JSON.parse(message.Body ?? ""))).toEqual([spotWarning]);
    rule.close();
    await bus.stop();
  });

  it("invokes what is scheduled, in the world's time, until it is stopped", async () => {
    const clock = handClock();
    const events: ScheduledEvent[] = [];
    const errors: unknown[] = [];
    const tick = {
      name: "tick",
      handler: async (event: ScheduledEvent) => {
        events.push(event);
        if (events.length === 2) throw new Error("once");
      },
    };
    const bus = startBus({
      clock,
      region,
      rules: [],
      schedules: [{ everyMs: 60_000, to: tick }],
      onError: (name, error) => errors.push([name, (error as Error).message]),
    });
    clock.pass(59_999);
    expect(events).toHaveLength(0);
    clock.pass(120_001);
    await bus.stop();
    expect(events.map((event) => event.time)).toEqual([
      "2025-10-09T08:54:20Z",
      "2025-10-09T08:55:20Z",
      "2025-10-09T08:56:20Z",
    ]);
    expect(events[0]).toMatchObject({ "detail-type": "Scheduled Event", source: "aws.events" });
    expect(errors).toEqual([["tick", "once"]]);
    clock.pass(600_000);
    expect(events).toHaveLength(3);
  });
});
