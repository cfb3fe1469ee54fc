import { correctionPasses, goodEnoughPerMille, maxPackingSteps, mixtureRounds, ruinRounds } from "../bounds.ts";
import { isMixable, PatternStore } from "./choose-patterns.ts";
import { Filler } from "./fill.ts";
import { buyGreedily, worthOf } from "./greedy.ts";
import type { Bought, Packing, PackingProblem, Pattern } from "./problem.ts";
import { priceResources } from "./resource-prices.ts";

/** Steps that the packings of one plan may still take. */
export interface Work {
  stepsLeft: number;
}

/** How much is done for a packing. */
export interface Effort {
  readonly passes: number;
  readonly ruins: number;
}

const thorough: Effort = { passes: correctionPasses, ruins: ruinRounds };

/** What one quick pass makes of it. */
export function sketchCost(problem: PackingProblem): number {
  if (problem.classes === 0 || problem.candidates.length === 0) return 0;
  const { prices } = priceResources(problem, demandOf(problem));
  return run(problem, new Filler(problem), problem.counts, valuesOf(problem, prices), 0).costMicroUsd;
}

/** How much a fill prefers large pods: their value to this power, by square roots only (exact on every computer). */
const bends: readonly ((size: number) => number)[] = [
  (size) => Math.sqrt(Math.sqrt(Math.sqrt(size))),
  (size) => Math.sqrt(size) * Math.sqrt(Math.sqrt(Math.sqrt(size))),
];

interface Result extends Omit<Packing, "boundMicroUsd"> {
  readonly leftover: number;
}

/** Totals of the demand by resource. */
export function demandOf(problem: PackingProblem): Float64Array {
  const demand = new Float64Array(problem.resources);
  for (let c = 0; c < problem.classes; c++) {
    for (let r = 0; r < problem.resources; r++) {
      demand[r]! += problem.counts[c]! * problem.requests[c * problem.resources + r]!;
    }
  }
  return demand;
}

/** What a pod of each class is worth at these prices; never 0, or it could not be ranked. */
export function valuesOf(problem: PackingProblem, prices: Float64Array): Float64Array {
  const values = new Float64Array(problem.classes);
  for (let c = 0; c < problem.classes; c++) {
    let value = 0;
    for (let r = 0; r < problem.resources; r++) value += prices[r]! * problem.requests[c * problem.resources + r]!;
    values[c] = Math.max(value, 1);
  }
  return values;
}

export function bend(values: Float64Array, how: number): Float64Array {
  const by = bends[how]!;
  return values.map((value) => value * by(value));
}

/**
 * Nodes for all pods that any candidate takes, near the least cost (docs/decisions.md, "Packing"): values from the prices of
 * resources, greedy buying, correction of the values by what each class really cost, two starts, the best kept; then
 * ruin and recreate. Deterministic; bounded by passes, rounds and the work that is left, from which its own is taken.
 */
export function pack(problem: PackingProblem, work: Work, effort: Effort = thorough): Packing {
  const filler = new Filler(problem);
  const packing = packWith(problem, filler, work, effort);
  work.stepsLeft -= filler.steps;
  return packing;
}

function packWith(problem: PackingProblem, filler: Filler, work: Work, effort: Effort): Packing {
  const maxSteps = Math.min(maxPackingSteps, work.stepsLeft);
  if (problem.classes === 0 || problem.candidates.length === 0) {
    return { bought: [], left: problem.counts.slice(), costMicroUsd: 0, boundMicroUsd: 0 };
  }
  const { prices, boundMicroUsd } = priceResources(problem, demandOf(problem));
  const initial = valuesOf(problem, prices);
  const enough = (boundMicroUsd * goodEnoughPerMille) / 1_000;
  const tired = (): boolean => filler.steps > maxSteps;
  const mixable = isMixable(problem);
  const seen: Pattern[] = [];
  let best: Result | undefined;
  let bestValues = initial;
  let bestBend = 0;
  const consider = (result: Result, values: Float64Array, how: number): void => {
    if (best !== undefined && !isBetter(result, best)) return;
    best = result;
    bestValues = values;
    bestBend = how;
  };
  for (let how = 0; how < bends.length; how++) {
    let values = initial;
    for (let pass = 0; pass < effort.passes && (best === undefined || !tired()); pass++) {
      const result = run(problem, filler, problem.counts, values, how);
      consider(result, values, how);
      if (best!.costMicroUsd <= enough) return { ...best!, boundMicroUsd };
      if (mixable) for (const { pattern } of result.bought) seen.push(pattern);
      values = corrected(problem, values, result.bought);
    }
  }
  if (mixable && !tired()) {
    const patterns = new PatternStore(problem, bestValues);
    patterns.add(seen);
    mix(problem, filler, patterns, work, consider);
  }
  const improved = improve(problem, filler, best!, bestValues, bestBend, enough, maxSteps, effort.ruins);
  return { ...improved, boundMicroUsd };
}

/**
 * The best mixture of all patterns seen and of those that its values lead to; what its rounding leaves is packed by the same
 * values, twice: the patterns of the first time make another mixture.
 */
