// Safety first: whatever goes wrong, no claim has two instances. Then liveness: once nothing goes wrong any more, all is as
// it should be. A seed replays a run.
import { describe, expect, it } from "vitest";
import { seeded } from "./chance.ts";
import {
  claimsWithoutInstance,
  claimsWithSeveralInstances,
  fittingPodsLeftPending,
  instancesWithoutClaim,
  leftovers,
  taintedForNothing,
} from "./checkers.ts";
import { createWorld, type World } from "./world.ts";

const minute = 60_000;
const stormMs = 12 * minute;

function running(world: World): number {
  return world.cluster.pods.list().filter((pod) => pod.phase === "Running" && pod.deletionAtMs === undefined).length;
}

/** Pods come and go, spot capacity is taken back, people delete nodes, and one call in fifty goes wrong; sometimes all runs at once. */
async function storm(seed: number): Promise<World> {
  const world = await createWorld({
    seed,
    chaos: { share: 0.02, forMs: stormMs },
    unleashed: seed % 3 === 0,
    cloud: seed % 2 === 0 ? { replay: "empty", visibleAfterMs: 3_000 } : {},
  });
  const random = seeded(seed);
  const workload = { name: "web", replicas: 0 };
  world.life.workloads.push(workload);
  while (world.clock.now() < world.startedAtMs + stormMs) {
    workload.replicas = Math.floor(random() * 14);
    const alive = world.cloud.everyInstance().filter(({ state }) => state === "running");
    const victim = alive[Math.floor(random() * alive.length)];
    if (victim !== undefined && random() < 0.3) await world.interrupt(victim.id);
    const [node] = world.cluster.nodes.list();
    if (node !== undefined && random() < 0.2) world.cluster.requestDeletion("Node", node.name);
    await world.runFor(minute);
    expect(await claimsWithSeveralInstances(world)).toEqual([]);
  }
  return world;
}

describe("a storm of faults", () => {
  it.each(Array.from({ length: 12 }, (_, i) => i + 1))("with seed %i leaves nothing behind", async (seed) => {
    const world = await storm(seed);
    expect(world.restarts).toBeGreaterThan(0);
    world.life.workloads[0]!.replicas = 9;
    expect(await world.runUntil(() => running(world) === 9, 25 * minute)).toBe(true);
    await world.runFor(15 * minute);
    expect(running(world)).toBe(9);
    expect(await claimsWithSeveralInstances(world)).toEqual([]);
    expect(await instancesWithoutClaim(world)).toEqual([]);
    expect(await claimsWithoutInstance(world)).toEqual([]);
    expect(fittingPodsLeftPending(world)).toEqual([]);
    expect(await leftovers(world)).toEqual([]);
    expect(await taintedForNothing(world)).toEqual([]);
    world.life.workloads[0]!.replicas = 0;
    await world.runFor(20 * minute);
    expect(world.cluster.nodes.list()).toEqual([]);
    expect(world.cluster.mirrors.list()).toEqual([]);
    expect(await instancesWithoutClaim(world)).toEqual([]);
  });
});
