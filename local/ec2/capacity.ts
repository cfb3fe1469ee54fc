// How much of each capacity pool is left. A pool is instance type × zone × capacity type; its capacity is counted in instances,
// is finite, falls with each launch, comes back with each termination, and may be set while the world runs.
import type { Catalog, PoolName } from "./catalog.ts";

/** A refusal that a pool answers instead of "no capacity", such as UnfulfillableCapacity. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

interface PoolState {
  free: number;
  used: number;
  refusal?: Refusal;
}

/** Which pools are meant; a field that is left out means any. */
export type PoolMatch = Partial<PoolName>;

export interface Capacity {
  /** Instances that the pool can still give; 0 for a pool that doesn't exist. */
  free(pool: PoolName): number;
  /** Instances of the pool that hold capacity now. */
  used(pool: PoolName): number;
  /** What the pool answers instead of its capacity, if anything. */
  refusal(pool: PoolName): Refusal | undefined;
  take(pool: PoolName, count: number): void;
  giveBack(pool: PoolName, count: number): void;
  /** Sets what the matching pools have left. Returns how many pools matched. */
  setFree(match: PoolMatch, count: number): number;
  /** Makes the matching pools answer an error of the caller's choice; undefined ends it. Returns how many pools matched. */
  setRefusal(match: PoolMatch, refusal: Refusal | undefined): number;
  pools(): readonly PoolName[];
}

/** Every pool that the catalog prices, each with `initial` instances to give, and none where the file says "unavailable". */
export function createCapacity(
  catalog: Catalog,
  unavailable: readonly { instanceType: string; zone: string; capacityType: string }[],
  initial: number,
): Capacity {
  const names: PoolName[] = [];
  const states = new Map<string, PoolState>();
  for (const instanceType of catalog.types.keys()) {
    for (const zone of catalog.zonesOf(instanceType)) {
      for (const capacityType of ["on-demand", "spot"] as const) {
        const name = { instanceType, zone, capacityType };
        if (catalog.priceOf(name) === undefined) continue;
        names.push(name);
        states.set(keyOf(name), { free: initial, used: 0 });
      }
    }
  }
  for (const name of unavailable) {
    const state = states.get(keyOf(name));
    if (state !== undefined) state.free = 0;
  }

  const stateOf = (name: PoolName): PoolState => {
    const state = states.get(keyOf(name));
    if (state === undefined) throw new Error(`there is no capacity pool ${keyOf(name)}`);
    return state;
  };
  const matching = (match: PoolMatch): PoolState[] =>
    names.filter((name) => matches(name, match)).map((name) => stateOf(name));

  return {
    free: (pool) => states.get(keyOf(pool))?.free ?? 0,
    used: (pool) => states.get(keyOf(pool))?.used ?? 0,
    refusal: (pool) => states.get(keyOf(pool))?.refusal,
    take(pool, count) {
      const state = stateOf(pool);
      if (count > state.free) throw new Error(`${keyOf(pool)} has ${state.free} left, not ${count}`);
      state.free -= count;
      state.used += count;
    },
    giveBack(pool, count) {
      const state = stateOf(pool);
      state.free += count;
      state.used -= count;
    },
    setFree(match, count) {
      const found = matching(match);
      for (const state of found) state.free = count;
      return found.length;
    },
    setRefusal(match, refusal) {
      const found = matching(match);
      for (const state of found) {
        if (refusal === undefined) delete state.refusal;
        else state.refusal = refusal;
      }
      return found.length;
    },
    pools: () => names,
  };
}

function matches(name: PoolName, match: PoolMatch): boolean {
  return (
    (match.instanceType ?? name.instanceType) === name.instanceType &&
    (match.zone ?? name.zone) === name.zone &&
    (match.capacityType ?? name.capacityType) === name.capacityType
  );
}

function keyOf(name: { instanceType: string; zone: string; capacityType: string }): string {
  return `${name.instanceType}/${name.zone}/${name.capacityType}`;
}
