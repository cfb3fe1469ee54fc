// What a tick costs a deployment of a thousand clusters, counted on the wire: docs/cost.md is made from such counts.
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { handler } from "../../functions/tick/handler.ts";
import type { ScheduledEvent } from "../../shared/runtime/event-schemas.ts";
import { composeFrom } from "../../shared/runtime/index.ts";
import { type HttpDouble, startHttpDouble } from "../adapters/http-double.ts";
import { environment } from "../runtime/environment.ts";
import { context, nowMs } from "./invoke.ts";

const minuteMs = 60_000;
const minute: ScheduledEvent = {
  version: "0",
  id: "53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa",
  "detail-type": "Scheduled Event",
  source: "aws.events",
  account: "123456789012",
  time: "2025-10-09T08:53:00Z",
  region: "us-east-1",
  resources: ["arn:aws:events:us-east-1:123456789012:rule/tick"],
  detail: {},
};
const names = Array.from({ length: 1_000 }, (_, i) => `cluster-${String(i).padStart(4, "0")}`);
/** A page of a query is a megabyte: some 400 registrations, of which a CA is the larger part. */
const pageSize = 400;

const registered = names.map((name) => ({
  pk: { S: "registry" },
  sk: { S: name },
  region: { S: "us-east-1" },
  document: { S: JSON.stringify({ name, endpoint: "https://x", caBundle: "L".repeat(1_500) }) },
}));

/** The SDK checks that SQS has read what was sent. */
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

interface Wire {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly ExclusiveStartKey?: { readonly sk: { readonly S: string } };
  readonly ExpressionAttributeValues?: Record<string, { readonly S?: string }>;
  readonly Entries?: readonly { readonly Id: string; readonly MessageBody: string }[];
}

describe("a tick of a thousand clusters", () => {
  let dynamo: HttpDouble;
  let sqs: HttpDouble;
  let atMs: number;
  /** Clusters whose relay is silent. */
  let silent: readonly string[];

  /** A table that holds the registry, and an agenda on which only silent relays are due. */
  function answer(target: string, body: Record<string, unknown>) {
    const { IndexName, ExclusiveStartKey, ExpressionAttributeValues: values } = body as Wire;
    if (target === "UpdateItem") return { error: "ConditionalCheckFailedException" };
    if (IndexName === "due") {
      const isFirst = values?.[":shard"]?.S === "agenda#0";
      const due = isFirst ? silent : [];
      return {
        Items: due.map((name) => ({ pk: { S: `agenda#${name}` }, sk: { S: "relay" }, dueAtMs: { N: String(atMs) } })),
      };
    }
    const from = ExclusiveStartKey === undefined ? 0 : names.indexOf(ExclusiveStartKey.sk.S) + 1;
    const Items = registered.slice(from, from + pageSize);
    const last = from + pageSize < names.length ? { LastEvaluatedKey: { pk: Items[0]!.pk, sk: Items.at(-1)!.sk } } : {};
    return { Items, ...last };
  }

  beforeEach(async () => {
    atMs = nowMs;
    silent = [];
    dynamo = await startHttpDouble(answer);
    sqs = await startHttpDouble((_target, body) => ({
      Successful: (body as Wire).Entries?.map(({ Id, MessageBody }) => ({ Id, MD5OfMessageBody: md5(MessageBody) })),
    }));
    const { TIMMERMAN_CLUSTERS: _list, ...env } = environment;
    composeFrom({
      env: {
        ...env,
        AWS_ENDPOINT_URL_DYNAMODB: dynamo.url,
        AWS_ENDPOINT_URL_SQS: sqs.url,
        AWS_ACCESS_KEY_ID: "local",
        AWS_SECRET_ACCESS_KEY: "local",
        LOG_LEVEL: "SILENT",
      },
      clock: { now: () => atMs, sleep: async () => {} },
    });
  });
  afterEach(async () => {
    await Promise.all([dynamo.stop(), sqs.stop()]);
  });

  /** The requests of one tick; the next is a minute later. */
  async function oneTick() {
    const [dynamoBefore, sqsBefore] = [dynamo.requests.length, sqs.requests.length];
    const { wakesSent: wakes } = await handler({ ...minute }, context);
    const asked = dynamo.requests.slice(dynamoBefore);
    const queries = asked.filter(({ target }) => target === "Query").map(({ body }) => body as Wire);
    atMs += minuteMs;
    return {
      due: queries.filter(({ IndexName }) => IndexName === "due").length,
      registry: queries.filter(({ IndexName }) => IndexName === undefined).length,
      writes: asked.length - queries.length,
      sends: sqs.requests.length - sqsBefore,
      wakes,
    };
  }

  it("that all rest is eight looks at the agenda and a tenth of the net; the registry is read on three pages at times", async () => {
    const [first, second] = [await oneTick(), await oneTick()];
    expect([first.due, second.due]).toEqual([8, 8]);
    expect([first.registry, second.registry]).toEqual([3, 0]);
    for (const { wakes, sends, writes } of [first, second]) {
      // Of each of five controllers some hundred wakes, ten a request.
      expect(wakes).toBeLessThanOrEqual(5 * 130);
      expect(sends).toBe(5 * Math.ceil(wakes / 5 / 10));
      // Each cluster's relay is looked for with its net.
      expect(writes).toBe(wakes / 5);
    }
  });

  it("whose relays are all silent is three wakes each more, in three hundred requests", async () => {
    silent = names;
    const { due, writes, wakes, sends } = await oneTick();
    expect({ due, writes }).toEqual({ due: 8, writes: 0 });
    expect(wakes).toBeGreaterThanOrEqual(3_000);
    expect(wakes).toBeLessThanOrEqual(3_000 + 2 * 130);
    expect(sends).toBeLessThanOrEqual(3 * 100 + 2 * 13);
  });
});
