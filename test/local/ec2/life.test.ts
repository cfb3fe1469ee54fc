// An instance's life on the clock: states, late visibility, interruptions, events; and faults on demand.
import {
  CreateTagsCommand,
  DescribeInstanceStatusCommand,
  DescribeInstancesCommand,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
import { afterEach, describe, expect, it } from "vitest";
import { type Ec2Event, toEventBridge } from "../../../local/ec2/events.ts";
import type { Ec2Options } from "../../../local/ec2/options.ts";
import { createTimeline } from "../../../local/ec2/timeline.ts";
import { fleet, spot } from "./fleet-requests.ts";
import { groups, images, openRegion, type Region, start, subnets } from "./small-region.ts";

let region: Region;
let events: Ec2Event[];
afterEach(() => region.close());

/** A region with one spot m5.large in zone a; `events` hears everything. */
async function openWithInstance(options: Partial<Ec2Options> = {}): Promise<string> {
  region = await openRegion({
    ...options,
    settings: { pendingMs: 5_000, shuttingDownMs: 20_000, ...options.settings },
  });
  events = [];
  region.ec2.onEvent((event) => events.push(event));
  region.ec2.call("CreateLaunchTemplate", {
    LaunchTemplateName: "demo",
    LaunchTemplateData: { ImageId: images.x86, SecurityGroupIds: [groups.nodes] },
  });
  region.ec2.call("CreateFleet", fleet([{ InstanceType: "m5.large", SubnetId: subnets.a }], spot(1)));
  return region.ec2.instances()[0]!.id;
}

const stateOf = async (id: string): Promise<string | undefined> =>
  (await region.client.send(new DescribeInstancesCommand({ InstanceIds: [id] }))).Reservations?.[0]?.Instances?.[0]
    ?.State?.Name;

const terminate = (id: string) => region.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }));

describe("an instance", () => {
  it("runs after a while, shuts down when told, stays described for an hour and is then unknown", async () => {
    const id = await openWithInstance();
    expect(await stateOf(id)).toBe("pending");
    region.clock.advance(5_000);
    expect(await stateOf(id)).toBe("running");
    await terminate(id);
    expect(await stateOf(id)).toBe("shutting-down");
    region.clock.advance(19_999);
    expect(await stateOf(id)).toBe("shutting-down");
    region.clock.advance(1);
    expect(await stateOf(id)).toBe("terminated");
    await terminate(id);
    region.clock.advance(3_600_000);
    await expect(stateOf(id)).rejects.toMatchObject({ name: "InvalidInstanceID.NotFound" });
  });

  it("keeps its tags and loses its address when it is terminated", async () => {
    const id = await openWithInstance();
    await terminate(id);
    region.clock.advance(20_000);
    const answer = await region.client.send(new DescribeInstancesCommand({ InstanceIds: [id] }));
    const instance = answer.Reservations![0]!.Instances![0]!;
    expect(instance).toMatchObject({ StateReason: { Code: "Client.UserInitiatedShutdown" }, PrivateDnsName: "" });
    expect(instance.PrivateIpAddress).toBeUndefined();
    expect(instance.Tags!.map((t) => t.Key)).toContain("aws:ec2:fleet-id");
  });

  it("that is terminated while pending never runs", async () => {
    const id = await openWithInstance();
    await terminate(id);
    region.clock.advance(600_000);
    region.ec2.settle();
    expect(events.map((e) => (e.kind === "state-change" ? e.state : e.kind))).toEqual([
      "pending",
      "shutting-down",
      "terminated",
    ]);
  });

  it("may be unknown to everything for some time after its launch", async () => {
    const id = await openWithInstance({ settings: { visibleAfterMs: 3_000 } });
    await expect(stateOf(id)).rejects.toMatchObject({ name: "InvalidInstanceID.NotFound" });
    await expect(terminate(id)).rejects.toMatchObject({ name: "InvalidInstanceID.NotFound" });
    await expect(
      region.client.send(new CreateTagsCommand({ Resources: [id], Tags: [{ Key: "a", Value: "b" }] })),
    ).rejects.toMatchObject({ name: "InvalidInstanceID.NotFound" });
    expect((await region.client.send(new DescribeInstancesCommand({}))).Reservations).toEqual([]);
    region.clock.advance(3_000);
    expect(await stateOf(id)).toBe("pending");
  });

  it("has a status once it runs", async () => {
    const id = await openWithInstance();
    const statuses = async (all: boolean) =>
      (await region.client.send(new DescribeInstanceStatusCommand({ IncludeAllInstances: all }))).InstanceStatuses!;
    expect(await statuses(false)).toEqual([]);
    expect(await statuses(true)).toMatchObject([{ InstanceId: id, InstanceState: { Name: "pending" } }]);
    region.clock.advance(5_000);
    expect(await statuses(false)).toMatchObject([
      { InstanceId: id, InstanceStatus: { Status: "ok" }, SystemStatus: { Status: "ok" } },
    ]);
  });
});

