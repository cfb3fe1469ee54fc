import { afterEach, describe, expect, it, vi } from "vitest";
import { handler } from "../../functions/tick/handler.ts";
import type { ScheduledEvent } from "../../shared/runtime/event-schemas.ts";
import { composeFrom, composition } from "../../shared/runtime/index.ts";
import { environment } from "../runtime/environment.ts";
import { composeOnMemory, context, nowMs } from "./invoke.ts";

const minute: ScheduledEvent = {
  version: "0",
  id: "89d1a02d-5ec7-412e-82f5-13505f849b41",
  "detail-type": "Scheduled Event",
  source: "aws.events",
  account: "123456789012",
  time: "2025-10-09T08:53:00Z",
  region: "us-east-1",
  resources: ["arn:aws:events:us-east-1:123456789012:rule/tick"],
  detail: {},
};

describe("the exported handler of tick", () => {
  afterEach(() => vi.restoreAllMocks());

  it("wakes what is due, and nothing else", async () => {
    const { store, wakes } = composeOnMemory();
    await store.setAgenda("blue", "lifecycle", nowMs - 1);
    await store.setAgenda("blue", "disrupt", nowMs + 1);
    expect(await handler({ ...minute }, context)).toEqual({ wakesSent: 1 });
    expect(wakes.takeDue()).toEqual([{ cluster: "blue", target: "lifecycle" }]);
  });

  it("refuses what no schedule sent", async () => {
    composeOnMemory();
    const wrong = { ...minute, "detail-type": "Other" } as never;
    await expect(handler(wrong, context)).rejects.toMatchObject({ cause: [{ path: ["detail-type"] }] });
  });

  it("writes metrics with their labels and the function's request id, through the middy stack", async () => {
    const lines: string[] = [];
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, "write").mockImplementation((text) => {
        lines.push(String(text));
        return true;
      });
    }
    const { store, wakes } = composeOnMemory();
    composeFrom({ env: environment, clock: { now: () => nowMs, sleep: async () => {} }, instead: { store, wakes } });
    await store.setAgenda("blue", "lifecycle", nowMs - 1);
    composition().ports.telemetry.count("timmerman_test_total", 2, { controller: "tick" });
    composition().ports.telemetry.count("timmerman_test_total", 3, { controller: "tick" });
    composition().ports.telemetry.observe("timmerman_test_seconds", 0.5, { controller: "disrupt" });
    await expect(handler({ ...minute, "detail-type": "Other" } as never, context)).rejects.toThrow();
    const written = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const emf = written.filter((line) => line._aws !== undefined);
    expect(emf).toMatchObject([
      { service: "timmerman", controller: "tick", timmerman_test_total: 5 },
      { service: "timmerman", controller: "disrupt", timmerman_test_seconds: 0.5 },
    ]);
    expect(written).toContainEqual(
      expect.objectContaining({
        level: "ERROR",
        message: "the invocation failed",
        function_request_id: context.awsRequestId,
        function_name: "timmerman-test",
      }),
    );
  });
});
