import type { Filler } from "./fill.ts";
import type { Bought, Packing, PackingProblem, Pattern } from "./problem.ts";

/** Most nodes that the pods left allow of this pattern. */
function timesCovered(pattern: Pattern, left: Int32Array): number {
  let times = Number.POSITIVE_INFINITY;
  for (let i = 0; i < pattern.classes.length; i++) {
    const covered = Math.floor(left[pattern.classes[i]!]! / pattern.counts[i]!);
    if (covered < times) times = covered;
  }
  return times;
}

export function worthOf(pattern: Pattern, values: Float64Array): number {
  let value = 0;
  for (let i = 0; i < pattern.classes.length; i++) value += pattern.counts[i]! * values[pattern.classes[i]!]!;
  return value;
}

/**
 * Buys the node with the least price for the value it takes, as often as the pods left allow, until nothing fits.
 * A candidate is filled again only when its old ratio is the best there is and its old pattern no longer covered: ratios
 * only get worse as pods go, up to noise. `left` is used up.
 */
export function buyGreedily(
  problem: PackingProblem,
  filler: Filler,
  left: Int32Array,
  values: Float64Array,
  weights: Float64Array,
): Omit<Packing, "boundMicroUsd"> {
  const { candidates, feeMicroUsd } = problem;
  const n = candidates.length;
  const patterns: (Pattern | undefined)[] = new Array(n);
  const ratios = new Float64Array(n);
  const rest = candidates.map((candidate) => candidate.limit);
  const refill = (j: number): void => {
    const pattern = rest[j]! > 0 ? filler.fill(j, left, weights) : undefined;
    patterns[j] = pattern;
    ratios[j] =
      pattern === undefined
        ? Number.POSITIVE_INFINITY
        : (pattern.priceMicroUsd + feeMicroUsd) / worthOf(pattern, values);
  };
  for (let j = 0; j < n; j++) refill(j);
  const bought: Bought[] = [];
  let costMicroUsd = 0;
  const ending = new Ending(problem, left);
  while (true) {
    ending.consider(filler, left, weights, rest, bought.length, costMicroUsd);
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < n; j++) {
      if (ratios[j]! < least) {
        least = ratios[j]!;
        best = j;
      }
    }
    if (best < 0) break;
    const pattern = patterns[best]!;
    const nodes = Math.min(timesCovered(pattern, left), rest[best]!);
    if (nodes === 0) {
      refill(best);
      continue;
    }
    bought.push({ pattern, nodes });
    costMicroUsd += nodes * (pattern.priceMicroUsd + feeMicroUsd);
    rest[best]! -= nodes;
    for (let i = 0; i < pattern.classes.length; i++) left[pattern.classes[i]!]! -= nodes * pattern.counts[i]!;
    ending.take(pattern, nodes);
    if (rest[best] === 0) ratios[best] = Number.POSITIVE_INFINITY;
  }
  return ending.applied(bought, left, costMicroUsd);
}

/**
 * The end of a plan: at each point, one node that takes all that is left may be cheaper than the small ones by which the
 * ratio goes on. Looked for only once the rest fits into the largest room.
 */
class Ending {
  readonly #problem: PackingProblem;
  readonly #demand: Float64Array;
  #pods = 0;
  /** Buys at the last look: without one more nothing is new. */
  #considered = -1;
  #best: { readonly kept: number; readonly last: Pattern; readonly costMicroUsd: number } | undefined;

  constructor(problem: PackingProblem, left: Int32Array) {
    this.#problem = problem;
    this.#demand = new Float64Array(problem.resources);
    for (let c = 0; c < problem.classes; c++) this.#add(c, left[c]!);
  }

  #add(c: number, count: number): void {
    const { resources, requests } = this.#problem;
    this.#pods += count;
    for (let r = 0; r < resources; r++) this.#demand[r]! += count * requests[c * resources + r]!;
  }

  take(pattern: Pattern, nodes: number): void {
    for (let i = 0; i < pattern.classes.length; i++) this.#add(pattern.classes[i]!, -nodes * pattern.counts[i]!);
  }

  consider(
    filler: Filler,
    left: Int32Array,
    weights: Float64Array,
    rest: readonly number[],
    kept: number,
    spent: number,
  ): void {
    if (kept === this.#considered) return;
    this.#considered = kept;
    const { candidates, states, feeMicroUsd } = this.#problem;
    for (let j = 0; j < candidates.length; j++) {
      const { room, start, type } = candidates[j]!;
      const atLeast = spent + states.price(start, type) + feeMicroUsd;
      if (rest[j]! <= 0 || (this.#best !== undefined && atLeast >= this.#best.costMicroUsd)) continue;
      if (!this.#demand.every((amount, r) => amount <= room[r]!)) continue;
      const last = filler.fill(j, left, weights);
      if (last === undefined || last.counts.reduce((sum, count) => sum + count, 0) < this.#pods) continue;
      const costMicroUsd = spent + last.priceMicroUsd + feeMicroUsd;
      if (this.#best === undefined || costMicroUsd < this.#best.costMicroUsd) this.#best = { kept, last, costMicroUsd };
    }
  }

  /** The plan with its best ending. */
  applied(bought: Bought[], left: Int32Array, costMicroUsd: number): Omit<Packing, "boundMicroUsd"> {
    const best = this.#best;
    if (best === undefined || best.costMicroUsd >= costMicroUsd) return { bought, left, costMicroUsd };
    const ended = [...bought.slice(0, best.kept), { pattern: best.last, nodes: 1 }];
    return { bought: ended, left, costMicroUsd: best.costMicroUsd };
  }
}
