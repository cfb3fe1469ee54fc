import { flexibilityFillPerMille, minLaunchableTypes } from "./bounds.ts";
import { floorsOf, missedFloor } from "./choose-types.ts";
import type { Candidate } from "./packing/problem.ts";
import type { StateTable } from "./pool-space.ts";

interface Room {
  readonly type: number;
  readonly room: Float64Array;
}

/** Ways to open nodes of a pool, in two kinds. */
export interface CandidateSets {
  /** Filled no further than lets enough other types take the same pods. */
  readonly flexible: readonly Candidate[];
  /** Filled to the brim: for pods that only few types can hold. */
  readonly full: readonly Candidate[];
}

/**
 * Candidates of a start state over the given resource columns. A flexible candidate's room is the least of
 * `minLaunchableTypes` types of about its size, so that whatever fills it fits all of those; types that too few can
 * stand in for are only candidates of the full kind. Dominated ones are dropped in both.
 */
export function candidatesOf(
  states: StateTable,
  start: number,
  asksInUse: readonly number[],
  columns: readonly number[],
  width: number,
  allowed: (type: number) => boolean,
): CandidateSets {
  const room = states.room(start);
  const types: Room[] = [];
  for (let t = 0; t < states.types.length; t++) {
    if (!states.offers(start, t) || !allowed(t)) continue;
    const row = Float64Array.from(columns, (column) => room[t * width + column]!);
    if (row.every((amount) => amount >= 0)) types.push({ type: t, room: row });
  }
  types.sort((a, b) => states.price(start, a.type) - states.price(start, b.type) || a.type - b.type);
  const flexible: Room[] = [];
  for (const one of types) {
    const shared = sharedRoom(states, start, one, types);
    if (shared !== undefined) flexible.push({ type: one.type, room: shared });
  }
  const asked = asksInUse.map((ask) => states.next(start, ask)).filter((state) => state >= 0);
  const finish = (rooms: readonly Room[]): Candidate[] =>
    withoutDominated(states, [start, ...asked], rooms).map(({ type, room }) => ({
      type,
      start,
      room,
      limit: Number.POSITIVE_INFINITY,
    }));
  return { flexible: finish(flexible), full: finish(types) };
}

/** The least room among the types that can stand in for this one; undefined if they are too few. */
function sharedRoom(states: StateTable, start: number, one: Room, types: readonly Room[]): Float64Array | undefined {
  const least = flexibilityFillPerMille / 1_000;
  const standIns: { readonly room: Float64Array; readonly type: number; readonly share: number }[] = [];
  for (const other of types) {
    let share = Number.POSITIVE_INFINITY;
    for (let r = 0; r < one.room.length && share >= least; r++) {
      if (one.room[r]! <= 0) continue;
      const ratio = other.room[r]! / one.room[r]!;
      if (ratio < share) share = ratio;
    }
    if (share >= least) standIns.push({ room: other.room, type: other.type, share });
  }
  if (standIns.length < minLaunchableTypes) return undefined;
  standIns.sort((a, b) => b.share - a.share || a.type - b.type);
  const requirements = states.requirements(start);
  let count = minLaunchableTypes;
  if (floorsOf(requirements).length > 0) {
    const chosen = (): boolean =>
      missedFloor(
        standIns.slice(0, count).map(({ type }) => states.types[type]!),
        requirements,
      ) === undefined;
    while (count < standIns.length && !chosen()) count++;
    if (!chosen()) return undefined;
  }
  const shared = one.room.slice();
  for (const { room } of standIns.slice(0, count)) {
    for (let r = 0; r < shared.length; r++) if (room[r]! < shared[r]!) shared[r] = room[r]!;
  }
  return shared;
}

/** Drops each candidate that another one beats: at least as much room, and nowhere dearer. `rooms` come cheapest first. */
function withoutDominated(states: StateTable, inStates: readonly number[], rooms: readonly Room[]): Room[] {
  const kept: Room[] = [];
  for (const one of rooms) {
    const beaten = kept.some(
      (other) =>
        other.room.every((amount, r) => amount >= one.room[r]!) &&
        inStates.every((state) => states.price(state, other.type) <= states.price(state, one.type)),
    );
    if (!beaten) kept.push(one);
  }
  return kept;
}
