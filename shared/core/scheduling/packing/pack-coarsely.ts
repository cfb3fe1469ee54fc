import { coarsePasses, leftoverPasses } from "../bounds.ts";
import { pack, type Work, withRest } from "./pack.ts";
import type { Packing, PackingProblem } from "./problem.ts";
import { Realiser } from "./realise.ts";

/** A problem with classes merged, and which merged class each of the true ones went into. */
export interface CoarseProblem {
  readonly problem: PackingProblem;
  readonly kindOf: Int32Array;
}

/**
 * Packs the merged classes, then fills the nodes of that plan with pods of the true ones; those that are left over are
 * packed by their true classes.
 */
export function packCoarsely(problem: PackingProblem, { problem: coarse, kindOf }: CoarseProblem, work: Work): Packing {
  const plan = pack(coarse, work, { passes: coarsePasses, ruins: 0 });
  const realiser = new Realiser(problem, kindOf);
  const bought = realiser.realise(plan.bought, coarse.asks);
  const { left } = realiser;
  const rest = pack({ ...withRest(problem, bought), counts: left }, work, { passes: leftoverPasses, ruins: 0 });
  const spent = bought.reduce(
    (sum, { pattern, nodes }) => sum + nodes * (pattern.priceMicroUsd + problem.feeMicroUsd),
    0,
  );
  return {
    bought: [...bought, ...rest.bought],
    left: rest.left,
    costMicroUsd: spent + rest.costMicroUsd,
    boundMicroUsd: plan.boundMicroUsd,
  };
}