describe("the timeline", () => {
  it("runs what is due by moment, then by the order it was asked for, with what that adds", () => {
    const timeline = createTimeline();
    const seen: string[] = [];
    timeline.at(20, () => seen.push("late"));
    timeline.at(10, (at) => {
      seen.push("first");
      timeline.at(at + 5, () => seen.push("added"));
    });
    timeline.at(10, () => seen.push("second"));
    timeline.at(10, () => seen.push("third"));
    expect(timeline.nextAt()).toBe(10);
    timeline.runUntil(19);
    expect(seen).toEqual(["first", "second", "third", "added"]);
    expect(timeline.nextAt()).toBe(20);
    timeline.runUntil(20);
    expect([seen.at(-1), timeline.nextAt()]).toEqual(["late", undefined]);
  });
});

describe("an interruption", () => {
  it("warns, and terminates two minutes later", async () => {
    const id = await openWithInstance();
    region.clock.advance(10_000);
    expect(region.ec2.interrupt(id)).toBe(true);
    expect(region.ec2.interrupt(id)).toBe(false);
    expect(region.ec2.nextChangeAt()).toBe(start + 130_000);
    region.clock.advance(119_999);
    expect(await stateOf(id)).toBe("running");
    region.clock.advance(1);
    expect(await stateOf(id)).toBe("shutting-down");
    region.clock.advance(20_000);
    region.ec2.settle();
    expect(events.map((e) => [e.kind === "state-change" ? e.state : e.kind, e.at - start])).toEqual([
      ["pending", 0],
      ["running", 5_000],
      ["interruption-warning", 10_000],
      ["shutting-down", 130_000],
      ["terminated", 150_000],
    ]);
  });

  it("does nothing more to an instance that was terminated meanwhile", async () => {
    const id = await openWithInstance();
    region.ec2.interrupt(id);
    await terminate(id);
    region.clock.advance(600_000);
    region.ec2.settle();
    expect(events.filter((e) => e.kind === "state-change" && e.state === "shutting-down")).toHaveLength(1);
    expect(region.ec2.instances()[0]!.stateReason!.Code).toBe("Client.UserInitiatedShutdown");
  });

  it("meets spot instances only", async () => {
    await openWithInstance();
    region.ec2.call("CreateFleet", fleet([{ InstanceType: "m5.large", SubnetId: subnets.b }]));
    const onDemand = region.ec2.instances().find((i) => i.pool.capacityType === "on-demand")!;
    expect([
      region.ec2.interrupt(onDemand.id),
      region.ec2.recommendRebalance(onDemand.id),
      region.ec2.interrupt("i-0"),
    ]).toEqual([false, false, false]);
  });

  it("reaches EventBridge in its own form", () => {
    const where = { region: "us-east-1", accountId: "123456789012", id: "e-1" };
    const event = { at: start, instanceId: "i-0abc", zone: "us-east-1b" };
    expect(toEventBridge({ kind: "interruption-warning", terminatesAt: start + 120_000, ...event }, where)).toEqual({
      version: "0",
      id: "e-1",
      "detail-type": "EC2 Spot Instance Interruption Warning",
      source: "aws.ec2",
      account: "123456789012",
      time: "2026-01-15T12:00:00Z",
      region: "us-east-1",
      resources: ["arn:aws:ec2:us-east-1b:instance/i-0abc"],
      detail: { "instance-id": "i-0abc", "instance-action": "terminate" },
    });
    expect(toEventBridge({ kind: "rebalance-recommendation", ...event }, where)).toMatchObject({
      "detail-type": "EC2 Instance Rebalance Recommendation",
      detail: { "instance-id": "i-0abc" },
    });
    expect(toEventBridge({ kind: "state-change", state: "running", ...event }, where)).toMatchObject({
      "detail-type": "EC2 Instance State-change Notification",
      resources: ["arn:aws:ec2:us-east-1:123456789012:instance/i-0abc"],
      detail: { "instance-id": "i-0abc", state: "running" },
    });
  });
});

