import { describe, expect, it } from "vitest";
import { createInterrupt, createLifecycle } from "../../shared/controllers/index.ts";
import type { FleetRequest, InterruptionMessage } from "../../shared/core/model/index.ts";
import { type ClaimChange, OperationError } from "../../shared/ports/index.ts";
import { clusterName, commitClaims, createDesk, planned, settledClaim, startMs, wake } from "./desk.ts";

const message = (instanceId: string, kind: InterruptionMessage["kind"] = "spot_interrupted"): InterruptionMessage => ({
  kind,
  instanceId,
  atMs: startMs,
  eventId: "e",
});

describe("interrupt", () => {
  it("asks for the claim's deletion and wakes those who replace it, at once", async () => {
    const desk = await createDesk();
    const { claim } = await settledClaim(desk, "a");
    await createInterrupt(desk.ports, desk.settings).run([message(claim.instance!.id)]);
    expect(await desk.claims()).toMatchObject([
      { deletion: { reason: "spot_interrupted", deadlineMs: startMs + 120_000 } },
    ]);
    expect(desk.woken()).toEqual(["lifecycle", "provision"]);
    expect(desk.cluster.events).toMatchObject([
      { kind: "Node", reason: "SpotInterrupted" },
      { reason: "TerminatingOnInterruption" },
    ]);
  });

  it("marks the offering only if it is of the kind that was taken back", async () => {
    const desk = await createDesk();
    const { claim: onDemand } = await settledClaim(desk, "a");
    const { claim } = await settledClaim(desk, "b");
    const spot = { ...claim.instance!, capacityType: "spot" as const };
    await desk.store.changeClaim(clusterName, "b", claim.version, { instance: spot });
    await createInterrupt(desk.ports, desk.settings).run([message(onDemand.instance!.id), message(spot.id)]);
    expect(await desk.store.readRefusals("us-east-1", startMs)).toEqual([
      { instanceType: "m5.large", zoneId: "use1-az1", capacityType: "spot", untilMs: startMs + 180_000 },
    ]);
  });

  it("marks the reservation that is taken back, not its type and zone", async () => {
    const desk = await createDesk();
    const { claim } = await settledClaim(desk, "a");
    const labels = { ...claim.labels, "karpenter.k8s.aws/capacity-reservation-id": "cr-1" };
    const instance = { ...claim.instance!, capacityType: "reserved" as const };
    await desk.store.changeClaim(clusterName, "a", claim.version, { instance, labels });
    const warning = message(instance.id, "capacity_reservation_interrupted");
    await createInterrupt(desk.ports, desk.settings).run([warning]);
    expect(await desk.store.readRefusals("us-east-1", startMs)).toMatchObject([
      { instanceType: "m5.large", capacityType: "reserved", reservationId: "cr-1" },
    ]);
  });

  it("only tells of a rebalance recommendation", async () => {
    const desk = await createDesk();
    const { claim } = await settledClaim(desk, "a");
    await createInterrupt(desk.ports, desk.settings).run([message(claim.instance!.id, "rebalance_recommendation")]);
    expect((await desk.claims())[0]?.deletion).toBeUndefined();
    expect(desk.cluster.events).toMatchObject([{ reason: "SpotRebalanceRecommendation" }]);
    expect(desk.woken()).toEqual([]);
  });

  it("shortens the time of a deletion that was asked for before", async () => {
    const desk = await createDesk();
    const { claim } = await settledClaim(desk, "a", { deletion: { requestedAtMs: startMs - 1, reason: "drifted" } });
    await createInterrupt(desk.ports, desk.settings).run([message(claim.instance!.id)]);
    expect(await desk.claims()).toMatchObject([
      { deletion: { requestedAtMs: startMs - 1, reason: "drifted", deadlineMs: startMs + 120_000 } },
    ]);
  });

  it.each<[string, ClaimChange]>([
    ["deletion has been asked for", { deletion: { requestedAtMs: startMs - 1, reason: "empty" } }],
    [
      "termination was called",
      { deletion: { requestedAtMs: startMs - 1, reason: "empty" }, terminateCalledAtMs: startMs - 1 },
    ],
  ])("takes the end of an instance whose %s for no interruption", async (_title, change) => {
    const desk = await createDesk();
    const { claim } = await settledClaim(desk, "a", change);
    const { id } = claim.instance!;
    await createInterrupt(desk.ports, desk.settings).run([
      message(id, "instance_terminated"),
      message(id, "instance_stopped"),
    ]);
    expect(desk.cluster.events).toEqual([]);
    expect((await desk.claims())[0]).toMatchObject({ version: claim.version, ...change });
    expect(desk.telemetry.counted("karpenter_nodeclaims_disrupted_total")).toBe(0);
    expect(desk.woken()).toContain("lifecycle");
  });

  it("tells again what a repeated message tells of", async () => {
    const desk = await createDesk();
    const { claim } = await settledClaim(desk, "a");
    const interrupt = createInterrupt(desk.ports, desk.settings);
    await interrupt.run([message(claim.instance!.id, "instance_terminated")]);
    await interrupt.run([message(claim.instance!.id, "instance_terminated")]);
    expect(desk.cluster.events).toMatchObject([
      { reason: "InstanceTerminating", count: 2 },
      { reason: "TerminatingOnInterruption", count: 2 },
    ]);
  });

  it("drops what is not this deployment's", async () => {
    const desk = await createDesk();
    await desk.cloud.launch(foreign);
    await createInterrupt(desk.ports, desk.settings).run([message("i-00000000000000000")]);
    expect(desk.telemetry.counted("timmerman_foreign_interruptions_total")).toBe(1);
    expect(desk.woken()).toEqual([]);
  });

  it("looks an unknown instance up in the account and region that the message is from", async () => {
    const desk = await createDesk();
    await desk.cloud.launch(foreign);
    const asked: object[] = [];
    const ports = {
      ...desk.ports,
      cloudAt: async (place: object) => {
        asked.push(place);
        return desk.cloud;
      },
    };
    const theirs = { account: "222222222222", region: "eu-west-1" };
    await createInterrupt(ports, desk.settings).run([
      { ...message("i-00000000000000000"), ...theirs },
      message("i-00000000000000000"),
    ]);
    expect(asked).toEqual([theirs, { account: undefined, region: undefined }]);
  });

  it("of an instance whose launch is not settled has that settled first, and is kept (lifecycle-manager#282)", async () => {
    const desk = await createDesk({ store: () => ({ settleLaunch: async () => "lost" }) });
    await commitClaims(desk, planned("a"));
    await createLifecycle(desk.ports, desk.settings).run(wake("lifecycle"));
    desk.woken();
    const [instance] = desk.cloud.everyInstance();
    const interrupt = createInterrupt(desk.ports, desk.settings);
    await expect(interrupt.run([message(instance!.id)])).rejects.toMatchObject({ code: "unsettled", retry: "later" });
    expect(desk.woken()).toEqual(["lifecycle"]);
    const healed = { ...desk.ports, store: desk.store };
    await createLifecycle(healed, desk.settings).run(wake("lifecycle"));
    await createInterrupt(healed, desk.settings).run([message(instance!.id)]);
    expect(await desk.claims()).toMatchObject([{ name: "a", deletion: { reason: "spot_interrupted" } }]);
  });

  it("handles the others when one fails, and reports the failure", async () => {
    const desk = await createDesk({
      store: (store) => ({
        async readClaim(cluster, name) {
          if (name === "a") throw new OperationError("no answer", { retry: "later", code: "timeout" });
          return store.readClaim(cluster, name);
        },
      }),
    });
    const { claim: a } = await settledClaim(desk, "a");
    const { claim: b } = await settledClaim(desk, "b");
    const run = createInterrupt(desk.ports, desk.settings).run([message(a.instance!.id), message(b.instance!.id)]);
    await expect(run).rejects.toThrow("no answer");
    expect((await desk.claims()).map(({ deletion }) => deletion?.reason)).toEqual([undefined, "spot_interrupted"]);
  });
});

const foreign: FleetRequest = {
  clientToken: "foreign",
  count: 1,
  capacityType: "on-demand",
  allocationStrategy: "lowest-price",
  templates: [],
  overrides: [
    {
      instanceType: "m5.large",
      zone: "us-east-1a",
      subnetId: "subnet-a",
      imageId: "ami-standard",
      priceMicroUsd: 1,
      template: "t",
    },
  ],
  tags: { "timmerman/deployment": "somebody-else", "eks:eks-cluster-name": clusterName, "timmerman/launch": "l" },
};
