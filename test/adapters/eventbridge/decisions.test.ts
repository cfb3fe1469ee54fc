import { afterEach, describe, expect, it } from "vitest";
import { createEventBridgeClient, createEventBridgeDecisions } from "../../../shared/adapters/eventbridge/index.ts";
import type { DecisionEvent } from "../../../shared/ports/index.ts";
import { type HttpDouble, startHttpDouble } from "../http-double.ts";

const launched: DecisionEvent = {
  kind: "launched",
  cluster: "blue",
  atMs: 1_760_000_000_000,
  nodePool: "default",
  claim: "default-3kq7x2mzpa",
  instanceId: "i-0aaa",
  detail: { instanceType: "c6a.large", zone: "us-east-1a" },
};

describe("decisions on EventBridge", () => {
  let double: HttpDouble | undefined;
  afterEach(() => double?.stop());

  async function over(answer: Parameters<typeof startHttpDouble>[0]) {
    double = await startHttpDouble(answer);
    const client = createEventBridgeClient({
      region: "us-east-1",
      endpoint: double.url,
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
    });
    return createEventBridgeDecisions({ client, bus: "timmerman" });
  }

  it("are events with what they are about as detail", async () => {
    const decisions = await over(() => ({ FailedEntryCount: 0, Entries: [{ EventId: "1" }] }));
    await decisions.publish([launched]);
    expect(double?.requests).toEqual([
      {
        target: "PutEvents",
        body: {
          Entries: [
            {
              EventBusName: "timmerman",
              Source: "timmerman",
              DetailType: "Node Launched",
              Time: 1_760_000_000,
              Detail:
                '{"cluster":"blue","nodePool":"default","claim":"default-3kq7x2mzpa","instanceId":"i-0aaa","instanceType":"c6a.large","zone":"us-east-1a"}',
            },
          ],
        },
      },
    ]);
  });

  it("go out ten at a time, and none when there are none", async () => {
    const decisions = await over(() => ({ FailedEntryCount: 0, Entries: [] }));
    await decisions.publish([]);
    await decisions.publish(Array.from({ length: 23 }, () => launched));
    expect(double?.requests.map(({ body }) => (body.Entries as unknown[]).length)).toEqual([10, 10, 3]);
  });

  it("that are refused say so", async () => {
    const refused = { ErrorCode: "InternalFailure", ErrorMessage: "busy" };
    const decisions = await over(() => ({ FailedEntryCount: 1, Entries: [{ EventId: "1" }, refused] }));
    await expect(decisions.publish([launched, launched])).rejects.toMatchObject({
      code: "unavailable",
      retry: "later",
      message: "publishing 2 decisions to timmerman: 1 refused: InternalFailure: busy",
    });
  });

  it("without permission are not repeated", async () => {
    const decisions = await over(() => ({ error: "AccessDeniedException" }));
    await expect(decisions.publish([launched])).rejects.toMatchObject({ code: "unauthorized", retry: "never" });
    expect(double?.requests).toHaveLength(1);
  });
});
