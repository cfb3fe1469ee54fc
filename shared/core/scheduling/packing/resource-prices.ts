import type { PackingProblem } from "./problem.ts";
import { maximise } from "./simplex.ts";

export interface ResourcePrices {
  /** Micro-USD an hour per unit of each resource. */
  readonly prices: Float64Array;
  /** No packing of whole or split pods on these candidates costs less. */
  readonly boundMicroUsd: number;
}

const maxPivots = 400;

/**
 * What a unit of each resource is worth: the dual of covering the total demand by candidates, split as one likes
 * (maximise demand·λ subject to room·λ ≤ price for every candidate, λ ≥ 0). Bounded in pivots: stopped early, the prices are
 * still feasible and the bound still holds.
 */
export function priceResources(problem: PackingProblem, demand: Float64Array): ResourcePrices {
  const { resources, states, feeMicroUsd } = problem;
  // What runs out soon (a reservation) says nothing about what the bulk of the pods is worth.
  const unlimited = problem.candidates.filter(({ limit }) => limit === Number.POSITIVE_INFINITY);
  const candidates = unlimited.length > 0 ? unlimited : problem.candidates;
  const scale = new Float64Array(resources);
  for (const { room } of candidates) {
    for (let r = 0; r < resources; r++) if (room[r]! > scale[r]!) scale[r] = room[r]!;
  }
  const matrix = new Float64Array(candidates.length * resources);
  candidates.forEach(({ room }, i) => {
    for (let r = 0; r < resources; r++) matrix[i * resources + r] = scale[r]! > 0 ? room[r]! / scale[r]! : 0;
  });
  const total = demand.reduce((sum, amount, r) => sum + (scale[r]! > 0 ? amount / scale[r]! : 0), 0);
  const { values, objective } = maximise(
    {
      rows: candidates.length,
      columns: resources,
      matrix,
      limits: Float64Array.from(candidates, ({ start, type }) => states.price(start, type) + feeMicroUsd),
      // In shares of the whole, so that the method's tolerance means the same for one pod and for a hundred thousand.
      objective: demand.map((amount, r) => (scale[r]! > 0 && total > 0 ? amount / scale[r]! / total : 0)),
    },
    maxPivots,
  );
  const prices = values.map((value, r) => (scale[r]! > 0 ? value / scale[r]! : 0));
  const bound = candidates.length < problem.candidates.length ? 0 : objective * total;
  return { prices, boundMicroUsd: bound };
}
