import { describe, expect, it } from "vitest";
import type { Pod } from "../../../shared/core/model/index.ts";
import { maxPlanSteps } from "../../../shared/core/scheduling/bounds.ts";
import { solveOnce } from "../../../shared/core/scheduling/solve.ts";
import { compileWorld } from "../../../shared/core/scheduling/world.ts";
import { asks, cpuLabel, pod, pool, req, snapshot, taint, zone } from "./fixtures.ts";

/** Pods that are all different, in amounts that repeat nowhere. */
const unlike = (count: number, over: (i: number) => Partial<Pod> = () => ({})): Pod[] =>
  Array.from({ length: count }, (_, i) =>
    pod(`p-${i}`, { requests: { ...asks(0, 0), cpu: 100 + 7 * (i % 311), memory: 1_000_003 * (1 + i) }, ...over(i) }),
  );

/** Looks at a class for a place on a node, in all packings of a plan: time without a clock. */
function stepsFor(over: Parameters<typeof snapshot>[0]): number {
  const world = compileWorld(snapshot(over));
  return maxPlanSteps - solveOnce(world, world.snapshot.pods).board.work.stepsLeft;
}

/** The first pass of a packing is always run to its end, so the budget may be overdrawn somewhat. */
const most = maxPlanSteps * 1.5;

describe("the work of a plan is bounded", () => {
  it("with many pools whose limits end early", () => {
    const nodePools = Array.from({ length: 40 }, (_, i) =>
      pool(`pool-${i}`, { weight: i + 1, limits: { cpu: 32_000 }, taints: [taint(`t${i}`)] }),
    );
    const tolerations = [{ operator: "Exists" as const }];
    expect(stepsFor({ nodePools, pods: unlike(1_000, () => ({ tolerations })) })).toBeLessThan(most);
  });

  it("with thousands of unlike pods, with or without limits", () => {
    const pods = unlike(3_000);
    expect(stepsFor({ pods })).toBeLessThan(most);
    expect(stepsFor({ pods, nodePools: [pool("default", { limits: { cpu: 2_000_000 } })] })).toBeLessThan(most);
  });

  it("with a selector for each pod", () => {
    const zones = ["z-a", "z-b", "z-c"];
    const pods = unlike(1_000, (i) => ({
      nodeSelector: { [zone]: zones[i % 3]! },
      requiredNodeAffinity: [{ expressions: [req(cpuLabel, "NotIn", `${i}`), req("rank", "Gt", `${i}`)], fields: [] }],
    }));
    const nodePools = [pool("default", { requirements: [req("rank", "Exists")] })];
    expect(stepsFor({ pods, nodePools })).toBeLessThan(most);
  });
});
