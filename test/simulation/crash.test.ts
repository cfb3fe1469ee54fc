import { describe, expect, it } from "vitest";
import {
  claimsWithoutInstance,
  claimsWithSeveralInstances,
  fittingPodsLeftPending,
  instancesWithoutClaim,
  leftovers,
} from "./checkers.ts";
import type { Fault } from "./faults.ts";
import { createWorld, type World, type WorldSettings } from "./world.ts";

const minute = 60_000;
const replicas = 5;

function running(world: World): number {
  return world.cluster.pods.list().filter((pod) => pod.phase === "Running" && pod.deletionAtMs === undefined).length;
}

/** From pending pods to running ones, which takes a crash no longer than a lease and a tick, and a while on. */
async function launchAll(settings: WorldSettings): Promise<{ readonly world: World; readonly calls: number }> {
  const world = await createWorld(settings);
  world.life.workloads.push({ name: "web", replicas });
  await world.runUntil(() => running(world) === replicas, 5 * minute);
  const { calls } = world.injector;
  await world.runFor(2 * minute);
  return { world, calls };
}

/** What is wrong with the world after the launch; empty: nothing. */
async function faultsOf(world: World, expectedInstances: number): Promise<string[]> {
  const wrong: string[] = [];
  if (running(world) !== replicas) wrong.push(`${running(world)} of ${replicas} pods run`);
  const made = world.cloud.everyInstance().length;
  if (made !== expectedInstances) wrong.push(`${made} instances were made, not ${expectedInstances}`);
  const checks = [
    ["several instances", await claimsWithSeveralInstances(world)],
    ["no claim", await instancesWithoutClaim(world)],
    ["no instance", await claimsWithoutInstance(world)],
    ["left pending", fittingPodsLeftPending(world)],
    ["left over", await leftovers(world)],
  ] as const;
  for (const [what, offenders] of checks) if (offenders.length > 0) wrong.push(`${what}: ${offenders.join("; ")}`);
  return wrong;
}

describe.each<{ title: string; settings: WorldSettings }>([
  { title: "with EC2 that repeats its answer", settings: {} },
  {
    title: "with EC2 that repeats no answer and shows instances late",
    settings: { cloud: { replay: "empty", visibleAfterMs: 4_000 } },
  },
])("a launch $title", ({ settings }) => {
  it.each<Fault["kind"]>(["crash-before", "crash-after", "lose-answer"])(
    "survives a %s at each of its calls: after restart each claim has exactly one instance",
    async (kind) => {
      const { world: clean, calls } = await launchAll(settings);
      const expected = clean.cloud.everyInstance().length;
      expect(await faultsOf(clean, expected)).toEqual([]);
      expect(calls).toBeGreaterThan(50);
      const broken: string[] = [];
      for (let at = 0; at < calls; at++) {
        const { world } = await launchAll({ ...settings, fault: { at, kind } });
        const wrong = await faultsOf(world, expected);
        if (world.injector.hit === undefined) wrong.push("the fault was not met");
        if (wrong.length > 0) broken.push(`${kind} at ${at} (${world.injector.hit}): ${wrong.join(", ")}`);
      }
      expect(broken).toEqual([]);
    },
    120_000,
  );
});
