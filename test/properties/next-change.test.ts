import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { worlds } from "./worlds.ts";

const runs = { numRuns: 100, seed: 20_261_201 };

/** Worlds whose claims are about to expire, have just expired, or never will; bound pods that hold their node for a while. */
const ageing = fc
  .tuple(
    worlds,
    fc.array(fc.option(fc.integer({ min: -3, max: 4_000 }), { nil: null }), { minLength: 3, maxLength: 3 }),
    fc.constantFrom("61s", "63s", "true", undefined),
  )
  .map(
    ([world, lives, held]): Snapshot => ({
      ...world,
      claims: world.claims.map((claim, i) => {
        const left = lives[i % lives.length]!;
        return { ...claim, expireAfterMs: left === null ? null : world.nowMs - claim.createdAtMs + left };
      }),
      pods: world.pods.map((pod) =>
        pod.nodeName === undefined || held === undefined
          ? pod
          : { ...pod, annotations: { "karpenter.sh/do-not-disrupt": held } },
      ),
    }),
  );

describe("the time of a plan's next change", () => {
  it("comes after now, and until then the same snapshot gives the same plan", () => {
    fc.assert(
      fc.property(ageing, fc.integer({ min: 0, max: 1_000 }), (world, perMille) => {
        const plan = planProvisioning(world);
        const next = plan.nextChangeAtMs ?? world.nowMs + 365 * 86_400_000;
        expect(next).toBeGreaterThan(world.nowMs);
        const span = next - 1 - world.nowMs;
        for (const nowMs of [world.nowMs + Math.floor((span * perMille) / 1_000), world.nowMs + span]) {
          expect(JSON.stringify(planProvisioning({ ...world, nowMs }))).toBe(JSON.stringify(plan));
        }
      }),
      runs,
    );
  });
});
