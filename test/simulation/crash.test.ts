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

/** Two nets of ten minutes and one more: when the pods come, the next net is nine minutes off and heals nothing in time. */
const quietMs = 21 * minute;

/** A lease that a crash left and the tick after it, then boot and join of the node. */
const recoveredMs = 2 * minute + 40_000;

/** From pending pods to running ones and a while on: the numbers of the calls in between. */
async function launchAll(
  settings: WorldSettings,
): Promise<{ readonly world: World; readonly from: number; readonly to: number; readonly inTime: boolean }> {
  const world = await createWorld(settings);
  await world.runFor(quietMs);
  const from = world.injector.calls;
  world.life.workloads.push({ name: "web", replicas });
  const inTime = await world.runUntil(() => running(world) === replicas, recoveredMs);
  const to = world.injector.calls;
  await world.runFor(2 * minute);
  return { world, from, to, inTime };
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
      const { world: clean, from, to } = await launchAll(settings);
      const expected = clean.cloud.everyInstance().length;
      expect(await faultsOf(clean, expected)).toEqual([]);
      expect(to - from).toBeGreaterThan(50);
      const broken: string[] = [];
      for (let at = from; at < to; at++) {
        const { world, inTime } = await launchAll({ ...settings, fault: { at, kind } });
        const wrong = await faultsOf(world, expected);
        if (!inTime) wrong.push("the pods did not run in time");
        if (world.injector.hit === undefined) wrong.push("the fault was not met");
        if (wrong.length > 0) broken.push(`${kind} at ${at} (${world.injector.hit}): ${wrong.join(", ")}`);
      }
      expect(broken).toEqual([]);
    },
    120_000,
  );
});