describe("a fault", () => {
  const describeAll = () => region.client.send(new DescribeInstancesCommand({}));

  it("throttles a share of the calls, the same ones for the same seed", async () => {
    await openWithInstance();
    const end = region.ec2.throttle({ share: 0.25, actions: ["DescribeInstances"] });
    const outcomes: boolean[] = [];
    for (let i = 0; i < 40; i++) {
      outcomes.push(
        await describeAll().then(
          () => true,
          (error) => {
            expect(error).toMatchObject({ name: "RequestLimitExceeded", $metadata: { httpStatusCode: 503 } });
            return false;
          },
        ),
      );
    }
    const passed = outcomes.filter(Boolean).length;
    expect(passed).toBeGreaterThan(22);
    expect(passed).toBeLessThan(38);
    end();
    await describeAll();
    expect(region.ec2.calls().filter((c) => c.outcome === "RequestLimitExceeded")).toHaveLength(40 - passed);
  });

  it("refuses before, after, or loses the answer of what it lets work", async () => {
    const id = await openWithInstance();
    region.ec2.faults.add({
      kind: "error-before",
      action: "TerminateInstances",
      code: "UnauthorizedOperation",
      times: 1,
    });
    await expect(terminate(id)).rejects.toMatchObject({
      name: "UnauthorizedOperation",
      $metadata: { httpStatusCode: 403 },
    });
    expect(await stateOf(id)).toBe("pending");
    region.ec2.faults.add({ kind: "lost", action: "CreateTags", times: 1 });
    await expect(
      region.client.send(new CreateTagsCommand({ Resources: [id], Tags: [{ Key: "lost", Value: "but done" }] })),
    ).rejects.toMatchObject({ code: "ECONNRESET" });
    const [instance] = (await describeAll()).Reservations![0]!.Instances!;
    expect(instance!.Tags).toContainEqual({ Key: "lost", Value: "but done" });
    region.ec2.faults.add({ kind: "error-after", action: "TerminateInstances", code: "InternalError", times: 1 });
    await expect(terminate(id)).rejects.toMatchObject({ name: "InternalError", $metadata: { httpStatusCode: 500 } });
    expect(await stateOf(id)).toBe("shutting-down");
  });

  it("strikes only the inputs that it is meant for, and waits as told", async () => {
    const waits: number[] = [];
    const id = await openWithInstance({ wait: async (ms) => void waits.push(ms) });
    region.ec2.faults.add({
      kind: "delay",
      action: "DescribeInstances",
      delayMs: 700,
      when: (input) => input.InstanceIds === undefined,
    });
    region.ec2.faults.add({ kind: "stall", action: "DescribeInstances", delayMs: 90 });
    await describeAll();
    await stateOf(id);
    expect(waits).toEqual([700, 90]);
    region.ec2.faults.clear();
    await describeAll();
    expect(waits).toHaveLength(2);
  });
});
