import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { afterwards } from "./afterwards.ts";
import { faults, missedPlaces } from "./feasibility.ts";
import { worlds } from "./worlds.ts";

const runs = { numRuns: 150, seed: 20_261_201 };
const fewer = { ...runs, numRuns: 70 };

describe("every plan", () => {
  it("is feasible", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        expect(faults(world, planProvisioning(world))).toEqual([]);
      }),
      runs,
    );
  });

  it("leaves no pod out that would still fit", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        expect(missedPlaces(world, planProvisioning(world))).toEqual([]);
      }),
      runs,
    );
  });

  it("is the same for the same snapshot, whatever the order of its lists", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const turned: Snapshot = {
          ...world,
          pods: [...world.pods].reverse(),
          nodes: [...world.nodes].reverse(),
          claims: [...world.claims].reverse(),
          nodePools: [...world.nodePools].reverse(),
          daemonSets: [...world.daemonSets].reverse(),
          refusals: [...world.refusals].reverse(),
        };
        const plan = JSON.stringify(planProvisioning(world));
        expect(JSON.stringify(planProvisioning(structuredClone(world)))).toBe(plan);
        expect(JSON.stringify(planProvisioning(turned))).toBe(plan);
      }),
      fewer,
    );
  });

  it("is followed by a plan that does nothing", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const plan = planProvisioning(world);
        const next = planProvisioning(afterwards(world, plan));
        expect([next.claims, next.placements]).toEqual([[], []]);
        expect(next.unschedulable.map(({ pod }) => pod)).toEqual(plan.unschedulable.map(({ pod }) => pod));
      }),
      fewer,
    );
  });

  it("is made again on the same claims when its nominations run out", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const plan = planProvisioning(world);
        const later = afterwards(world, plan);
        const again = planProvisioning({ ...later, placements: [] });
        expect(faults({ ...later, placements: [] }, again)).toEqual([]);
        if (world.nodes.length + world.claims.length === 0 && plan.unschedulable.length === 0) {
          expect([again.claims, again.unschedulable]).toEqual([[], []]);
        }
      }),
      fewer,
    );
  });

  it("may be committed in part: what it does not commit is planned again, and stays feasible", () => {
    fc.assert(
      fc.property(worlds, fc.nat(3), (world, kept) => {
        const plan = planProvisioning(world);
        const partly = afterwards(world, {
          ...plan,
          claims: plan.claims.slice(0, kept),
          placements: plan.placements.slice(0, kept),
        });
        expect(faults(partly, planProvisioning(partly))).toEqual([]);
      }),
      fewer,
    );
  });

  it("holds until nextChangeAtMs", () => {
    fc.assert(
      fc.property(worlds, fc.nat(10_000), (world, laterMs) => {
        const plan = planProvisioning(world);
        const at = world.nowMs + laterMs;
        if (plan.nextChangeAtMs !== null && at >= plan.nextChangeAtMs) return;
        expect(planProvisioning({ ...world, nowMs: at })).toEqual(plan);
      }),
      fewer,
    );
  });
});
