import { SendMessageBatchCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { maxWakeDelayMs } from "../../core/limits.ts";
import type { DelayedWake, Wakes, WakeTarget } from "../../ports/index.ts";
import { OperationError } from "../../ports/index.ts";
import { translate } from "../aws/index.ts";
import { requireDelay } from "../memory/wakes.ts";
import { wakeBody } from "./message.ts";

export interface SqsWakesOptions {
  readonly client: SQSClient;
  readonly queueUrls: Readonly<Record<WakeTarget, string>>;
  /** How much faster than the queue's clock the caller's runs: 1, but for a world whose time is scaled. */
  readonly speed?: number;
}

/** SendMessageBatch takes ten (SQS's figure). */
const batchSize = 10;

/** Requests at the same time: as many as the SDK opens connections for (50), so that none waits for one until it times out. */
const concurrency = 40;

/**
 * Wakes to the queues of their controllers, many batches at once. Rejects with an OperationError if any was refused; the
 * others are out then, and sending all of them again does no harm.
 */
export function createSqsWakes({ client, queueUrls, speed = 1 }: SqsWakesOptions): Wakes {
  async function sendBatch(target: WakeTarget, wakes: readonly DelayedWake[]): Promise<void> {
    const what = `sending ${wakes.length} wakes to ${target}`;
    const Entries = wakes.map(({ wake, delayMs = 0 }, at) => ({
      Id: String(at),
      MessageBody: wakeBody(wake),
      DelaySeconds: Math.min(Math.ceil(delayMs / speed / 1_000), maxWakeDelayMs / 1_000),
    }));
    const answer = await client
      .send(new SendMessageBatchCommand({ QueueUrl: queueUrls[target], Entries }))
      .catch((error: unknown) => {
        throw translate(error, what);
      });
    const [refused] = answer.Failed ?? [];
    if (refused === undefined) return;
    const mine = refused.SenderFault === true;
    throw new OperationError(`${what}: ${answer.Failed?.length} refused: ${refused.Code}: ${refused.Message ?? ""}`, {
      retry: mine ? "never" : "later",
      code: mine ? "bad-request" : "unavailable",
    });
  }

  async function sendAll(wakes: readonly DelayedWake[]): Promise<void> {
    for (const { delayMs = 0 } of wakes) requireDelay(delayMs);
    const byTarget = Map.groupBy(wakes, ({ wake }) => wake.target);
    const batches = [...byTarget].flatMap(([target, group]) =>
      chunksOf(group, batchSize).map((batch) => ({ target, batch })),
    );
    const failures: unknown[] = [];
    for (const round of chunksOf(batches, concurrency)) {
      const outcomes = await Promise.allSettled(round.map(({ target, batch }) => sendBatch(target, batch)));
      for (const outcome of outcomes) if (outcome.status === "rejected") failures.push(outcome.reason);
    }
    if (failures.length > 0) throw failures[0];
  }

  return { sendAll, send: (wake, delayMs = 0) => sendAll([{ wake, delayMs }]) };
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
