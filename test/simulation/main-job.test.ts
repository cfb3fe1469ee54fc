import { describe, expect, it } from "vitest";
import {
  claimsWithoutInstance,
  claimsWithSeveralInstances,
  fittingPodsLeftPending,
  instancesWithoutClaim,
  leftovers,
} from "./checkers.ts";
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
});
