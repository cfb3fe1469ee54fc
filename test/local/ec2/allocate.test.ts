import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Allocation, allocate, type Candidate, type Strategy, type Supply } from "../../../local/ec2/allocate.ts";

interface PoolSketch {
  readonly name: string;
  readonly price: number;
  readonly free: number;
  readonly priority?: number;
  readonly weight?: number;
}

function candidatesOf(pools: readonly PoolSketch[]): Candidate[] {
  return pools.map((pool, index) => ({
    index,
    pool: { instanceType: pool.name, zone: "us-east-1a", capacityType: "spot" },
    subnetId: "subnet-1",
    weight: pool.weight ?? 1,
    priceUsd: pool.price,
    ...(pool.priority === undefined ? {} : { priority: pool.priority }),
  }));
}

/** A supply in which each candidate is a pool of its own. */
function supplyOf(pools: readonly PoolSketch[]): Supply {
  const left = pools.map((pool) => pool.free);
  return {
    free: (c) => left[c.index]!,
    most(c, wanted) {
      const count = Math.min(wanted, left[c.index]!);
      return count === wanted ? { count } : { count, refusal: { code: "InsufficientInstanceCapacity", message: "" } };
    },
    take(c, count) {
      left[c.index]! -= count;
    },
  };
}

function run(pools: readonly PoolSketch[], target: number, strategy: Strategy, poolsToUse = 1): Allocation {
  return allocate({ strategy, candidates: candidatesOf(pools), target, poolsToUse }, supplyOf(pools));
}

/** Instances by pool name. */
function counts(allocation: Allocation): Record<string, number> {
  return Object.fromEntries(allocation.launches.map((l) => [l.candidate.pool.instanceType, l.count]));
}

function refused(allocation: Allocation): string[] {
  return allocation.refusals.map((r) => r.candidate.pool.instanceType).sort();
}

const cheap = { name: "cheap", price: 1, free: 10 };
const middle = { name: "middle", price: 2, free: 100 };
const dear = { name: "dear", price: 3, free: 1000 };

describe("allocation", () => {
  it.each<[string, Strategy, readonly PoolSketch[], number, Record<string, number>, string[]]>([
    ["lowest-price takes the cheapest", "lowest-price", [dear, cheap, middle], 4, { cheap: 4 }, []],
    [
      "lowest-price goes on to the next",
      "lowest-price",
      [dear, cheap, middle],
      14,
      { cheap: 10, middle: 4 },
      ["cheap"],
    ],
    ["capacity-optimized takes the deepest", "capacity-optimized", [cheap, dear, middle], 4, { dear: 4 }, []],
    [
      "capacity-optimized-prioritized takes the best priority among deep pools",
      "capacity-optimized-prioritized",
      [
        { ...cheap, priority: 0 },
        { ...middle, priority: 2 },
        { ...dear, priority: 1 },
      ],
      8,
      { dear: 8 },
      [],
    ],
    [
      "price-capacity-optimized passes over a thin pool",
      "price-capacity-optimized",
      [cheap, middle, dear],
      8,
      { middle: 8 },
      [],
    ],
    [
      "price-capacity-optimized takes the cheapest of deep pools",
      "price-capacity-optimized",
      [dear, middle, cheap],
      5,
      { cheap: 5 },
      [],
    ],
    [
      "price-capacity-optimized ends with thin pools",
      "price-capacity-optimized",
      [cheap, { ...middle, free: 3 }],
      12,
      { cheap: 10, middle: 2 },
      ["cheap"],
    ],
    ["diversified takes turns", "diversified", [cheap, middle, dear], 7, { cheap: 3, middle: 2, dear: 2 }, []],
    [
      "prioritized takes the lowest number, pools without one last",
      "prioritized",
      [cheap, { ...middle, priority: 5 }, { ...dear, priority: 1, free: 2 }],
      4,
      { dear: 2, middle: 2 },
      ["dear"],
    ],
    [
      "nothing anywhere",
      "lowest-price",
      [
        { ...cheap, free: 0 },
        { ...dear, free: 0 },
      ],
      1,
      {},
      ["cheap", "dear"],
    ],
  ])("%s", (_title, strategy, pools, target, expected, errors) => {
    const allocation = run(pools, target, strategy);
    expect(counts(allocation)).toEqual(expected);
    expect(refused(allocation)).toEqual(errors);
  });

  it("spreads lowest-price over as many pools as asked, cheapest first", () => {
    expect(counts(run([dear, cheap, middle], 4, "lowest-price", 2))).toEqual({ cheap: 2, middle: 2 });
    expect(counts(run([dear, { ...cheap, free: 0 }, middle], 4, "lowest-price", 2))).toEqual({ middle: 2, dear: 2 });
  });

  it("counts weights: the unit's price decides, the target is met with the last instance", () => {
    const pools = [
      { name: "small", price: 1, free: 10, weight: 1 },
      { name: "large", price: 3, free: 10, weight: 4 },
    ];
    const allocation = run(pools, 6, "lowest-price");
    expect(counts(allocation)).toEqual({ large: 2 });
    expect(allocation.fulfilled).toBe(8);
  });
});

