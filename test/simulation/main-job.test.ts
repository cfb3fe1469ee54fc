import { describe, expect, it } from "vitest";
import type { FleetRequest } from "../../shared/core/model/index.ts";
import {
  claimsWithoutInstance,
  claimsWithSeveralInstances,
  fittingPodsLeftPending,
  instancesWithoutClaim,
  leftovers,
} from "./checkers.ts";
import { clusterName } from "./fixtures.ts";
import { createWorld, type World } from "./world.ts";

const minute = 60_000;

function running(world: World): number {
  return world.cluster.pods.list().filter((pod) => pod.phase === "Running" && pod.deletionAtMs === undefined).length;
}

function live(world: World): number {
  return world.cloud.everyInstance().filter(({ state }) => state === "pending" || state === "running").length;
}

async function expectSound(world: World): Promise<void> {
  expect(await claimsWithSeveralInstances(world)).toEqual([]);
  expect(await instancesWithoutClaim(world)).toEqual([]);
  expect(await claimsWithoutInstance(world)).toEqual([]);
  expect(fittingPodsLeftPending(world)).toEqual([]);
  expect(await leftovers(world)).toEqual([]);
}

describe("a world without sockets", () => {
  it("runs pending pods on nodes it made, and takes the nodes back when the pods are gone", async () => {
    const world = await createWorld();
    world.life.workloads.push({ name: "web", replicas: 12 });
    expect(await world.runUntil(() => running(world) === 12, 5 * minute)).toBe(true);
    await expectSound(world);
    expect(live(world)).toBeGreaterThan(0);
    world.life.workloads[0]!.replicas = 0;
    expect(await world.runUntil(() => live(world) === 0, 10 * minute)).toBe(true);
    await world.runFor(5 * minute);
    expect(world.cluster.nodes.list()).toEqual([]);
    expect(world.cluster.mirrors.list()).toEqual([]);
    await expectSound(world);
  });

  it("survives a spot interruption: the replacement is planned in the same second, no pod is lost", async () => {
    const world = await createWorld();
    world.life.workloads.push({ name: "web", replicas: 12 });
    await world.runUntil(() => running(world) === 12, 5 * minute);
    const victim = world.cloud.everyInstance()[0]!;
    const before = (await world.store.readState(clusterName, world.clock.now()))!.claims.map(({ name }) => name);
    await world.interrupt(victim.id);
    await world.runFor(1_000);
    const after = (await world.store.readState(clusterName, world.clock.now()))!.claims;
    const replacements = after.filter(({ name }) => !before.includes(name));
    expect(replacements).toHaveLength(1);
    expect(after.find(({ instance }) => instance?.id === victim.id)?.deletion).toMatchObject({
      reason: "spot_interrupted",
    });
    expect(replacements[0]!.instance).toMatchObject({ capacityType: "spot" });
    expect([replacements[0]!.instance!.instanceType, replacements[0]!.instance!.zone]).not.toEqual([
      victim.instanceType,
      victim.zone,
    ]);
    const node = world.cluster.nodes.list().find((one) => one.providerId?.endsWith(victim.id));
    await world.runFor(118_000);
    expect(world.cluster.pods.list().filter((pod) => pod.nodeName === node!.name)).toEqual([]);
    expect(await world.runUntil(() => running(world) === 12, minute)).toBe(true);
    await world.runFor(5 * minute);
    expect(running(world)).toBe(12);
    await expectSound(world);
  });

  it("handles the same warning twice, and one for an instance that is not its own, without error", async () => {
    const world = await createWorld();
    world.life.workloads.push({ name: "web", replicas: 3 });
    await world.runUntil(() => running(world) === 3, 5 * minute);
    const [instance] = world.cloud.everyInstance();
    await world.interrupt(instance!.id);
    await world.interrupt(instance!.id);
    expect(world.telemetry.counted("karpenter_nodeclaims_disrupted_total", { reason: "spot_interrupted" })).toBe(1);
    await world.runFor(10 * minute);
    expect(running(world)).toBe(3);
    await expectSound(world);
  });

  it("plans anew when EC2 has no capacity for what it asked", async () => {
    const world = await createWorld();
    for (const zone of ["us-east-1a", "us-east-1b"]) {
      for (const instanceType of ["m5.large", "m5.xlarge", "c5.large", "c5.xlarge"]) {
        world.cloud.setCapacity({ instanceType, zone, capacityType: "spot" }, 0);
      }
    }
    world.life.workloads.push({ name: "web", replicas: 4 });
    expect(await world.runUntil(() => running(world) === 4, 5 * minute)).toBe(true);
    expect(world.cloud.everyInstance().map(({ capacityType }) => capacityType)).not.toContain("spot");
    await expectSound(world);
  });

  it("replaces nodes that people delete, by Node or by NodeClaim, and drains them first", async () => {
    const world = await createWorld();
    world.life.workloads.push({ name: "web", replicas: 6 });
    await world.runUntil(() => running(world) === 6, 5 * minute);
    const [node] = world.cluster.nodes.list();
    world.cluster.requestDeletion("Node", node!.name);
    await world.runUntil(() => world.cluster.nodes.get(node!.name) === undefined, 5 * minute);
    expect(await world.runUntil(() => running(world) === 6, 5 * minute)).toBe(true);
    const [mirror] = world.cluster.mirrors.list();
    world.cluster.requestDeletion("NodeClaim", mirror!.name);
    expect(await world.runUntil(() => world.cluster.mirrors.get(mirror!.name) === undefined, 5 * minute)).toBe(true);
    expect(await world.runUntil(() => running(world) === 6, 5 * minute)).toBe(true);
    await world.runFor(5 * minute);
    await expectSound(world);
    expect(world.cluster.events.filter(({ reason }) => reason === "Evicted").length).toBeGreaterThan(0);
  });

  it("waits for a disruption budget while it drains, and ends pods at the claim's deadline whatever the budget says", async () => {
    const world = await createWorld({ pool: { terminationGracePeriodMs: 10 * minute } });
    world.life.workloads.push({ name: "web", replicas: 3 });
    await world.runUntil(() => running(world) === 3, 5 * minute);
    world.cluster.budgets.put({
      namespace: "default",
      name: "none",
      selector: { matchLabels: { app: "web" }, matchExpressions: [] },
      disruptionsAllowed: 0,
      maxUnavailable: "0",
      unhealthyPodEvictionPolicy: "IfHealthyBudget",
    });
    const [node] = world.cluster.nodes.list();
    world.cluster.requestDeletion("Node", node!.name);
    await world.runFor(9 * minute);
    expect(world.cluster.nodes.get(node!.name)).toBeDefined();
    expect(world.cluster.events.some(({ reason }) => reason === "FailedDraining")).toBe(true);
    expect(await world.runUntil(() => world.cluster.nodes.get(node!.name) === undefined, 3 * minute)).toBe(true);
    expect(await world.runUntil(() => running(world) === 3, 5 * minute)).toBe(true);
  });

  it("ends nodes that never joined, says the likely cause, and tries others", async () => {
    const world = await createWorld();
    world.life.deaf.add("i-00000000000000000");
    world.life.workloads.push({ name: "web", replicas: 2 });
    expect(await world.runUntil(() => running(world) === 2, 20 * minute)).toBe(true);
    await world.runFor(10 * minute);
    const ended = world.cluster.events.find(({ reason }) => reason === "Disrupted");
    expect(ended?.message).toContain("no node joined within 15 minutes");
    await expectSound(world);
  });

  it("terminates an instance that nobody owns, only on a second look, and no claim's", async () => {
    const world = await createWorld();
    world.life.workloads.push({ name: "web", replicas: 2 });
    await world.runUntil(() => running(world) === 2, 5 * minute);
    const own = world.cloud.everyInstance().length;
    world.life.deaf.add(`i-${own.toString(16).padStart(17, "0")}`);
    await world.cloud.launch(strayRequest(world));
    await world.runFor(4 * minute);
    expect(live(world)).toBe(own + 1);
    await world.runFor(30 * minute);
    expect(live(world)).toBe(own);
    expect(running(world)).toBe(2);
    await expectSound(world);
  });

  it("replays from its seed", async () => {
    const run = async (seed: number) => {
      const world = await createWorld({ seed });
      world.life.workloads.push({ name: "web", replicas: 9 });
      await world.runFor(4 * minute);
      return JSON.stringify([world.reports, world.cloud.everyInstance(), world.cluster.events]);
    };
    expect(await run(7)).toBe(await run(7));
  });
});

/** An instance with the deployment's tags that no record knows. */
function strayRequest(world: World): FleetRequest {
  const { tags } = world.cloud.everyInstance()[0]!;
  return {
    clientToken: "stray",
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
        priceMicroUsd: 96_000,
        template: "none",
      },
    ],
    tags: { ...tags, "timmerman/launch": "stray", "karpenter.sh/nodeclaim": "" },
  };
}