function mix(
  problem: PackingProblem,
  filler: Filler,
  patterns: PatternStore,
  work: Work,
  consider: (result: Result, values: Float64Array, how: number) => void,
): void {
  const { counts, candidates } = problem;
  let values = patterns.mix();
  for (let round = 0; round < mixtureRounds; round++) {
    let fresh = 0;
    for (let how = 0; how < bends.length; how++) {
      const weights = bend(values, how);
      const found: Pattern[] = [];
      for (let j = 0; j < candidates.length; j++) {
        const pattern = filler.fill(j, counts, weights);
        if (pattern === undefined) continue;
        if (pattern.priceMicroUsd + problem.feeMicroUsd < worthOf(pattern, values)) found.push(pattern);
      }
      fresh += patterns.add(found);
    }
    if (fresh === 0) break;
    values = patterns.mix();
  }
  for (let again = 0; again < 2; again++) {
    const { bought, left } = patterns.rounded();
    const spent = bought.reduce(
      (sum, { pattern, nodes }) => sum + nodes * (pattern.priceMicroUsd + problem.feeMicroUsd),
      0,
    );
    for (let how = 0; how < bends.length; how++) {
      const rest = run(problem, filler, left, values, how);
      consider({ ...rest, bought: [...bought, ...rest.bought], costMicroUsd: spent + rest.costMicroUsd }, values, how);
      patterns.add(rest.bought.map(({ pattern }) => pattern));
      if (again === 0) patterns.add(run(problem, filler, counts, values, how).bought.map(({ pattern }) => pattern));
    }
    if (again === 0) values = patterns.mix();
  }
  work.stepsLeft -= patterns.steps;
}

function run(problem: PackingProblem, filler: Filler, counts: Int32Array, values: Float64Array, how: number): Result {
  const packing = buyGreedily(problem, filler, counts.slice(), values, bend(values, how));
  return { ...packing, leftover: packing.left.reduce((sum, n) => sum + n, 0) };
}

function isBetter(a: Result, b: Result): boolean {
  return a.leftover !== b.leftover ? a.leftover < b.leftover : a.costMicroUsd < b.costMicroUsd;
}

/** Each class's value, moved halfway to what its pods cost in the nodes that were bought. */
export function corrected(problem: PackingProblem, values: Float64Array, bought: readonly Bought[]): Float64Array {
  const paid = new Float64Array(problem.classes);
  const placed = new Float64Array(problem.classes);
  for (const { pattern, nodes } of bought) {
    const ratio = (pattern.priceMicroUsd + problem.feeMicroUsd) / worthOf(pattern, values);
    for (let i = 0; i < pattern.classes.length; i++) {
      const c = pattern.classes[i]!;
      paid[c]! += nodes * pattern.counts[i]! * values[c]! * ratio;
      placed[c]! += nodes * pattern.counts[i]!;
    }
  }
  return values.map((value, c) => {
    if (placed[c] === 0) return value;
    const next = (value + paid[c]! / placed[c]!) / 2;
    return Math.max(next, 1);
  });
}

/** The next number of a fixed sequence: chance that is the same every time. */
function advance(seed: number): number {
  return (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
}

/** Ruin and recreate: dissolves the worst buys and some others, packs their pods again, keeps what got cheaper. */
function improve(
  problem: PackingProblem,
  filler: Filler,
  start: Result,
  values: Float64Array,
  how: number,
  enough: number,
  maxSteps: number,
  rounds: number,
): Result {
  let best = start;
  let seed = 20_240_229;
  for (let round = 0; round < rounds && best.costMicroUsd > enough; round++) {
    if (filler.steps > maxSteps) break;
    const ranked = best.bought
      .map((buy, index) => ({
        buy,
        index,
        ratio: (buy.pattern.priceMicroUsd + problem.feeMicroUsd) / worthOf(buy.pattern, values),
      }))
      .sort((a, b) => b.ratio - a.ratio || a.index - b.index);
    const kept: Bought[] = [];
    const counts = best.left.slice();
    let spent = 0;
    ranked.forEach(({ buy }, rank) => {
      seed = advance(seed);
      const worst = rank * 100 < ranked.length * 20;
      const away = worst || seed % 100 < 18 ? buy.nodes : 0;
      const stays = buy.nodes - away;
      if (stays > 0) kept.push({ pattern: buy.pattern, nodes: stays });
      spent += stays * (buy.pattern.priceMicroUsd + problem.feeMicroUsd);
      for (let i = 0; i < buy.pattern.classes.length; i++)
        counts[buy.pattern.classes[i]!]! += away * buy.pattern.counts[i]!;
    });
    const limited = withRest(problem, kept);
    const again = run(limited, filler, counts, values, round % 2 === 0 ? how : 1 - how);
    const result = { ...again, bought: [...kept, ...again.bought], costMicroUsd: spent + again.costMicroUsd };
    if (isBetter(result, best)) best = result;
  }
  return best;
}

/** The same problem with less of what is limited. */
export function withRest(problem: PackingProblem, kept: readonly Bought[]): PackingProblem {
  if (problem.candidates.every(({ limit }) => limit === Number.POSITIVE_INFINITY)) return problem;
  const used = new Map<number, number>();
  for (const { pattern, nodes } of kept) used.set(pattern.candidate, (used.get(pattern.candidate) ?? 0) + nodes);
  const candidates = problem.candidates.map((candidate, j) => ({
    ...candidate,
    limit: candidate.limit - (used.get(j) ?? 0),
  }));
  return { ...problem, candidates };
}
