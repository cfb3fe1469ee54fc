import { maxInstanceTypesPerClaim } from "../limits.ts";
import type { InstanceType, Resources } from "../model/index.ts";
import { cutTypes, missedFloor } from "./choose-types.ts";
import { limitsExceeded } from "./limits.ts";
import type { Pool } from "./pool.ts";

/** A new node while it is being planned: pods by class, and what is still open about it. */
export interface OpenClaim {
  readonly pool: Pool;
  readonly poolIndex: number;
  state: number;
  /** Requests of its pods, as the axis. */
  readonly usage: Float64Array;
  /** Class → pods taken. */
  readonly taken: Map<number, number>;
  /** A reservation's slot that it holds. */
  readonly reservation?: string;
  /** Types whose capacity exceeds this are left out, so that the pool's limits hold. */
  readonly ceiling?: Resources;
}

/** Indices of the types that could be bought in this state and hold these pods and the daemons there, cheapest first. */
export function typesHolding(
  pool: Pool,
  state: number,
  usage: Float64Array,
  ceiling: Resources | undefined,
  most = Number.POSITIVE_INFINITY,
): number[] {
  const holding: number[] = [];
  for (const t of pool.states.cheapest(state)) {
    if (holding.length >= most) break;
    if (typeHolds(pool, state, t, usage, ceiling)) holding.push(t);
  }
  return holding;
}

export function someTypeHolds(pool: Pool, state: number, usage: Float64Array, ceiling: Resources | undefined): boolean {
  return typesHolding(pool, state, usage, ceiling, 1).length > 0;
}

function typeHolds(
  { states }: Pool,
  state: number,
  t: number,
  usage: Float64Array,
  ceiling: Resources | undefined,
): boolean {
  const room = states.room(state);
  const width = usage.length;
  // Also of what the pods do not ask for: daemons alone may be too much for a type.
  for (let r = 0; r < width; r++) if (usage[r]! > room[t * width + r]!) return false;
  return ceiling === undefined || limitsExceeded(ceiling, states.typeIn(state, t).capacity).length === 0;
}

/** True if the pool asks for a number of distinct values (minValues) of some label. */
export function hasFloors({ floors }: Pool): boolean {
  return floors.length > 0;
}

/**
 * The types that a claim may be launched as, cheapest first, at most 60; undefined if a flexibility floor is missed. A state
 * that was begun without floors misses none, but its types are chosen with an eye to the pool's.
 */
export function launchableTypes(
  pool: Pool,
  state: number,
  usage: Float64Array,
  ceiling: Resources | undefined,
): readonly InstanceType[] | undefined {
  const holding = typesHolding(pool, state, usage, ceiling, hasFloors(pool) ? undefined : maxInstanceTypesPerClaim);
  if (holding.length === 0) return undefined;
  const types = holding.map((t) => pool.states.typeIn(state, t));
  const requirements = pool.states.requirements(state);
  const cut = cutTypes(types, requirements, pool.floors);
  return missedFloor(cut, requirements) === undefined ? cut : undefined;
}
