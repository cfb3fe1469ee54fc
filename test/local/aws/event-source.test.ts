import { ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type EventSource, invoke, startEventSource } from "../../../local/aws/event-source.ts";
import { type QueueName, type Queues, startQueues } from "../../../local/aws/queues.ts";

const region = "us-east-1";
const none: SQSBatchResponse = { batchItemFailures: [] };

describe("an event source on loopback", () => {
  let queues: Queues;
  let client: SQSClient;
  let source: EventSource | undefined;
  beforeAll(async () => {
    queues = await startQueues({ maxReceiveCount: 2 });
    client = new SQSClient({ region, endpoint: queues.url, credentials: { accessKeyId: "a", secretAccessKey: "b" } });
  });
  afterEach(async () => {
    await source?.stop();
    source = undefined;
  });
  afterAll(async () => {
    client.destroy();
    await queues.stop();
  });

  function start(
    queue: QueueName,
    handler: (event: SQSEvent, context: Context) => Promise<SQSBatchResponse | undefined>,
    more: Partial<Parameters<typeof startEventSource>[0]> = {},
  ) {
    source = startEventSource({
      endpoint: queues.url,
      queueUrl: queues.urlOf(queue),
      region,
      to: { name: queue, handler },
      onSent: (callback) => queues.onSent(queue, callback),
      ...more,
    });
  }
  const send = (queue: QueueName, body: string) =>
    client.send(new SendMessageCommand({ QueueUrl: queues.urlOf(queue), MessageBody: body }));
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it("invokes the function with a batch, as Lambda does, and deletes what is dealt with", async () => {
    const Entries = ["one", "two", "three"].map((body, at) => ({ Id: String(at), MessageBody: body }));
    await client.send(new SendMessageBatchCommand({ QueueUrl: queues.urlOf("provision"), Entries }));
    const events: { event: SQSEvent; context: Context }[] = [];
    start("provision", async (event, context) => {
      events.push({ event, context });
      return none;
    });
    await until(() => events.flatMap(({ event }) => event.Records).length === 3);
    await source?.stop();
    const records = events.flatMap(({ event }) => event.Records);
    expect(records.map((record) => record.body).sort()).toEqual(["one", "three", "two"]);
    expect(records[0]).toMatchObject({
      eventSource: "aws:sqs",
      eventSourceARN: "arn:aws:sqs:us-east-1:123456789012:provision",
      awsRegion: "us-east-1",
      attributes: { ApproximateReceiveCount: "1", SentTimestamp: expect.stringMatching(/^\d{13}$/) },
    });
    expect(events[0]?.context).toMatchObject({ functionName: "provision", memoryLimitInMB: "1769" });
    const left = await client.send(new ReceiveMessageCommand({ QueueUrl: queues.urlOf("provision") }));
    expect(left.Messages ?? []).toEqual([]);
  });

  it("shows again only the messages that the function gives back", async () => {
    const seen: string[] = [];
    start("disrupt", async (event) => {
      seen.push(...event.Records.map((record) => record.body));
      const bad = event.Records.filter((record) => record.body === "bad" && seen.filter((b) => b === "bad").length < 2);
      return { batchItemFailures: bad.map((record) => ({ itemIdentifier: record.messageId })) };
    });
    const Entries = ["good", "bad"].map((body, at) => ({ Id: String(at), MessageBody: body }));
    await client.send(new SendMessageBatchCommand({ QueueUrl: queues.urlOf("disrupt"), Entries }));
    await until(() => seen.length === 3);
    expect(seen.filter((body) => body === "good")).toHaveLength(1);
  });

  it("puts a message among the dead letters after it was received in vain too often", async () => {
    const errors: unknown[] = [];
    let calls = 0;
    start(
      "lifecycle",
      async () => {
        calls += 1;
        throw new Error("always");
      },
      { onError: (_name, error) => errors.push(error) },
    );
    await send("lifecycle", "poison");
    const dead = await client.send(
      new ReceiveMessageCommand({ QueueUrl: queues.deadLettersOf("lifecycle"), WaitTimeSeconds: 10 }),
    );
    expect(dead.Messages?.map((message) => message.Body)).toEqual(["poison"]);
    expect(calls).toBe(2);
    expect(errors).toHaveLength(2);
  });

  it("runs no more invocations at once than it may, and stop waits for them", async () => {
    let running = 0;
    let most = 0;
    let done = 0;
    const open: (() => void)[] = [];
    start(
      "collect-garbage",
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => open.push(resolve));
        running -= 1;
        done += 1;
        return none;
      },
      { batchSize: 1, maxConcurrency: 2 },
    );
    for (let at = 0; at < 4; at += 1) await send("collect-garbage", String(at));
    await until(() => open.length === 2);
    open.shift()?.();
    await until(() => open.length === 2);
    expect(source?.running()).toBe(2);
    const stopped = source?.stop();
    for (const release of open.splice(0)) release();
    await stopped;
    expect(most).toBe(2);
    expect(done).toBe(3);
  });

  it("counts an invocation that does not end in time as failed", async () => {
    const slow = { name: "slow", handler: () => new Promise<never>(() => {}), timeoutMs: 20 };
    await expect(invoke(slow, {}, region)).rejects.toThrow("slow did not end within 20 ms");
    const quick = {
      name: "quick",
      handler: async (_: unknown, context: Context) => context.getRemainingTimeInMillis(),
    };
    expect(await invoke({ ...quick, timeoutMs: 5_000 }, {}, region)).toBeGreaterThan(4_000);
  });
});