const sketches = fc
  .array(
    fc.record({
      price: fc.integer({ min: 1, max: 20 }),
      free: fc.integer({ min: 0, max: 12 }),
      priority: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((pools) => pools.map((pool, i) => ({ ...pool, name: `p${i}` })));
const targets = fc.integer({ min: 1, max: 40 });
const strategies = fc.constantFrom<Strategy>(
  "lowest-price",
  "capacity-optimized",
  "capacity-optimized-prioritized",
  "price-capacity-optimized",
  "diversified",
  "prioritized",
);

/** Every pool that `better` puts before a launched one must have been used up. */
function nothingBetterLeft(
  pools: readonly PoolSketch[],
  allocation: Allocation,
  better: (a: PoolSketch, b: PoolSketch) => boolean,
): boolean {
  const taken = counts(allocation);
  const launched = pools.filter((p) => (taken[p.name] ?? 0) > 0);
  return launched.every((l) => pools.every((p) => !better(p, l) || (taken[p.name] ?? 0) === p.free));
}

describe("allocation, for any pools", () => {
  it("gives the target or all there is, never more, and takes no pool below zero", () => {
    fc.assert(
      fc.property(sketches, targets, strategies, fc.integer({ min: 1, max: 4 }), (pools, target, strategy, use) => {
        const allocation = run(pools, target, strategy, use);
        const total = pools.reduce((sum, p) => sum + p.free, 0);
        expect(allocation.fulfilled).toBe(Math.min(target, total));
        expect(allocation.launches.reduce((sum, l) => sum + l.count, 0)).toBe(allocation.fulfilled);
        for (const { candidate, count } of allocation.launches) {
          expect(count).toBeGreaterThan(0);
          expect(count).toBeLessThanOrEqual(pools[candidate.index]!.free);
        }
      }),
    );
  });

  it("names every pool that gave less than it was asked for, once, and no other", () => {
    fc.assert(
      fc.property(sketches, targets, strategies, (pools, target, strategy) => {
        const allocation = run(pools, target, strategy);
        const names = refused(allocation);
        expect(new Set(names).size).toBe(names.length);
        const taken = counts(allocation);
        for (const name of names) expect(taken[name] ?? 0).toBe(pools.find((p) => p.name === name)!.free);
        if (allocation.fulfilled < target) expect(names).toEqual(pools.map((p) => p.name).sort());
      }),
    );
  });

  it("doesn't depend on the order of the overrides", () => {
    fc.assert(
      fc.property(sketches, targets, strategies, fc.infiniteStream(fc.nat()), (pools, target, strategy, shuffle) => {
        const keyed = pools.map((pool) => ({ pool, key: shuffle.next().value as number }));
        const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ pool }) => pool);
        expect(counts(run(shuffled, target, strategy))).toEqual(counts(run(pools, target, strategy)));
      }),
    );
  });

  it("leaves nothing cheaper behind under lowest-price, nothing deeper under capacity-optimized, nothing of better priority under prioritized", () => {
    fc.assert(
      fc.property(sketches, targets, (pools, target) => {
        expect(nothingBetterLeft(pools, run(pools, target, "lowest-price"), (a, b) => a.price < b.price)).toBe(true);
        expect(nothingBetterLeft(pools, run(pools, target, "capacity-optimized"), (a, b) => a.free > b.free)).toBe(
          true,
        );
        expect(nothingBetterLeft(pools, run(pools, target, "prioritized"), (a, b) => a.priority! < b.priority!)).toBe(
          true,
        );
      }),
    );
  });

  it("takes everything from the cheapest deep pool under price-capacity-optimized, if there is one", () => {
    fc.assert(
      fc.property(sketches, fc.integer({ min: 1, max: 6 }), (pools, target) => {
        const deep = pools.filter((p) => p.free >= 2 * target);
        fc.pre(deep.length > 0);
        const cheapest = Math.min(...deep.map((p) => p.price));
        const [launch, ...more] = run(pools, target, "price-capacity-optimized").launches;
        expect(more).toEqual([]);
        const pool = pools[launch!.candidate.index]!;
        expect([pool.price, pool.free >= 2 * target]).toEqual([cheapest, true]);
      }),
    );
  });

  it("differs by one at most between pools that had more, under diversified", () => {
    fc.assert(
      fc.property(sketches, targets, (pools, target) => {
        const taken = counts(run(pools, target, "diversified"));
        const most = Math.max(0, ...Object.values(taken));
        for (const pool of pools) {
          const count = taken[pool.name] ?? 0;
          if (count < pool.free) expect(count).toBeGreaterThanOrEqual(most - 1);
        }
      }),
    );
  });

  it("exceeds the target by less than the weight of one instance", () => {
    const weighted = fc.tuple(sketches, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 8, maxLength: 8 }));
    fc.assert(
      fc.property(weighted, targets, strategies, ([pools, weights], target, strategy) => {
        const heavy = pools.map((pool, i) => ({ ...pool, weight: weights[i]! }));
        const allocation = run(heavy, target, strategy);
        const heaviest = Math.max(0, ...allocation.launches.map((l) => l.candidate.weight));
        expect(allocation.fulfilled - target).toBeLessThan(Math.max(1, heaviest));
      }),
    );
  });
});
