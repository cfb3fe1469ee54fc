// Which pools an instant fleet launches from, and how many from each: pure, so that EC2's documented rules can be tested alone.
//
// Rules, from https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-fleet-allocation-strategy.html. What AWS leaves open is
// fixed here, so that a run repeats:
// - lowest-price: the cheapest pool first (with weights: the cheapest unit), the next when it has no more.
//   `poolsToUse` n spreads spot evenly over the n cheapest pools that have anything left.
// - capacity-optimized: the pool with most left first.
// - capacity-optimized-prioritized: by depth, within it by priority, then by what is left.
// - price-capacity-optimized: by depth, within it by price.
// - diversified: in turns over all pools.
// - prioritized (on demand): by priority, lowest number first, pools without one last; then by price.
// Depth stands for EC2's forecast, which isn't public: a pool is deep if it has twice what is asked, shallow if it has what
// is asked, and thin below that. Ties end in type, zone and the order of the request.

import type { Refusal } from "./capacity.ts";
import type { PoolName } from "./catalog.ts";

export type Strategy =
  | "lowest-price"
  | "capacity-optimized"
  | "capacity-optimized-prioritized"
  | "price-capacity-optimized"
  | "diversified"
  | "prioritized";

/** One override of the request, in one subnet. */
export interface Candidate {
  /** Position in the request. */
  readonly index: number;
  readonly pool: PoolName;
  readonly subnetId: string;
  readonly priority?: number;
  /** Units of target that one instance counts for. */
  readonly weight: number;
  /** USD an hour of one instance. */
  readonly priceUsd: number;
}

/** What can still be had; `most` is how many instances the candidate could launch at most of `wanted`, `refusal` why not more. */
export interface Supply {
  most(candidate: Candidate, wanted: number): { readonly count: number; readonly refusal?: Refusal };
  take(candidate: Candidate, count: number): void;
  /** Instances left in the pool, for the strategies that look at capacity. */
  free(candidate: Candidate): number;
}

export interface AllocationRequest {
  readonly strategy: Strategy;
  readonly candidates: readonly Candidate[];
  /** Units wanted. */
  readonly target: number;
  readonly poolsToUse?: number;
}

export interface Allocation {
  readonly launches: readonly { readonly candidate: Candidate; readonly count: number }[];
  readonly refusals: readonly { readonly candidate: Candidate; readonly refusal: Refusal }[];
  /** Units that the launches count for; less than the target when every pool was tried. */
  readonly fulfilled: number;
}

/**
 * Allocates and takes from `supply`. The target is exceeded by less than one instance's weight; with weights of 1, never.
 * Every candidate that was tried and gave less than it was asked for is among the refusals.
 */
export function allocate(request: AllocationRequest, supply: Supply): Allocation {
  const run = new Run(request.target, supply);
  const ordered = order(request, supply);
  const spread = spreadOf(request, ordered, supply);
  if (spread.length > 1) run.spread(spread);
  for (const candidate of ordered) run.draw(candidate, Number.POSITIVE_INFINITY);
  return run.result();
}

/** The candidates in the order in which the strategy tries them. */
export function order(request: AllocationRequest, supply: Supply): readonly Candidate[] {
  const wanted = (c: Candidate): number => Math.ceil(request.target / c.weight);
  const depth = (c: Candidate): number => {
    const free = supply.free(c);
    return free >= 2 * wanted(c) ? 0 : free >= wanted(c) ? 1 : 2;
  };
  const price = (c: Candidate): number => c.priceUsd / c.weight;
  const priority = (c: Candidate): number => c.priority ?? Number.MAX_VALUE;
  const shallowness = (c: Candidate): number => -supply.free(c) * c.weight;
  const keys: Record<Strategy, readonly ((c: Candidate) => number)[]> = {
    "lowest-price": [price],
    diversified: [price],
    "capacity-optimized": [shallowness, price],
    "capacity-optimized-prioritized": [depth, priority, shallowness],
    "price-capacity-optimized": [depth, price],
    prioritized: [priority, price],
  };
  return [...request.candidates].sort((a, b) => {
    for (const key of keys[request.strategy]) {
      const difference = key(a) - key(b);
      if (difference !== 0) return difference;
    }
    return compareNames(a, b);
  });
}

function compareNames(a: Candidate, b: Candidate): number {
  if (a.pool.instanceType !== b.pool.instanceType) return a.pool.instanceType < b.pool.instanceType ? -1 : 1;
  if (a.pool.zone !== b.pool.zone) return a.pool.zone < b.pool.zone ? -1 : 1;
  return a.index - b.index;
}

/** The candidates that share the target in turns, if the strategy spreads. */
function spreadOf(request: AllocationRequest, ordered: readonly Candidate[], supply: Supply): readonly Candidate[] {
  if (request.strategy === "diversified") return ordered;
  if (request.strategy !== "lowest-price") return [];
  return ordered.filter((c) => supply.most(c, 1).count > 0).slice(0, request.poolsToUse ?? 1);
}

/** One allocation under way. */
class Run {
  #left: number;
  readonly #supply: Supply;
  #fulfilled = 0;
  readonly #launches = new Map<Candidate, number>();
  readonly #refusals = new Map<Candidate, Refusal>();

  constructor(target: number, supply: Supply) {
    this.#left = target;
    this.#supply = supply;
  }

  /** Draws up to `limit` instances, no more than the target still needs. Returns how many. */
  draw(candidate: Candidate, limit: number): number {
    const wanted = Math.min(limit, Math.ceil(this.#left / candidate.weight));
    if (wanted <= 0 || this.#refusals.has(candidate)) return 0;
    const { count, refusal } = this.#supply.most(candidate, wanted);
    if (count > 0) {
      this.#supply.take(candidate, count);
      this.#launches.set(candidate, (this.#launches.get(candidate) ?? 0) + count);
      this.#fulfilled += count * candidate.weight;
      this.#left -= count * candidate.weight;
    }
    if (count < wanted && refusal !== undefined) this.#refusals.set(candidate, refusal);
    return count;
  }

  /** One instance from each in turn, until the target is met or none gives any. */
  spread(candidates: readonly Candidate[]): void {
    for (let drawn = 1; drawn > 0 && this.#left > 0; ) {
      drawn = 0;
      for (const candidate of candidates) drawn += this.draw(candidate, 1);
    }
  }

  result(): Allocation {
    return {
      launches: [...this.#launches].map(([candidate, count]) => ({ candidate, count })),
      refusals: [...this.#refusals].map(([candidate, refusal]) => ({ candidate, refusal })),
      fulfilled: this.#fulfilled,
    };
  }
}
