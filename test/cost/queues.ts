// SQS with virtual time: messages become visible by the world's clock, so delays of minutes cost none. What sends speaks
// to it with the real client; what receives is Lambda's event source, whose own requests are computed, not made.
import { createHash } from "node:crypto";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { invoke, type LocalFunction } from "../../local/aws/event-source.ts";
import { queueConcurrency, queueSettings } from "../../stacks/function-settings.ts";
import { type QueueName, queueNames } from "../../stacks/names.ts";
import { startHttpDouble } from "../adapters/http-double.ts";
import type { VirtualClock } from "./virtual-clock.ts";

export interface CountedQueues {
  readonly url: string;
  urlOf(queue: QueueName): string;
  /** As EventBridge delivers. */
  put(queue: QueueName, body: string): void;
  /** Batches that the event source took, since the last call: each was a ReceiveMessage and a DeleteMessageBatch. */
  takeBatches(): number;
  stop(): Promise<void>;
}

export type QueueFunction = LocalFunction<SQSEvent, SQSBatchResponse>;

export interface CountedQueuesOptions {
  readonly clock: VirtualClock;
  readonly region: string;
  readonly functions: Readonly<Record<QueueName, QueueFunction>>;
  /** A number below the bound, by chance that is the same each time. */
  chance(bound: number): number;
  onError(name: string, error: unknown): void;
}

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly DelaySeconds?: number;
}
interface Sent extends Omit<Entry, "Id"> {
  readonly QueueUrl: string;
  readonly Entries?: readonly Entry[];
}
interface Message {
  readonly id: number;
  readonly body: string;
}

const account = "123456789012";
/** From a message's sending to its function, in milliseconds. */
const latencyMs = { least: 30, spread: 220 };

const md5 = (text: string) => createHash("md5").update(text).digest("hex");

export async function startCountedQueues(options: CountedQueuesOptions): Promise<CountedQueues> {
  const { clock, functions } = options;
  const visible = new Map<QueueName, Message[]>(queueNames.map((name) => [name, []]));
  const running = new Map<QueueName, number>();
  let ids = 0;
  let batches = 0;

  function show(queue: QueueName, body: string, delayMs: number): void {
    const message = { id: ++ids, body };
    clock.after(delayMs + latencyMs.least + options.chance(latencyMs.spread), () => {
      visible.get(queue)!.push(message);
      take(queue);
    });
  }

  function take(queue: QueueName): void {
    const messages = visible.get(queue)!;
    while (messages.length > 0 && (running.get(queue) ?? 0) < queueConcurrency(queue, 1)) {
      const batch = messages.splice(0, queueSettings[queue].batchSize);
      batches += 1;
      running.set(queue, (running.get(queue) ?? 0) + 1);
      void work(queue, batch).finally(() => {
        running.set(queue, running.get(queue)! - 1);
        take(queue);
      });
    }
  }

  async function work(queue: QueueName, batch: readonly Message[]): Promise<void> {
    const again = (messages: readonly Message[]) => {
      for (const { body } of messages) show(queue, body, queueSettings[queue].visibilityTimeoutS * 1_000);
    };
    try {
      const event: SQSEvent = { Records: batch.map((message) => recordOf(queue, message, options.region)) };
      const { batchItemFailures } = await invoke(functions[queue], event, options.region);
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      again(batch.filter(({ id }) => failed.has(String(id))));
    } catch (error) {
      options.onError(queue, error);
      again(batch);
    }
  }

  const double = await startHttpDouble((_target, body) => {
    const { QueueUrl, Entries, ...single } = body as unknown as Sent;
    const queue = QueueUrl.split("/").at(-1) as QueueName;
    const entries = Entries ?? [{ Id: "0", ...single }];
    for (const { MessageBody, DelaySeconds = 0 } of entries) show(queue, MessageBody, DelaySeconds * 1_000);
    const answers = entries.map(({ Id, MessageBody }) => ({ Id, MessageId: Id, MD5OfMessageBody: md5(MessageBody) }));
    return Entries === undefined ? answers[0]! : { Successful: answers };
  });
  return {
    url: double.url,
    urlOf: (queue) => `${double.url}/${account}/${queue}`,
    put: (queue, body) => show(queue, body, 0),
    takeBatches() {
      const taken = batches;
      batches = 0;
      return taken;
    },
    stop: double.stop,
  };
}

function recordOf(queue: QueueName, { id, body }: Message, region: string): SQSEvent["Records"][number] {
  return {
    messageId: String(id),
    receiptHandle: String(id),
    body,
    attributes: {
      ApproximateReceiveCount: "1",
      SentTimestamp: "0",
      SenderId: account,
      ApproximateFirstReceiveTimestamp: "0",
    },
    messageAttributes: {},
    md5OfBody: md5(body),
    eventSource: "aws:sqs",
    eventSourceARN: `arn:aws:sqs:${region}:${account}:${queue}`,
    awsRegion: region,
  };
}
