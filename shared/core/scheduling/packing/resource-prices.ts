import type { PackingProblem } from "./problem.ts";

export interface ResourcePrices {
  /** Micro-USD an hour per unit of each resource. */
  readonly prices: Float64Array;
  /** No packing of whole or split pods on these candidates costs less. */
  readonly boundMicroUsd: number;
}

const maxPivots = 400;

/**
 * What a unit of each resource is worth: the dual of covering the total demand by candidates, split as one likes
 * (maximise demand·λ subject to room·λ ≤ price for every candidate, λ ≥ 0). Solved by the simplex method on a dense
 * tableau whose slack basis is feasible; the columns are as few as the resources. Bounded in pivots: stopped early, the
 * prices are still feasible and the bound still holds.
 */
export function priceResources(problem: PackingProblem, demand: Float64Array): ResourcePrices {
  const { resources, states, feeMicroUsd } = problem;
  // What runs out soon (a reservation) says nothing about what the bulk of the pods is worth.
  const unlimited = problem.candidates.filter(({ limit }) => limit === Number.POSITIVE_INFINITY);
  const candidates = unlimited.length > 0 ? unlimited : problem.candidates;
  const rows = candidates.length;
  const width = resources + 1;
  const scale = new Float64Array(resources);
  for (const candidate of candidates) {
    for (let r = 0; r < resources; r++) if (candidate.room[r]! > scale[r]!) scale[r] = candidate.room[r]!;
  }
  const tableau = new Float64Array((rows + 1) * width);
  const basis = new Int32Array(rows);
  const column = new Int32Array(resources);
  for (let i = 0; i < rows; i++) {
    const { room, start, type } = candidates[i]!;
    for (let r = 0; r < resources; r++) tableau[i * width + r] = scale[r]! > 0 ? room[r]! / scale[r]! : 0;
    tableau[i * width + resources] = states.price(start, type) + feeMicroUsd;
    basis[i] = resources + i;
  }
  for (let r = 0; r < resources; r++) {
    column[r] = r;
    tableau[rows * width + r] = scale[r]! > 0 ? -demand[r]! / scale[r]! : 0;
  }
  for (let pivots = 0; pivots < maxPivots && pivot(tableau, rows, width, basis, column); pivots++);
  const prices = new Float64Array(resources);
  for (let i = 0; i < rows; i++) {
    const variable = basis[i]!;
    if (variable < resources && scale[variable]! > 0) {
      prices[variable] = tableau[i * width + resources]! / scale[variable]!;
    }
  }
  const bound = candidates.length < problem.candidates.length ? 0 : tableau[rows * width + resources]!;
  return { prices, boundMicroUsd: bound };
}

/** One step: the steepest column enters (first among equals), the tightest row leaves. False at the optimum. */
function pivot(tableau: Float64Array, rows: number, width: number, basis: Int32Array, column: Int32Array): boolean {
  const last = width - 1;
  let enter = -1;
  let steepest = -1e-9;
  for (let j = 0; j < last; j++) {
    if (tableau[rows * width + j]! < steepest) {
      steepest = tableau[rows * width + j]!;
      enter = j;
    }
  }
  if (enter < 0) return false;
  let leave = -1;
  let tightest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows; i++) {
    const a = tableau[i * width + enter]!;
    if (a <= 1e-12) continue;
    const ratio = tableau[i * width + last]! / a;
    if (ratio < tightest) {
      tightest = ratio;
      leave = i;
    }
  }
  if (leave < 0) return false;
  const inverse = 1 / tableau[leave * width + enter]!;
  for (let j = 0; j < width; j++) tableau[leave * width + j]! *= inverse;
  tableau[leave * width + enter] = inverse;
  for (let i = 0; i <= rows; i++) {
    if (i === leave) continue;
    const factor = tableau[i * width + enter]!;
    if (factor === 0) continue;
    for (let j = 0; j < width; j++) tableau[i * width + j]! -= factor * tableau[leave * width + j]!;
    tableau[i * width + enter] = -factor * inverse;
  }
  const leaving = basis[leave]!;
  basis[leave] = column[enter]!;
  column[enter] = leaving;
  return true;
}
