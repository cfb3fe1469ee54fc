import { describe, expect, it } from "vitest";
import { actionFor, parseInterruption } from "../../../shared/core/interruption/index.ts";
import type { InterruptionMessage } from "../../../shared/core/model/index.ts";

const at = "2026-03-02T09:00:00Z";
const atMs = Date.UTC(2026, 2, 2, 9, 0, 0);

function event(detailType: string, detail: object, change: object = {}): string {
  return JSON.stringify({
    version: "0",
    id: "e-1",
    source: "aws.ec2",
    "detail-type": detailType,
    account: "1",
    time: at,
    region: "us-east-1",
    resources: [],
    detail,
    ...change,
  });
}

const health = (detail: object) => event("AWS Health Event", detail, { source: "aws.health" });
const entities = (...ids: string[]) => ids.map((entityValue) => ({ entityValue }));

describe("what a message says", () => {
  it.each<[string, string, readonly [InterruptionMessage["kind"], string][]]>([
    [
      "a spot warning",
      event("EC2 Spot Instance Interruption Warning", { "instance-id": "i-1", "instance-action": "terminate" }),
      [["spot_interrupted", "i-1"]],
    ],
    [
      "a rebalance recommendation",
      event("EC2 Instance Rebalance Recommendation", { "instance-id": "i-1" }),
      [["rebalance_recommendation", "i-1"]],
    ],
    [
      "stopping",
      event("EC2 Instance State-change Notification", { "instance-id": "i-1", state: "stopping" }),
      [["instance_stopped", "i-1"]],
    ],
    [
      "stopped",
      event("EC2 Instance State-change Notification", { "instance-id": "i-1", state: "stopped" }),
      [["instance_stopped", "i-1"]],
    ],
    [
      "shutting down",
      event("EC2 Instance State-change Notification", { "instance-id": "i-1", state: "shutting-down" }),
      [["instance_terminated", "i-1"]],
    ],
    [
      "terminated",
      event("EC2 Instance State-change Notification", { "instance-id": "i-1", state: "terminated" }),
      [["instance_terminated", "i-1"]],
    ],
    [
      "pending says nothing",
      event("EC2 Instance State-change Notification", { "instance-id": "i-1", state: "pending" }),
      [],
    ],
    [
      "running says nothing",
      event("EC2 Instance State-change Notification", { "instance-id": "i-1", state: "running" }),
      [],
    ],
    [
      "a reservation taken back",
      event("EC2 Capacity Reservation Instance Interruption Warning", { "instance-id": "i-1" }),
      [["capacity_reservation_interrupted", "i-1"]],
    ],
    [
      "an interruptible reservation taken back",
      event("EC2 Interruptible Capacity Reservation Instance Interruption Warning", { "instance-id": "i-1" }),
      [["capacity_reservation_interrupted", "i-1"]],
    ],
    [
      "maintenance of three instances",
      health({
        service: "EC2",
        eventTypeCategory: "scheduledChange",
        affectedEntities: entities("i-1", "", "i-2", "i-3"),
      }),
      [
        ["scheduled_change", "i-1"],
        ["scheduled_change", "i-2"],
        ["scheduled_change", "i-3"],
      ],
    ],
    [
      "another service's health",
      health({ service: "RDS", eventTypeCategory: "scheduledChange", affectedEntities: entities("i-1") }),
      [],
    ],
    [
      "another category of health",
      health({ service: "EC2", eventTypeCategory: "issue", affectedEntities: entities("i-1") }),
      [],
    ],
    ["an unknown kind", event("EC2 Something New", { "instance-id": "i-1" }), []],
    [
      "an unknown version",
      event("EC2 Spot Instance Interruption Warning", { "instance-id": "i-1" }, { version: "1" }),
      [],
    ],
    [
      "another source",
      event("EC2 Spot Instance Interruption Warning", { "instance-id": "i-1" }, { source: "my.app" }),
      [],
    ],
    ["a warning without an instance", event("EC2 Spot Instance Interruption Warning", {}), []],
    ["an empty body", "", []],
    ["an object with nothing in it", "{}", []],
  ])("%s", (_title, body, expected) => {
    const { messages, unreadable } = parseInterruption(body);
    expect(unreadable).toBeUndefined();
    const from = { atMs, eventId: "e-1", account: "1", region: "us-east-1" };
    expect(messages).toEqual(expected.map(([kind, instanceId]) => ({ kind, instanceId, ...from })));
  });

  it("of health is about the account and region that its detail names, whichever it came through", () => {
    const change = { service: "EC2", eventTypeCategory: "scheduledChange", affectedEntities: entities("i-1") };
    const { messages } = parseInterruption(health({ ...change, eventRegion: "eu-west-1", affectedAccount: "2" }));
    expect(messages).toMatchObject([{ instanceId: "i-1", account: "2", region: "eu-west-1" }]);
  });

  it("of no named account and region leaves them out", () => {
    const nowhere = { account: undefined, region: undefined };
    const body = event("EC2 Spot Instance Interruption Warning", { "instance-id": "i-1" }, nowhere);
    expect(parseInterruption(body).messages).toEqual([
      { kind: "spot_interrupted", instanceId: "i-1", atMs, eventId: "e-1" },
    ]);
  });

  it.each(["{", "not json", "[1, 2]", "null", '"text"'])("%s cannot be read, and says why", (body) => {
    const { messages, unreadable } = parseInterruption(body);
    expect(messages).toEqual([]);
    expect(unreadable).toMatch(/^not /);
  });

  it.each([{ time: "soon" }, { time: undefined }])("a warning of no known time (%o) cannot be read", (change) => {
    const body = event("EC2 Spot Instance Interruption Warning", { "instance-id": "i-1" }, change);
    const { messages, unreadable } = parseInterruption(body);
    expect(messages).toEqual([]);
    expect(unreadable).toMatch(/^time: /);
  });
});

describe("what is done about it", () => {
  it.each<[InterruptionMessage["kind"], object | undefined, string | undefined, readonly string[]]>([
    [
      "spot_interrupted",
      { reason: "spot_interrupted", deadlineMs: atMs + 120_000 },
      "spot",
      ["SpotInterrupted", "TerminatingOnInterruption"],
    ],
    ["rebalance_recommendation", undefined, undefined, ["SpotRebalanceRecommendation"]],
    ["instance_stopped", { reason: "instance_stopped" }, undefined, ["InstanceStopping", "TerminatingOnInterruption"]],
    [
      "instance_terminated",
      { reason: "instance_terminated" },
      undefined,
      ["InstanceTerminating", "TerminatingOnInterruption"],
    ],
    ["scheduled_change", { reason: "scheduled_change" }, undefined, ["InstanceUnhealthy", "TerminatingOnInterruption"]],
    [
      "capacity_reservation_interrupted",
      { reason: "capacity_reservation_interrupted" },
      "reserved",
      ["CapacityReservationInstanceInterrupted", "TerminatingOnInterruption"],
    ],
    ["no_op", undefined, undefined, []],
  ])("%s", (kind, deletion, refuse, events) => {
    const action = actionFor({ kind, instanceId: "i-1", atMs, eventId: "e-1" });
    expect(action.deletion).toEqual(deletion);
    expect(action.refuse).toBe(refuse);
    expect(action.events.map(({ reason }) => reason)).toEqual(events);
  });
});
