import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMixable } from "../../../shared/core/scheduling/packing/choose-patterns.ts";
import { Filler } from "../../../shared/core/scheduling/packing/fill.ts";
import { demandOf, pack } from "../../../shared/core/scheduling/packing/pack.ts";
import type { NodeStates, PackingProblem } from "../../../shared/core/scheduling/packing/problem.ts";
import { priceResources } from "../../../shared/core/scheduling/packing/resource-prices.ts";
import { maximise } from "../../../shared/core/scheduling/packing/simplex.ts";

/** Nodes by [price, cpu, memory], pods by [count, cpu, memory]; nothing about labels. */
function problem(
  nodes: readonly (readonly [number, number, number])[],
  pods: readonly (readonly [number, number, number])[],
  limits: readonly number[] = [],
): PackingProblem {
  const states: NodeStates = {
    next: (state) => state,
    mayTake: () => true,
    offers: () => true,
    price: (_, type) => nodes[type]![0],
  };
  return {
    resources: 2,
    classes: pods.length,
    requests: Float64Array.from(pods.flatMap(([, cpu, memory]) => [cpu, memory])),
    counts: Int32Array.from(pods, ([count]) => count),
    asks: new Int32Array(pods.length),
    candidates: nodes.map(([, cpu, memory], type) => ({
      type,
      start: 0,
      room: Float64Array.of(cpu, memory),
      limit: limits[type] ?? Number.POSITIVE_INFINITY,
    })),
    states,
    feeMicroUsd: 0,
  };
}

const plenty = () => ({ stepsLeft: 12_000_000 });
const bill = (of: PackingProblem) => pack(of, plenty()).costMicroUsd;

describe("maximise", () => {
  const solve = (matrix: number[][], limits: number[], objective: number[]) =>
    maximise(
      {
        rows: limits.length,
        columns: objective.length,
        matrix: Float64Array.from(matrix.flat()),
        limits: Float64Array.from(limits),
        objective: Float64Array.from(objective),
      },
      100,
    );
  it.each<[string, number[][], number[], number[], number[], number]>([
    ["one variable", [[2]], [8], [3], [4], 12],
    [
      "the textbook's two variables",
      [
        [1, 0],
        [0, 2],
        [3, 2],
      ],
      [4, 12, 18],
      [3, 5],
      [2, 6],
      36,
    ],
    [
      "a limit of nothing",
      [
        [1, 1],
        [1, 0],
      ],
      [0, 5],
      [1, 1],
      [0, 0],
      0,
    ],
    ["an objective that wants nothing", [[1, 1]], [5], [0, -1], [0, 0], 0],
  ])("%s", (_, matrix, limits, objective, values, best) => {
    const solution = solve(matrix, limits, objective);
    expect([...solution.values]).toEqual(values);
    expect(solution.objective).toBeCloseTo(best, 9);
  });
  it("prices the limits so that they pay for the objective", () => {
    const { duals } = solve(
      [
        [1, 0],
        [0, 2],
        [3, 2],
      ],
      [4, 12, 18],
      [3, 5],
    );
    expect([...duals].map((dual) => Math.round(dual * 1000) / 1000)).toEqual([0, 1.5, 1]);
  });
});

describe("priceResources", () => {
  it("finds what a core and a byte cost on the types that are worth buying", () => {
    const of = problem(
      [
        [100, 10, 10],
        [120, 10, 20],
        [500, 10, 10],
      ],
      [
        [50, 1, 1],
        [50, 1, 2],
      ],
    );
    const { prices, boundMicroUsd } = priceResources(of, demandOf(of));
    expect([...prices].map(Math.round)).toEqual([8, 2]);
    expect(Math.round(boundMicroUsd)).toBe(8 * 100 + 2 * 150);
  });
  it("gives no bound where what is cheap is limited", () => {
    const of = problem(
      [
        [0, 10, 10],
        [100, 10, 10],
      ],
      [[50, 1, 1]],
      [1],
    );
    expect(priceResources(of, demandOf(of)).boundMicroUsd).toBe(0);
  });
});

