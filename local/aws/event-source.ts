import { randomUUID } from "node:crypto";
import { channel } from "node:diagnostics_channel";
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";

/** A function as Lambda would run it. */
export interface LocalFunction<Event, Result> {
  readonly name: string;
  readonly handler: (event: Event, context: Context) => Promise<Result>;
  /** Real milliseconds that an invocation may take; after that it counts as failed, and nobody waits for it. */
  readonly timeoutMs?: number;
}

export interface EventSourceOptions {
  /** SQS on loopback. */
  readonly endpoint: string;
  readonly queueUrl: string;
  readonly region: string;
  readonly to: LocalFunction<SQSEvent, SQSBatchResponse | undefined>;
  /** Messages of one invocation. */
  readonly batchSize?: number;
  /** Invocations at the same time. */
  readonly maxConcurrency?: number;
  /** Real milliseconds until a message that failed is shown again. */
  readonly retryMs?: number;
  /**
   * Calls back when something was sent to the queue; returns what ends that. It stands for the long poll: the emulator's
   * own answers some hundred milliseconds late.
   */
  onSent?(callback: () => void): () => void;
  /** A whole invocation failed, or the queue did: what happened, for whoever watches. */
  onError?(name: string, error: unknown): void;
}

export interface EventSource {
  /** Invocations that are running. */
  running(): number;
  /** Polls no more; resolves when the running invocations are done. */
  stop(): Promise<void>;
}

const defaultTimeoutMs = 60_000;
/** What was not announced (a message that is shown again, or was delayed) is found by looking this often. */
const lookEveryMs = 1_000;
const pauseAfterFailureMs = 250;

/**
 * Polls a queue and invokes a function with what comes, as Lambda's event source mapping does: batches, messages deleted
 * when they are dealt with and shown again when they are not, and nothing deleted when the invocation fails.
 */
export function startEventSource(options: EventSourceOptions): EventSource {
  const { to, batchSize = 10, maxConcurrency = 2, retryMs = 1_000 } = options;
  const client = new SQSClient({
    region: options.region,
    endpoint: options.endpoint,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
  });
  const stopping = new AbortController();
  let running = 0;
  const waiting = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of [...waiting]) wake();
  };
  const unsubscribe = options.onSent?.(wakeAll);

  async function nextLook(): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = () => {
        clearTimeout(timer);
        waiting.delete(look);
        resolve();
      };
      const timer = setTimeout(look, lookEveryMs);
      waiting.add(look);
      if (stopping.signal.aborted) look();
    });
  }

  async function receive(): Promise<readonly Message[]> {
    const { Messages: messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: options.queueUrl,
        MaxNumberOfMessages: batchSize,
        WaitTimeSeconds: 0,
        AttributeNames: ["All"],
      }),
      { abortSignal: stopping.signal },
    );
    return messages;
  }

  async function work(messages: readonly Message[]): Promise<void> {
    running += 1;
    try {
      const failed = await failuresOf(messages, options);
      const done = messages.filter((message) => !failed.has(message.MessageId!));
      const again = messages.filter((message) => failed.has(message.MessageId!));
      if (done.length > 0) {
        await client.send(new DeleteMessageBatchCommand({ QueueUrl: options.queueUrl, Entries: done.map(entryOf) }));
      }
      if (again.length > 0) {
        const VisibilityTimeout = Math.ceil(retryMs / 1_000);
        const Entries = again.map((message, at) => ({ ...entryOf(message, at), VisibilityTimeout }));
        await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: options.queueUrl, Entries }));
      }
    } finally {
      running -= 1;
    }
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const messages = await receive();
        if (messages.length > 0) await work(messages);
        else await nextLook();
      } catch (error) {
        if (stopping.signal.aborted) return;
        options.onError?.(to.name, error);
        await new Promise((resolve) => setTimeout(resolve, pauseAfterFailureMs));
      }
    }
  }

  const pollers = Array.from({ length: maxConcurrency }, poll);
  return {
    running: () => running,
    async stop() {
      stopping.abort();
      unsubscribe?.();
      wakeAll();
      await Promise.all(pollers);
      client.destroy();
    },
  };
}

function entryOf(message: Message, at: number): { Id: string; ReceiptHandle: string } {
  return { Id: String(at), ReceiptHandle: message.ReceiptHandle! };
}

/** Ids of the messages that are to be shown again: those that the function names, or all when it fails as a whole. */
async function failuresOf(messages: readonly Message[], options: EventSourceOptions): Promise<ReadonlySet<string>> {
  const event: SQSEvent = { Records: messages.map((message) => recordOf(message, options)) };
  try {
    const response = await invoke(options.to, event, options.region);
    return new Set(response?.batchItemFailures.map((failure) => failure.itemIdentifier));
  } catch (error) {
    options.onError?.(options.to.name, error);
    return new Set(messages.map((message) => message.MessageId!));
  }
}

function recordOf(message: Message, { queueUrl, region }: EventSourceOptions): SQSRecord {
  const [, accountId = "", queue = ""] = new URL(queueUrl).pathname.split("/");
  return {
    messageId: message.MessageId!,
    receiptHandle: message.ReceiptHandle!,
    body: message.Body ?? "",
    attributes: (message.Attributes ?? {}) as unknown as SQSRecord["attributes"],
    messageAttributes: {},
    md5OfBody: message.MD5OfBody ?? "",
    eventSource: "aws:sqs",
    eventSourceARN: `arn:aws:sqs:${region}:${accountId}:${queue}`,
    awsRegion: region,
  };
}

/** Tells whoever watches what an invocation does (bind a store to it) whose it is. */
const invocations = channel("timmerman:invocation");

/** One invocation, with the context that Lambda gives; rejects when the function does or when its time is over. */
export async function invoke<Event, Result>(
  to: LocalFunction<Event, Result>,
  event: Event,
  region: string,
): Promise<Result> {
  const { name, handler, timeoutMs = defaultTimeoutMs } = to;
  const deadlineMs = performance.now() + timeoutMs;
  const context: Context = {
    callbackWaitsForEmptyEventLoop: true,
    functionName: name,
    functionVersion: "$LATEST",
    invokedFunctionArn: `arn:aws:lambda:${region}:123456789012:function:${name}`,
    memoryLimitInMB: "1769",
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: "local",
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(deadlineMs - performance.now())),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} did not end within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([invocations.runStores({ name }, () => handler(event, context)), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
