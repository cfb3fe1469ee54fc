import { afterEach, describe, expect, it } from "vitest";
import { createEventBridgeClient, createEventBridgeDecisions } from "../../../shared/adapters/eventbridge/index.ts";
import type { DecisionEvent } from "../../../shared/ports/index.ts";
import { type HttpDouble, startHttpDouble } from "../http-double.ts";
import { faultsOf } from "./documented.ts";

const launched: DecisionEvent = {
  kind: "launched",
  cluster: "blue",
  atMs: 1_760_000_000_000,
  nodePool: "default",
  claim: "default-3kq7x2mzpa",
  instanceId: "i-0aaa",
  instanceType: "c6a.large",
  zone: "us-east-1a",
  capacityType: "spot",
  priceMicroUsd: 33_100,
};

const everyKind: readonly DecisionEvent[] = [
  launched,
  { ...launched, kind: "registered", node: "ip-10-0-0-1.ec2.internal" },
  { ...launched, kind: "disrupted", reason: "empty" },
  { ...launched, kind: "interrupted", reason: "spot_interrupted" },
  {
    kind: "refused",
    cluster: "blue",
    atMs: 0,
    claim: "default-3kq7x2mzpa",
    reason: "InsufficientCapacity",
    message: "x".repeat(1_000_000),
  },
];

interface Entry {
  readonly Source: string;
  readonly DetailType: string;
  readonly Time: number;
  readonly Detail: string;
}

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

  const taken = () => ({ FailedEntryCount: 0, Entries: [{ EventId: "1" }] });
  const sizes = () => double?.requests.map(({ body }) => (body.Entries as unknown[]).length);

  it("are events with what they are about as detail", async () => {
    const decisions = await over(taken);
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
                '{"version":1,"nodeClaim":"default-3kq7x2mzpa","cluster":"blue","nodePool":"default","instanceId":"i-0aaa","instanceType":"c6a.large","zone":"us-east-1a","capacityType":"spot","priceMicroUsd":33100}',
            },
          ],
        },
      },
    ]);
  });

  it("follow the schema in docs/events.md, of every kind, however long EC2's message is", async () => {
    const decisions = await over(taken);
    await decisions.publish(everyKind);
    const entries = double!.requests.flatMap(({ body }) => body.Entries as Entry[]);
    const types = entries.map(({ Source, DetailType, Time, Detail }) => {
      const time = new Date(Time * 1_000).toISOString();
      expect(faultsOf({ source: Source, "detail-type": DetailType, time, detail: JSON.parse(Detail) })).toEqual([]);
      return DetailType;
    });
    expect(types).toEqual(["Node Launched", "Node Registered", "Node Disrupted", "Node Interrupted", "Launch Refused"]);
    expect(Math.max(...entries.map(({ Detail }) => Detail.length))).toBeLessThan(4_096);
  });

  it("go out ten at a time, and none when there are none", async () => {
    const decisions = await over(taken);
    await decisions.publish([]);
    await decisions.publish(Array.from({ length: 23 }, () => launched));
    expect(sizes()).toEqual([10, 10, 3]);
  });

  it("that the bus refuses go once more, alone", async () => {
    const refused = { ErrorCode: "ThrottlingException", ErrorMessage: "slowly" };
    const decisions = await over((_target, _body, n) =>
      n === 0 ? { FailedEntryCount: 1, Entries: [{ EventId: "1" }, refused, { EventId: "3" }] } : taken(),
    );
    await decisions.publish([launched, { ...launched, claim: "second" }, launched]);
    expect(sizes()).toEqual([3, 1]);
    expect((double!.requests[1]!.body.Entries as Entry[])[0]!.Detail).toContain("second");
  });

  it("that are refused again are lost, and counted; the others of all requests are out", async () => {
    const refused = { ErrorCode: "InternalFailure", ErrorMessage: "busy" };
    const decisions = await over((_target, body) => {
      const entries = (body.Entries as Entry[]).map(({ Detail }) =>
        Detail.includes("bad") ? refused : { EventId: "1" },
      );
      return { FailedEntryCount: entries.filter((entry) => entry === refused).length, Entries: entries };
    });
    const events = Array.from({ length: 12 }, (_, at) => ({ ...launched, claim: at % 6 === 5 ? "bad" : "good" }));
    await expect(decisions.publish(events)).rejects.toMatchObject({
      name: "DecisionsLost",
      lost: 2,
      code: "unavailable",
      retry: "later",
      message: "2 decision events were not taken: publishing 1 decisions to timmerman: InternalFailure: busy",
    });
    expect(sizes()).toEqual([10, 1, 2, 1]);
  });

  it("of one failed request are lost alone", async () => {
    const decisions = await over((_target, _body, n) => (n === 0 ? { error: "ValidationException" } : taken()));
    await expect(decisions.publish(Array.from({ length: 12 }, () => launched))).rejects.toMatchObject({ lost: 12 });
    expect(double?.requests).toHaveLength(1);
  });

  it("without permission are lost and not repeated", async () => {
    const decisions = await over(() => ({ error: "AccessDeniedException" }));
    const outcome = decisions.publish(Array.from({ length: 31 }, () => launched));
    await expect(outcome).rejects.toMatchObject({ code: "unauthorized", retry: "never", lost: 31 });
    expect(double?.requests).toHaveLength(1);
  });
});

describe("docs/events.md", () => {
  it("shows an event that follows its schema, which says what is wrong with others", async () => {
    const { documentedEvents } = await import("./documented.ts");
    expect(documentedEvents).toHaveLength(1);
    const [event] = documentedEvents as [Record<string, unknown>];
    expect(faultsOf(event)).toEqual([]);
    const { detail } = event as { detail: Record<string, unknown> };
    expect(faultsOf({ ...event, source: "others" })).toEqual([expect.stringContaining("source")]);
    expect(faultsOf({ ...event, detail: { ...detail, version: 2 } })).toEqual([
      expect.stringContaining("detail.version"),
    ]);
    expect(faultsOf({ ...event, detail: { ...detail, colour: "blue" } })).toEqual([
      "detail.colour is not in the schema",
    ]);
    const { cluster: _left, ...without } = detail;
    expect(faultsOf({ ...event, detail: without })).toEqual([expect.stringContaining("detail.cluster")]);
  });

  it("shows rules whose fields events have", async () => {
    const { documentedPatterns, isKnownPattern } = await import("./documented.ts");
    expect(documentedPatterns.length).toBeGreaterThan(2);
    expect(documentedPatterns.filter((pattern) => !isKnownPattern(pattern))).toEqual([]);
    expect(isKnownPattern({ source: ["timmerman"], detail: { pool: ["a"] } })).toBe(false);
  });
});
