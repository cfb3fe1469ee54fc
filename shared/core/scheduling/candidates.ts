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
    // Daemons may be too much for a type in what no pod asks for.
    if (!room.subarray(t * width, (t + 1) * width).every((amount) => amount >= 0)) continue;
    types.push({ type: t, room: Float64Array.from(columns, (column) => room[t * width + column]!) });
  }
  types.sort((a, b) => states.price(start, a.type) - states.price(start, b.type) || a.type - b.type);
  const matrix = new Float64Array(types.length * columns.length);
  types.forEach(({ room: row }, i) => {
    matrix.set(row, i * columns.length);
  });
  const asked = asksInUse.map((ask) => states.next(start, ask)).filter((state) => state >= 0);
  const inStates = [start, ...asked];
  const flexible: Room[] = [];
  const full: Room[] = [];
  types.forEach((one, i) => {
    if (!isBeaten(states, inStates, one, full)) full.push(one);
    if (isBeaten(states, inStates, one, flexible)) return;
    const room = sharedRoom(states, start, i, types, matrix);
    if (room === undefined) return;
    const shared = { type: one.type, room };
    if (!isBeaten(states, inStates, shared, flexible)) flexible.push(shared);
  });
  const asCandidates = (rooms: readonly Room[]): Candidate[] =>
    rooms.map(({ type, room: own }) => ({ type, start, room: own, limit: Number.POSITIVE_INFINITY }));
  return { flexible: asCandidates(flexible), full: asCandidates(full) };
}

/**
 * The least room among the types that can stand in for type `one`; undefined if they are too few. Those with at least as
 * much of everything come first, then those that lack least. `matrix` has one row a type.
 */
function sharedRoom(
  states: StateTable,
  start: number,
  one: number,
  types: readonly Room[],
  matrix: Float64Array,
): Float64Array | undefined {
  const width = types[one]!.room.length;
  const own = types[one]!.room;
  const least = own.map((amount) => (amount * flexibilityFillPerMille) / 1_000);
  const above: number[] = [];
  const near: number[] = [];
  for (let other = 0; other < types.length; other++) {
    let enough = true;
    let whole = true;
    for (let r = 0; enough && r < width; r++) {
      const amount = matrix[other * width + r]!;
      enough = amount >= least[r]!;
      whole = whole && amount >= own[r]!;
    }
    if (enough) (whole ? above : near).push(other);
  }
  const floors = floorsOf(states.requirements(start)).length > 0;
  if (above.length >= minLaunchableTypes && !floors) return own;
  if (above.length + near.length < minLaunchableTypes) return undefined;
  const shareOf = (other: number): number => {
    let share = Number.POSITIVE_INFINITY;
    for (let r = 0; r < width; r++) {
      if (own[r]! > 0) share = Math.min(share, matrix[other * width + r]! / own[r]!);
    }
    return share;
  };
  const ranked = near
    .map((other) => ({ other, share: shareOf(other) }))
    .sort((a, b) => b.share - a.share || a.other - b.other);
  const standIns = [...above, ...ranked.map(({ other }) => other)];
  const requirements = states.requirements(start);
  const typesOf = (count: number) => standIns.slice(0, count).map((other) => states.types[types[other]!.type]!);
  let count = Math.max(minLaunchableTypes, above.length);
  if (floors) {
    while (count < standIns.length && missedFloor(typesOf(count), requirements) !== undefined) count++;
    if (missedFloor(typesOf(count), requirements) !== undefined) return undefined;
  }
  const shared = own.slice();
  for (const other of standIns.slice(0, count)) {
    for (let r = 0; r < width; r++) shared[r] = Math.min(shared[r]!, matrix[other * width + r]!);
  }
  return shared;
}

/** Another one has at least as much room and is nowhere dearer. `kept` are cheaper in the first state. */
function isBeaten(states: StateTable, inStates: readonly number[], one: Room, kept: readonly Room[]): boolean {
  const width = one.room.length;
  return kept.some((other) => {
    for (let r = 0; r < width; r++) if (other.room[r]! < one.room[r]!) return false;
    return inStates.every((state) => states.price(state, other.type) <= states.price(state, one.type));
  });
}