describe("Filler", () => {
  it("takes pods that need different things, so that both run out together", () => {
    const of = problem(
      [[1, 10, 10]],
      [
        [9, 1, 0.1],
        [9, 0.1, 1],
      ],
    );
    const pattern = new Filler(of).fill(0, of.counts, Float64Array.of(1, 1))!;
    expect([...pattern.counts]).toEqual([9, 9]);
  });
  it("takes no more than is left", () => {
    const of = problem([[1, 10, 10]], [[2, 1, 1]]);
    expect([...new Filler(of).fill(0, of.counts, Float64Array.of(1))!.counts]).toEqual([2]);
  });
  it("says when nothing fits", () => {
    const of = problem([[1, 10, 10]], [[2, 11, 1]]);
    expect(new Filler(of).fill(0, of.counts, Float64Array.of(1))).toBeUndefined();
  });
});

describe("isMixable", () => {
  const unlike = (classes: number) =>
    problem(
      [[10, 1_000, 1_000]],
      Array.from({ length: classes }, (_, c): [number, number, number] => [1, c + 1, c + 1]),
    );

  it("is so for up to 256 classes: beyond, the table alone would take megabytes, then gigabytes", () => {
    expect([1, 256, 257, 5_000].map((classes) => isMixable(unlike(classes)))).toEqual([true, true, false, false]);
  });

  it("is not so where some nodes are limited", () => {
    expect(isMixable(problem([[10, 4, 4]], [[1, 1, 1]], [2]))).toBe(false);
  });
});

describe("pack", () => {
  it.each<[string, PackingProblem, number]>([
    [
      "a small rest goes to a small node",
      problem(
        [
          [100, 10, 10],
          [15, 1, 1],
        ],
        [[11, 1, 1]],
      ),
      115,
    ],
    [
      "a large node that is dearer by the core is not bought",
      problem(
        [
          [150, 10, 10],
          [10, 1, 1],
        ],
        [[20, 1, 1]],
      ),
      200,
    ],
    [
      "unlike pods share",
      problem(
        [[100, 10, 10]],
        [
          [10, 9, 1],
          [10, 1, 9],
        ],
      ),
      1_000,
    ],
    [
      "what is limited is used first, and no more than there is",
      problem(
        [
          [0, 10, 10],
          [100, 10, 10],
        ],
        [[40, 1, 1]],
        [2],
      ),
      200,
    ],
    ["pods that nothing holds cost nothing", problem([[100, 10, 10]], [[3, 11, 1]]), 0],
    ["nothing to do", problem([[100, 10, 10]], []), 0],
  ])("%s", (_, of, cost) => {
    expect(bill(of)).toBe(cost);
  });

  const sizes = fc.integer({ min: 1, max: 40 });
  const anything = fc
    .tuple(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), sizes, sizes), { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), sizes, sizes), { minLength: 1, maxLength: 8 }),
    )
    .map(([nodes, pods]) => problem(nodes, pods));

  it("places whatever fits somewhere, overfills nothing and never beats the bound", () => {
    fc.assert(
      fc.property(anything, (of) => {
        const { bought, left, costMicroUsd, boundMicroUsd } = pack(of, plenty());
        const placed = new Int32Array(of.classes);
        let cost = 0;
        for (const { pattern, nodes } of bought) {
          const used = [0, 0];
          pattern.classes.forEach((c, i) => {
            placed[c]! += nodes * pattern.counts[i]!;
            used.forEach((_, r) => {
              used[r]! += pattern.counts[i]! * of.requests[c * 2 + r]!;
            });
          });
          const { room, type } = of.candidates[pattern.candidate]!;
          expect(used.every((amount, r) => amount <= room[r]!)).toBe(true);
          cost += nodes * of.states.price(pattern.state, type);
        }
        for (let c = 0; c < of.classes; c++) {
          expect(placed[c]! + left[c]!).toBe(of.counts[c]!);
          const fits = of.candidates.some(({ room }) => room.every((r, k) => of.requests[c * 2 + k]! <= r));
          expect(left[c] === 0).toBe(fits);
        }
        expect(costMicroUsd).toBe(cost);
        if (left.every((count) => count === 0)) expect(cost).toBeGreaterThanOrEqual(boundMicroUsd - 1e-6);
      }),
      { numRuns: 150, seed: 11 },
    );
  });
});
