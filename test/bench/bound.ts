// A lower bound on what any placement of the pending pods on new nodes can cost.
//
// Take any placement. Let x[c] be its nodes of candidate c and y[g,c] its pods of group g on them. Then
//   every pod sits somewhere it may sit         Σ over c of y[g,c] = count[g]
//   nothing is overfull                         Σ over g of wants[g,r] y[g,c] <= has[c,r] x[c]
//   big pods are whole                          Σ over groups with wants > has/(k+1) of y[g,c] <= k x[c], k = 1, 2, 3
//   pods of one shape are whole                 y[g,c] <= ⌊min over r of has[c,r] / wants[g,r]⌋ x[c]
//   pods that repel each other are apart        Σ over groups of one anti-affinity term of y[g,c] <= x[c]
// so the least cost of all real x, y >= 0 under these is at most the placement's. What is left out (spread, affinity
// between pods, limits, minValues, ports) can only lower it. What has[c,r] is comes after the daemons that no node of the
// pool is without.
import loadHighs from "highs";
import type { Snapshot } from "../../shared/core/model/index.ts";
import { type BoundProblem, boundProblem } from "./bound-problem.ts";

/** The package's types describe its CommonJS form; as an ES module its default export is the loader itself. */
const load = loadHighs as unknown as typeof loadHighs.default;

/** A row of the program: low <= Σ value × column <= high. */
interface Row {
  readonly entries: readonly (readonly [column: number, value: number])[];
  readonly low: number;
  readonly high: number;
}

/** USD an hour, or null where the bound does not apply (nodes in the input, reservations, no solution). */
export async function boundPerHour(snapshot: Snapshot): Promise<number | null> {
  const { nodes, claims, catalog } = snapshot;
  if (nodes.length > 0 || claims.length > 0 || catalog.reserved.length > 0) return null;
  return await leastCost(boundProblem(snapshot));
}

/** The program's value, a hair lower for the solver's tolerances; null if there is none. */
export async function leastCost(problem: BoundProblem): Promise<number | null> {
  const { groups, candidates } = problem;
  if (groups.length === 0) return 0;
  const pairs = candidates.flatMap(({ takes }, c) => groups.flatMap((_, g) => (takes[g] ? [[g, c] as const] : [])));
  const columnOf = new Map(pairs.map(([g, c], index) => [g * candidates.length + c, candidates.length + index]));
  const rows = rowsOf(problem, (g, c) => columnOf.get(g * candidates.length + c)!);
  const highs = await load();
  const numCols = candidates.length + pairs.length;
  const colCost = [...candidates.map(({ priceUsd }) => priceUsd), ...pairs.map(() => 0)];
  return highs.withModel(
    {
      numCols,
      numRows: rows.length,
      colCost,
      colLower: colCost.map(() => 0),
      colUpper: colCost.map(() => highs.infinity),
      rowLower: rows.map(({ low }) => (low === Number.NEGATIVE_INFINITY ? -highs.infinity : low)),
      rowUpper: rows.map(({ high }) => high),
      matrix: {
        format: "csr",
        numRows: rows.length,
        numCols,
        starts: startsOf(rows),
        indices: rows.flatMap(({ entries }) => entries.map(([column]) => column)),
        values: rows.flatMap(({ entries }) => entries.map(([, value]) => value)),
      },
    },
    (model) => {
      model.options.set({ output_flag: false });
      model.run();
      if (model.getModelStatus() !== highs.constants.modelStatus.optimal) return null;
      return Number((model.getObjectiveValue() * (1 - 1e-7)).toFixed(6));
    },
  );
}

function startsOf(rows: readonly Row[]): number[] {
  const starts = [0];
  for (const { entries } of rows) starts.push(starts.at(-1)! + entries.length);
  return starts;
}

function rowsOf({ groups, candidates }: BoundProblem, column: (g: number, c: number) => number): Row[] {
  const below = (entries: Row["entries"]): Row => ({ entries, low: Number.NEGATIVE_INFINITY, high: 0 });
  const rows: Row[] = groups.map(({ count }, g) => ({
    entries: candidates.flatMap(({ takes }, c) => (takes[g] ? [[column(g, c), 1] as const] : [])),
    low: count,
    high: count,
  }));
  const repelling = new Set(groups.flatMap(({ repels }) => repels));
  for (const [c, { has, takes }] of candidates.entries()) {
    const present = groups.flatMap((group, g) => (takes[g] ? [{ ...group, g }] : []));
    const atMost = (some: readonly { g: number }[], nodes: number): void => {
      if (some.length > 0) rows.push(below([...some.map(({ g }) => [column(g, c), 1] as const), [c, -nodes]]));
    };
    for (const [axis, amount] of has.entries()) {
      const wanting = present.filter(({ wants }) => wants[axis]! > 0);
      if (wanting.length === 0) continue;
      const shares = wanting.map(({ g, wants }) => [column(g, c), wants[axis]! / amount] as const);
      rows.push(below([...shares, [c, -1]]));
      for (const k of [1, 2, 3])
        atMost(
          wanting.filter(({ wants }) => wants[axis]! * (k + 1) > amount),
          k,
        );
    }
    for (const term of repelling)
      atMost(
        present.filter(({ repels }) => repels.includes(term)),
        1,
      );
    for (const group of present) {
      const fit = Math.min(
        ...has.map((amount, axis) =>
          group.wants[axis] === 0 ? Number.POSITIVE_INFINITY : amount / group.wants[axis]!,
        ),
      );
      const whole = Math.floor(fit + 1e-9);
      if (whole > 3 && whole < 0.98 * fit) atMost([group], whole);
    }
  }
  return rows;
}
