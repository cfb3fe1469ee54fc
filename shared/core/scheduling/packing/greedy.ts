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
  while (true) {
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
    if (rest[best] === 0) ratios[best] = Number.POSITIVE_INFINITY;
  }
  return { bought, left, costMicroUsd };
}
