import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { handler } from "../../functions/interrupt/handler.ts";
import { chunk, instance, planned, t0 } from "../contracts/claim-store/fixtures.ts";
import { composeOnMemory, context, type EmptyCluster, nowMs, sqsEvent, startEmptyCluster } from "./invoke.ts";

/** As EventBridge delivers them (the EC2 user guide's and AWS Health's published examples, with our ids). */
const envelope = {
  version: "0",
  id: "12345678-1234-1234-1234-123456789012",
  source: "aws.ec2",
  account: "123456789012",
  time: "2025-10-09T08:53:15Z",
  region: "us-east-1",
  resources: ["arn:aws:ec2:us-east-1:123456789012:instance/i-0aaa"],
};
const spotWarning = {
  ...envelope,
  "detail-type": "EC2 Spot Instance Interruption Warning",
  detail: { "instance-id": "i-0aaa", "instance-action": "terminate" },
};
const rebalance = {
  ...envelope,
  "detail-type": "EC2 Instance Rebalance Recommendation",
  detail: { "instance-id": "i-0aaa" },
};
const running = {
  ...envelope,
  "detail-type": "EC2 Instance State-change Notification",
  detail: { "instance-id": "i-0ccc", state: "running" },
};
const stopping = { ...running, detail: { "instance-id": "i-0bbb", state: "stopping" } };
const scheduled = {
  ...envelope,
  source: "aws.health",
  "detail-type": "AWS Health Event",
  detail: {
    service: "EC2",
    eventTypeCode: "AWS_EC2_PERSISTENT_INSTANCE_RETIREMENT_SCHEDULED",
    eventTypeCategory: "scheduledChange",
    affectedEntities: [{ entityValue: "i-0aaa" }, { entityValue: "i-0bbb" }, { entityValue: "i-0ddd" }],
  },
};

describe("the exported handler of interrupt", () => {
  let cluster: EmptyCluster;
  let made: ReturnType<typeof composeOnMemory>;
  beforeAll(async () => {
    cluster = await startEmptyCluster();
  });
  afterAll(() => cluster.stop());
  beforeEach(async () => {
    made = composeOnMemory({ server: cluster.url });
    const head = await made.store.createHead("blue", { seq: 0, epoch: "e1", clusterUid: "u1" });
    await made.store.commit("blue", head, chunk("p1", [planned("a"), planned("b"), planned("d")]));
    for (const [name, id] of [
      ["a", "i-0aaa"],
      ["b", "i-0bbb"],
      ["d", "i-0ddd"],
    ] as const) {
      const launch = {
        id: `launch-${name}`,
        request: { overrides: [] } as never,
        sealedAtMs: t0,
        sendBeforeMs: t0 + 1,
      };
      await made.store.sealLaunch("blue", launch, [{ name, version: 1 }]);
      const pair = { claim: name, claimVersion: 2, change: { instance: instance(id) }, instanceId: id };
      await made.store.settleLaunch("blue", launch.id, t0, [pair], []);
    }
  });
  const invoke = (...events: readonly (object | string)[]) =>
    handler(sqsEvent(events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)))), context);
  const deletionOf = async (name: string) => (await made.store.readClaim("blue", name))?.deletion;

  it("deletes the claim of a spot warning within two minutes, marks its offering and wakes both controllers", async () => {
    expect(await invoke(spotWarning)).toEqual({ batchItemFailures: [] });
    const warnedAtMs = Date.UTC(2025, 9, 9, 8, 53, 15);
    expect(await deletionOf("a")).toEqual({
      requestedAtMs: nowMs,
      reason: "spot_interrupted",
      deadlineMs: warnedAtMs + 120_000,
    });
    expect(await made.store.readRefusals("us-east-1", nowMs)).toMatchObject([
      { instanceType: "c6a.large", zoneId: "use1-az1", capacityType: "spot" },
    ]);
    expect(made.wakes.takeDue().map((wake) => wake.target)).toEqual(["provision", "lifecycle"]);
    expect(made.telemetry.observed("karpenter_interruption_message_queue_duration_seconds")).toEqual([5]);
    expect(made.telemetry.counted("karpenter_interruption_deleted_messages_total")).toBe(1);
  });

  it("handles every instance that a scheduled change names", async () => {
    expect(await invoke(scheduled)).toEqual({ batchItemFailures: [] });
    for (const name of ["a", "b", "d"]) {
      expect(await deletionOf(name)).toMatchObject({ reason: "scheduled_change" });
    }
  });

  it("works on each record by itself: the malformed one is dropped, the one that cannot be settled is given back", async () => {
    const foreign = { ...spotWarning, detail: { "instance-id": "i-0fff", "instance-action": "terminate" } };
    const response = await invoke(rebalance, "{ not json", stopping, foreign, running);
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: "message-3" }] });
    expect(await deletionOf("a")).toBeUndefined();
    expect(await deletionOf("b")).toMatchObject({ reason: "instance_stopped" });
    expect(made.telemetry.counted("timmerman_messages_unreadable_total", { controller: "interrupt" })).toBe(1);
    expect(made.telemetry.counted("timmerman_messages_failed_total", { controller: "interrupt" })).toBe(1);
    expect(made.telemetry.counted("karpenter_interruption_received_messages_total", { message_type: "no_op" })).toBe(0);
  });

  it("takes a repeated warning without another deletion", async () => {
    await invoke(spotWarning);
    const first = await made.store.readClaim("blue", "a");
    expect(await invoke(spotWarning, spotWarning)).toEqual({ batchItemFailures: [] });
    expect(await made.store.readClaim("blue", "a")).toEqual(first);
  });
});
