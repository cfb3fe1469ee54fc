// The mixture of patterns: least cost of covering a demand.
import { describe, expect, it } from "vitest";
import { CoverProgram } from "../../../shared/core/scheduling/packing/cover-program.ts";
import { maximise } from "../../../shared/core/scheduling/packing/simplex.ts";

interface Column {
  readonly price: number;
  readonly indices: number[];
  readonly amounts: number[];
}

function solved(demand: readonly number[], columns: readonly Column[], penalty = 1_000_000) {
  const program = new CoverProgram(Float64Array.from(demand), new Float64Array(demand.length).fill(penalty));
  for (const { price, indices, amounts } of columns) {
    program.add(price, Int32Array.from(indices), Int32Array.from(amounts));
  }
  program.solve(10_000);
  return program;
}

function costOf(program: CoverProgram, columns: readonly Column[]): number {
  return program.amounts().reduce((sum, amount, j) => sum + amount * columns[j]!.price, 0);
}

describe("CoverProgram", () => {
  it("takes the cheapest of two columns that do the same", () => {
    const columns = [
      { price: 5, indices: [0], amounts: [2] },
      { price: 4, indices: [0], amounts: [2] },
    ];
    const program = solved([6], columns);
    expect([...program.amounts()]).toEqual([0, 3]);
    expect([...program.duals]).toEqual([2]);
  });

  it("covers more than is asked for where that costs less", () => {
    const columns = [
      { price: 10, indices: [0], amounts: [1] },
      { price: 6, indices: [0, 1], amounts: [1, 1] },
    ];
    const program = solved([4, 1], columns);
    expect([...program.amounts()]).toEqual([0, 4]);
    expect(program.duals[1]).toBeCloseTo(0, 9);
  });

  it("leaves uncovered what no column covers, and says what one more would cost", () => {
    const program = solved([3, 2], [{ price: 4, indices: [0], amounts: [1] }], 50);
    expect([...program.amounts()]).toEqual([3]);
    expect([...program.duals]).toEqual([4, 50]);
  });

  it("goes on from where it was when columns come", () => {
    const program = solved([6], [{ price: 5, indices: [0], amounts: [2] }]);
    program.add(7, Int32Array.of(0), Int32Array.of(6));
    expect(program.solve(100)).toBe(1);
    expect([...program.amounts()]).toEqual([0, 1]);
  });

  it("stops after the pivots that it is given, with amounts that cover nothing twice over", () => {
    const program = new CoverProgram(Float64Array.of(4, 4), Float64Array.of(100, 100));
    program.add(3, Int32Array.of(0), Int32Array.of(1));
    program.add(3, Int32Array.of(1), Int32Array.of(1));
    expect(program.solve(1)).toBe(1);
    expect(program.amounts().reduce((a, b) => a + b, 0)).toBe(4);
  });

  it("comes to the same cost as the simplex method on the dual program", () => {
    let seed = 7;
    const below = (limit: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    for (let run = 0; run < 40; run++) {
      const rows = 2 + below(14);
      const demand = Array.from({ length: rows }, () => 1 + below(20));
      const columns: Column[] = Array.from({ length: rows * 3 }, () => {
        const indices = Array.from({ length: rows }, (_, i) => i).filter(() => below(3) === 0);
        const amounts = indices.map(() => 1 + below(4));
        return { price: 1_000 + below(9_000), indices, amounts };
      }).filter(({ indices }) => indices.length > 0);
      const singles = demand.map((_, i) => ({ price: 20_000, indices: [i], amounts: [1] }));
      const all = [...columns, ...singles];
      const matrix = new Float64Array(all.length * rows);
      all.forEach(({ indices, amounts }, j) => {
        indices.forEach((i, k) => {
          matrix[j * rows + i] = amounts[k]!;
        });
      });
      const dual = maximise(
        {
          rows: all.length,
          columns: rows,
          matrix,
          limits: Float64Array.from(all, ({ price }) => price),
          objective: Float64Array.from(demand),
        },
        10_000,
      );
      const program = solved(demand, all);
      expect(costOf(program, all) / dual.objective).toBeCloseTo(1, 6);
      const covered = new Float64Array(rows);
      program.amounts().forEach((amount, j) => {
        all[j]!.indices.forEach((i, k) => {
          covered[i]! += amount * all[j]!.amounts[k]!;
        });
      });
      demand.forEach((wanted, i) => {
        expect(covered[i]! + 1e-6).toBeGreaterThanOrEqual(wanted);
      });
    }
  });
});
