import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { faults } from "./feasibility.ts";
import { storedWorlds } from "./stored-worlds.ts";
import { missedByVolumes, volumeFaults } from "./volumes-judge.ts";

const runs = { numRuns: Number(process.env.R ?? 300), seed: 20_261_203 };

describe("plans of pods with volumes", () => {
  it("put each where its volumes are reached and attached, and miss no place", () => {
    let [placed, refused] = [0, 0];
    fc.assert(
      fc.property(storedWorlds, (world) => {
        const plan = planProvisioning(world);
        expect(faults(world, plan)).toEqual([]);
        expect(volumeFaults(world, plan)).toEqual([]);
        expect(missedByVolumes(world, plan)).toEqual([]);
        placed += plan.placements.length + plan.claims.length;
        refused += plan.unschedulable.length;
      }),
      runs,
    );
    // Worlds in which nothing happens would prove nothing.
    expect(Math.min(placed, refused)).toBeGreaterThan(runs.numRuns);
  });

  it("are the same for every order of the input", () => {
    fc.assert(
      fc.property(storedWorlds, (world) => {
        const reversed = Object.fromEntries(
          Object.entries(world).map(([name, value]) => [name, Array.isArray(value) ? [...value].reverse() : value]),
        ) as unknown as Snapshot;
        expect(planProvisioning(reversed)).toEqual(planProvisioning(world));
      }),
      { ...runs, numRuns: Math.ceil(runs.numRuns / 3) },
    );
  });
});
