import { createHash } from "node:crypto";
import type {
  CancellationReason,
  DynamoDBClient,
  QueryCommandInput,
  TransactWriteItem,
  UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import {
  BatchWriteItemCommand,
  GetItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { OperationError } from "../../ports/index.ts";
import { translate } from "../aws/index.ts";
import type { Item, Key } from "./table.ts";
import { gaveUp } from "./verdicts.ts";

/** A table, and how to wait between tries. */
export interface Table {
  readonly client: DynamoDBClient;
  readonly name: string;
  pause(ms: number): Promise<void>;
}

/** The SDK retries single requests; these bound what it cannot know: conflicts of transactions, leftovers of batches. */
const maxTries = 6;
const firstPauseMs = 20;

/** Waits longer after each try, by chance between half and all of it, so that rivals do not meet again. */
export async function pauseAfter(table: Table, tries: number): Promise<void> {
  const ms = firstPauseMs * 2 ** tries;
  await table.pause(ms / 2 + (Math.random() * ms) / 2);
}

export async function getItem(
  table: Pick<Table, "client" | "name">,
  key: Key,
  what: string,
): Promise<Item | undefined> {
  try {
    const { Item: item } = await table.client.send(
      new GetItemCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
    );
    return item;
  } catch (error) {
    throw translate(error, what);
  }
}

/** All items of a query; pages are followed. Consistent, except on an index. */
export async function queryAll(
  table: Pick<Table, "client" | "name">,
  query: Omit<QueryCommandInput, "TableName" | "ExclusiveStartKey">,
  what: string,
): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    try {
      const page = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          ConsistentRead: query.IndexName === undefined,
          ...query,
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        }),
      );
      items.push(...(page.Items ?? []));
      from = page.LastEvaluatedKey;
    } catch (error) {
      throw translate(error, what);
    }
  } while (from !== undefined);
  return items;
}

/**
 * `refused`: the condition did not hold; `item` is what stands there, undefined if nothing does. `repeated`: the SDK had
 * sent it before, so that what stands there may be this very update.
 */
export type UpdateOutcome =
  | { readonly kind: "done"; readonly item: Item }
  | { readonly kind: "refused"; readonly item: Item | undefined; readonly repeated: boolean };

/** One conditional update. A condition that fails is an answer, with the item that made it fail. */
export async function updateItem(
  table: Table,
  update: Omit<UpdateItemCommandInput, "TableName">,
  what: string,
): Promise<UpdateOutcome> {
  try {
    const { Attributes: item } = await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        ReturnValues: "ALL_NEW",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        ...update,
      }),
    );
    return { kind: "done", item: item ?? {} };
  } catch (error) {
    if ((error as Error).name !== "ConditionalCheckFailedException") throw translate(error, what);
    const { Item: item, $metadata } = error as { Item?: Item; $metadata?: { attempts?: number } };
    return { kind: "refused", item, repeated: ($metadata?.attempts ?? 1) > 1 };
  }
}

/** `refused`: nothing was written; `failed[i]` says whether the condition of write i did not hold. */
export type TransactOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly failed: readonly boolean[] };

/**
 * One transaction. Its token is a hash of its bytes, so that a repeat within ten minutes is the same write and never a
 * second one; after a cancellation, which wrote nothing, it is another try with another token. Conflicts with other
 * transactions and unknown outcomes are repeated a few times; a repeat that finds its own write in the way is refused, and
 * the caller recognises it by what it reads.
 */
export async function transact(
  table: Table,
  writes: readonly TransactWriteItem[],
  what: string,
): Promise<TransactOutcome> {
  const TransactItems = [...writes];
  const bytes = JSON.stringify(writes, bytesAsText);
  let cancellations = 0;
  let outcomeUnknown = false;
  for (let tries = 0; ; tries += 1) {
    try {
      const ClientRequestToken = tokenOf(bytes, cancellations);
      await table.client.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken }));
      return { kind: "done" };
    } catch (error) {
      const reasons = cancellationReasons(error);
      if (reasons?.some((reason) => reason.Code === "ConditionalCheckFailed")) {
        return { kind: "refused", failed: reasons.map((reason) => reason.Code === "ConditionalCheckFailed") };
      }
      const failure = reasons === undefined ? translate(error, what) : cancelled(reasons, what, error);
      if (!(failure instanceof OperationError) || failure.retry === "never") throw failure;
      if (reasons !== undefined) cancellations += 1;
      outcomeUnknown ||= failure.outcomeUnknown;
      const worthwhile = reasons !== undefined || failure.outcomeUnknown;
      if (tries + 1 >= maxTries || !worthwhile) {
        throw failure.outcomeUnknown === outcomeUnknown ? failure : gaveUp(what, outcomeUnknown, failure);
      }
      await pauseAfter(table, tries);
    }
  }
}

/** DynamoDB takes 36 characters. */
function tokenOf(bytes: string, cancellations: number): string {
  return createHash("sha256").update(`${cancellations}#${bytes}`).digest("hex").slice(0, 36);
}

function bytesAsText(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

function cancellationReasons(error: unknown): readonly CancellationReason[] | undefined {
  if ((error as Error).name !== "TransactionCanceledException") return undefined;
  return (error as { CancellationReasons?: CancellationReason[] }).CancellationReasons ?? [];
}

/** A transaction that was cancelled for other reasons than its conditions: nothing was written. */
function cancelled(reasons: readonly CancellationReason[], what: string, cause: unknown): OperationError {
  const codes = [...new Set(reasons.map((reason) => reason.Code ?? "None"))].filter((code) => code !== "None");
  const message = `${what}: cancelled: ${codes.join(", ")}`;
  if (codes.some((code) => code === "ValidationError" || code === "ItemCollectionSizeLimitExceeded")) {
    const detail = reasons.find((reason) => reason.Message !== undefined)?.Message ?? "";
    return new OperationError(`${message}: ${detail}`, { retry: "never", code: "bad-request", cause });
  }
  if (codes.some((code) => code === "ThrottlingError" || code === "ProvisionedThroughputExceeded")) {
    return new OperationError(message, { retry: "later", code: "throttled", cause });
  }
  return new OperationError(message, { retry: "now", code: "unavailable", cause });
}

const batchSize = 25;

/** Puts items without conditions, 25 a request; what DynamoDB leaves over is sent again. */
export async function putAll(table: Table, items: readonly Item[], what: string): Promise<void> {
  for (let at = 0; at < items.length; at += batchSize) {
    let left = items.slice(at, at + batchSize).map((Item) => ({ PutRequest: { Item } }));
    for (let tries = 0; left.length > 0; tries += 1) {
      if (tries >= maxTries) throw gaveUp(what, false);
      if (tries > 0) await pauseAfter(table, tries);
      try {
        const answer = await table.client.send(new BatchWriteItemCommand({ RequestItems: { [table.name]: left } }));
        left = (answer.UnprocessedItems?.[table.name] ?? []) as typeof left;
      } catch (error) {
        throw translate(error, what);
      }
    }
  }
}
