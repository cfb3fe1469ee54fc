import type { Bought, PackingProblem, Pattern } from "./problem.ts";
import { maximise } from "./simplex.ts";

/** What the pivots of a mixture cost for each of its numbers, more or less, in looks at a class. */
const stepsPerPatternClass = 20;
/** A pivot costs patterns × classes: beyond this the method is too slow for what it gains. */
const maxClasses = 150;
const maxPatterns = 2_000;
/** Numbers that the method may touch in one go: pivots × patterns × classes. */
const maxWork = 80_000_000;

/** Patterns that passes have come up with, each once, on the cheapest candidate that holds it. */
export class PatternStore {
  readonly #problem: PackingProblem;
  readonly #known = new Map<string, Pattern>();

  constructor(problem: PackingProblem) {
    this.#problem = problem;
  }

  /** What one mixture costs, in looks at a class. */
  get steps(): number {
    return this.#known.size * this.#problem.classes * stepsPerPatternClass;
  }

  get usable(): boolean {
    const limited = this.#problem.candidates.some(({ limit }) => limit !== Number.POSITIVE_INFINITY);
    return !limited && this.#problem.classes <= maxClasses && this.#known.size > 0;
  }

  add(bought: readonly Bought[]): void {
    if (this.#problem.classes > maxClasses) return;
    for (const { pattern } of bought) {
      if (this.#known.size >= maxPatterns) return;
      const key = `${pattern.state}/${pattern.classes.join(",")}/${pattern.counts.join(",")}`;
      if (!this.#known.has(key)) this.#known.set(key, shrunk(this.#problem, pattern));
    }
  }

  /**
   * The mixture of patterns that covers the pods at least cost, by linear programming, rounded down: whole nodes to buy,
   * and what a pod of each class is worth by it. What the rounding leaves is for another pass.
   */
  mixture(): { readonly bought: readonly Bought[]; readonly left: Int32Array; readonly values: Float64Array } {
    const { classes, counts, feeMicroUsd } = this.#problem;
    const patterns = [...this.#known.values()];
    const matrix = new Float64Array(patterns.length * classes);
    patterns.forEach((pattern, i) => {
      pattern.classes.forEach((c, k) => {
        matrix[i * classes + c] = pattern.counts[k]!;
      });
    });
    const pods = counts.reduce((sum, count) => sum + count, 0);
    const { values, duals } = maximise(
      {
        rows: patterns.length,
        columns: classes,
        matrix,
        limits: Float64Array.from(patterns, ({ priceMicroUsd }) => priceMicroUsd + feeMicroUsd),
        objective: Float64Array.from(counts, (count) => count / pods),
      },
      Math.floor(maxWork / (patterns.length * classes)),
    );
    const left = counts.slice();
    const bought: Bought[] = [];
    patterns.forEach((pattern, i) => {
      let nodes = Math.floor(duals[i]! * pods + 1e-6);
      pattern.classes.forEach((c, k) => {
        nodes = Math.min(nodes, Math.floor(left[c]! / pattern.counts[k]!));
      });
      if (nodes <= 0) return;
      bought.push({ pattern, nodes });
      pattern.classes.forEach((c, k) => {
        left[c]! -= nodes * pattern.counts[k]!;
      });
    });
    return { bought, left, values: values.map((value) => Math.max(value, 1)) };
  }
}

/** The same pods on the cheapest candidate that holds them. */
function shrunk(problem: PackingProblem, pattern: Pattern): Pattern {
  const { candidates, resources, requests, states } = problem;
  const usage = new Float64Array(resources);
  pattern.classes.forEach((c, k) => {
    for (let r = 0; r < resources; r++) usage[r]! += pattern.counts[k]! * requests[c * resources + r]!;
  });
  let best = pattern;
  candidates.forEach(({ type, start, room }, j) => {
    if (start !== candidates[pattern.candidate]!.start) return;
    const priceMicroUsd = states.price(pattern.state, type);
    if (priceMicroUsd < best.priceMicroUsd && usage.every((amount, r) => amount <= room[r]!)) {
      best = { ...pattern, candidate: j, priceMicroUsd };
    }
  });
  return best;
}
