import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { deviceWorlds } from "./device-worlds.ts";
import { deviceFaults, missedByDevices } from "./devices-judge.ts";

const runs = { numRuns: Number(process.env.R ?? 200), seed: 20_261_201 };

describe("plans of pods that claim devices", () => {
  it.each([
    ["give each its own in whatever order they come, and miss no type", false],
    ["give each its own where devices have to match, and miss no type", true],
  ])("%s", (_, constrained) => {
    let [placed, refused] = [0, 0];
    fc.assert(
      fc.property(deviceWorlds(constrained), (world) => {
        const plan = planProvisioning(world);
        expect(deviceFaults(world, plan, !constrained)).toEqual([]);
        expect(missedByDevices(world, plan)).toEqual([]);
        placed += plan.placements.length + plan.claims.length;
        refused += plan.unschedulable.length;
      }),
      runs,
    );
    // Worlds in which nothing happens would prove nothing.
    expect(Math.min(placed, refused)).toBeGreaterThan(runs.numRuns / 4);
  });

  it("are the same for every order of the input", () => {
    fc.assert(
      fc.property(deviceWorlds(true), (world) => {
        const reversed = Object.fromEntries(
          Object.entries(world).map(([name, value]) => [name, Array.isArray(value) ? [...value].reverse() : value]),
        ) as unknown as Snapshot;
        expect(planProvisioning(reversed)).toEqual(planProvisioning(world));
      }),
      { ...runs, numRuns: Math.ceil(runs.numRuns / 3) },
    );
  });
});
