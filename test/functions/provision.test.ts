import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handler } from "../../functions/provision/handler.ts";
import { composeFrom } from "../../shared/runtime/index.ts";
import { composeOnMemory, context, type EmptyCluster, sqsEvent, startEmptyCluster } from "./invoke.ts";

const wake = (more: object = {}) => JSON.stringify({ cluster: "blue", target: "provision", ...more });
const head = { seq: 0, epoch: "e1", clusterUid: "u1" };

describe("the exported handler of provision", () => {
  let cluster: EmptyCluster;
  beforeAll(async () => {
    cluster = await startEmptyCluster();
  });
  afterAll(() => cluster.stop());

  it("runs once for all wakes of a cluster, and gives back only the records that are no good", async () => {
    const { store, telemetry } = composeOnMemory({ server: cluster.url });
    await store.createHead("blue", head);
    const before = cluster.requests.length;
    const response = await handler(
      sqsEvent([wake({ atLeast: "9" }), "{", wake(), wake({ target: "disrupt" }), wake({ cluster: "green" })]),
      context,
    );
    expect(response).toEqual({
      batchItemFailures: [
        { itemIdentifier: "message-1" },
        { itemIdentifier: "message-3" },
        { itemIdentifier: "message-4" },
      ],
    });
    const listed = cluster.requests.slice(before).filter((request) => request === "GET /api/v1/pods");
    expect(listed).toHaveLength(1);
    expect(telemetry.counted("timmerman_messages_failed_total", { controller: "provision" })).toBe(3);
    expect(telemetry.counted("timmerman_messages_failed_total", { code: "not-found" })).toBe(1);
    expect(telemetry.counted("timmerman_messages_failed_total", { code: "WakeError" })).toBe(2);
    expect(telemetry.observed("timmerman_run_duration_seconds")).toEqual([0]);
  });

  it("gives back every wake of a cluster whose run fails, to be tried again", async () => {
    const { store } = composeOnMemory();
    await store.createHead("blue", head);
    const response = await handler(sqsEvent([wake(), wake()]), context);
    expect(response.batchItemFailures).toEqual([{ itemIdentifier: "message-0" }, { itemIdentifier: "message-1" }]);
  });

  it("waits for no API server longer than Lambda lets it", async () => {
    const asked: number[] = [];
    const busy = createServer((_, response) => {
      asked.push(1);
      response.writeHead(429, { "retry-after": "1" }).end("{}");
    });
    await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
    const server = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
    for (const [leftMs, tries] of [
      [30_000, 3],
      [3_500, 1],
    ] as const) {
      const { store } = composeOnMemory({ server });
      await store.createHead("blue", head);
      asked.length = 0;
      const { batchItemFailures } = await handler(sqsEvent([wake()]), {
        ...context,
        getRemainingTimeInMillis: () => leftMs,
      });
      expect(batchItemFailures).toHaveLength(1);
      expect(asked).toHaveLength(tries);
    }
    await new Promise((resolve) => busy.close(resolve));
  });

  it("refuses an event that is no batch", async () => {
    composeOnMemory();
    await expect(handler({ detail: {} } as never, context)).rejects.toMatchObject({
      name: "ParseError",
      cause: [{ message: "the event is no SQS batch: map this function to its queue", path: ["Records"] }],
    });
  });

  it("says at each invocation what is wrong with its environment", async () => {
    composeFrom({ env: { AWS_REGION: "us-east-1" } });
    await expect(handler(sqsEvent([wake()]), context)).rejects.toThrow("TIMMERMAN_TABLE is not set");
    await expect(handler(sqsEvent([wake()]), context)).rejects.toThrow("TIMMERMAN_TABLE is not set");
  });
});
