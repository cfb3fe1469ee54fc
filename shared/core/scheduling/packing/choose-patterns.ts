import { CoverProgram } from "./cover-program.ts";
import type { Bought, PackingProblem, Pattern } from "./problem.ts";

/** A pivot costs classes²: beyond this the method is too slow for what it gains. */
const maxClasses = 256;
const maxPatterns = 4_000;
/** Pivots of one mixture, for each class. */
const maxPivotsPerClass = 6;
/** What leaving a pod to the rest costs, in what it costs in the nodes seen so far: no mixture does that gladly. */
const penalty = 2;
/** Numbers that are touched for the time of one look at a class. */
const numbersPerStep = 30;

/** Whether mixing is worth it. To be asked first: the method's table has a number for each two classes. */
export function isMixable({ candidates, classes }: PackingProblem): boolean {
  return classes <= maxClasses && candidates.every(({ limit }) => limit === Number.POSITIVE_INFINITY);
}

/** Patterns that passes have come up with, each once, on the cheapest candidate that holds it. */
export class PatternStore {
  readonly #problem: PackingProblem;
  readonly #program: CoverProgram;
  readonly #patterns: Pattern[] = [];
  readonly #known = new Set<string>();
  /** What the mixtures have cost, in looks at a class. */
  steps = 0;

  /** `values`: about what a pod of each class costs. */
  constructor(problem: PackingProblem, values: Float64Array) {
    this.#problem = problem;
    this.#program = new CoverProgram(
      Float64Array.from(problem.counts),
      values.map((value) => value * penalty),
    );
  }

  /** Returns how many of them were not known yet. */
  add(patterns: Iterable<Pattern>): number {
    let fresh = 0;
    for (const pattern of patterns) {
      if (this.#patterns.length >= maxPatterns) break;
      const key = `${pattern.state}/${pattern.classes.join(",")}/${pattern.counts.join(",")}`;
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      const cheapest = shrunk(this.#problem, pattern);
      this.#patterns.push(cheapest);
      this.#program.add(cheapest.priceMicroUsd + this.#problem.feeMicroUsd, cheapest.classes, cheapest.counts);
      fresh++;
    }
    return fresh;
  }

  /**
   * Finds the mixture of patterns that covers the pods at least cost, by linear programming; returns what a pod of each class
   * is worth by it.
   */
  mix(): Float64Array {
    const { classes } = this.#problem;
    const pivots = this.#program.solve(classes * maxPivotsPerClass);
    this.steps += Math.ceil((pivots * (classes * classes + this.#patterns.length * 8)) / numbersPerStep);
    return this.#program.duals.map((value) => Math.max(value, 1));
  }

  /** The mixture rounded down to whole nodes, and the pods that this leaves. */
  rounded(): { readonly bought: readonly Bought[]; readonly left: Int32Array } {
    const left = this.#problem.counts.slice();
    const bought: Bought[] = [];
    this.#program.amounts().forEach((amount, i) => {
      const pattern = this.#patterns[i]!;
      let nodes = Math.floor(amount + 1e-6);
      pattern.classes.forEach((c, k) => {
        nodes = Math.min(nodes, Math.floor(left[c]! / pattern.counts[k]!));
      });
      if (nodes <= 0) return;
      bought.push({ pattern, nodes });
      pattern.classes.forEach((c, k) => {
        left[c]! -= nodes * pattern.counts[k]!;
      });
    });
    return { bought, left };
  }
}

/** The same pods on the cheapest candidate that holds them. */
export function shrunk(problem: PackingProblem, pattern: Pattern): Pattern {
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
