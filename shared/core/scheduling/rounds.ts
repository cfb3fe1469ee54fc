import type { Pod } from "../model/index.ts";
import { addClasses, type Board, takeOut } from "./board.ts";
import type { Unplaced } from "./solution.ts";
import { type Cohort, classOf, type SolverClass } from "./solver-classes.ts";
import { allot, type Wanting } from "./topology/allot.ts";
import type { Lessons } from "./topology/lessons.ts";
import { type Pins, pinnedKeys, pinsText } from "./topology/pins.ts";
import { stagesOf } from "./topology/preferences.ts";

/** A class on the board, with what is needed to try its rest again. */
interface Tried {
  readonly c: number;
  readonly cohort: Cohort;
  readonly pins: Pins;
}

/** Cohorts by the numbers of the classes that their pods are on the board as. */
export type TriedAs = Map<number, { readonly cohort: Cohort; readonly pins: Pins }>;

const noPins: Pins = new Map();
const tooEarly = "the pods that it wants to be near can only come after it";

const roomKey = ({ key, stage }: Cohort, pins: string): string => `${key}/${stage}|${pins}`;

/**
 * Brings pods onto the board in rounds and has them placed. Pods that rules tie to a zone or the like are given one first;
 * those that find no place give in on one of their wishes and try again. Returns those that nothing more can be done for.
 * Where a domain has less room than was thought, that goes into the lessons and the board is no good: what others were
 * given rests on it. Undefined then. `triedAs` is filled in.
 */
export function placeInRounds(
  board: Board,
  cohorts: readonly Cohort[],
  { rooms }: Lessons,
  triedAs: TriedAs,
  place: () => void,
): Unplaced[] | undefined {
  const respect = board.world.snapshot.settings.preferencePolicy === "Respect";
  const unplaced: Unplaced[] = [];
  let waiting = cohorts;
  let late: Cohort[] = [];
  while (waiting.length > 0) {
    const next: Cohort[] = [];
    const giveUp = (cohort: Cohort, pods: readonly Pod[], reason?: string): void => {
      if (board.topology?.waits(cohort.sample) === true) {
        late.push({ ...cohort, pods });
        return;
      }
      if (cohort.stage + 1 < stagesOf(cohort.sample, respect)) {
        next.push({ ...cohort, pods, stage: cohort.stage + 1 });
        return;
      }
      const solverClass = classOf(board.world, board.topology, cohort, pods);
      unplaced.push({ solverClass, pods, ...(reason === undefined ? {} : { reason }) });
    };
    const tried = bring(board, waiting, rooms, giveUp);
    place();
    let misjudged = false;
    for (const { c, cohort, pins } of tried) {
      triedAs.set(c, { cohort, pins });
      if (board.left[c] === 0) continue;
      const pods = takeOut(board, c);
      if (pins.size === 0) {
        giveUp(cohort, pods);
        continue;
      }
      rooms.set(roomKey(cohort, pinsText(pins)), board.classes[c]!.pods.length);
      misjudged = true;
    }
    if (misjudged) return undefined;
    waiting = merged(next);
    if (waiting.length === 0 && late.length > 0) {
      board.topology!.callLast();
      waiting = merged(late);
      late = [];
    }
  }
  return unplaced;
}

/** Notes where pods must not go again, for they can be bound there in no order. By class, how many. */
export function noteUnbindable(
  { classes }: Board,
  unbindable: ReadonlyMap<number, number>,
  triedAs: TriedAs,
  { rooms }: Lessons,
): void {
  for (const [c, count] of unbindable) {
    const { cohort, pins } = triedAs.get(c)!;
    rooms.set(roomKey(cohort, pinsText(pins)), classes[c]!.pods.length - count);
  }
}

/** Puts cohorts on the board; those that rules tie to domains, in as many classes as they got domains. */
function bring(
  board: Board,
  cohorts: readonly Cohort[],
  rooms: Lessons["rooms"],
  giveUp: (cohort: Cohort, pods: readonly Pod[], reason?: string) => void,
): readonly Tried[] {
  const { world, topology } = board;
  const width = world.axis.size;
  const fresh: { readonly one: SolverClass; readonly cohort: Cohort; readonly pins: Pins }[] = [];
  const wanting = new Map<Wanting, Cohort>();
  for (const cohort of cohorts) {
    const one = classOf(world, topology, cohort, cohort.pods);
    if (topology === undefined || pinnedKeys(topology, one.membership).length === 0) {
      const most = rooms.get(roomKey(cohort, "")) ?? cohort.pods.length;
      const pods = cohort.pods.slice(0, most);
      if (pods.length > 0) fresh.push({ one: { ...one, pods }, cohort, pins: noPins });
      if (pods.length < cohort.pods.length) giveUp(cohort, cohort.pods.slice(most), tooEarly);
      continue;
    }
    const usage = new Float64Array(width);
    world.axis.write(cohort.sample.requests, usage, 0);
    const room = (pins: string): number | undefined => rooms.get(roomKey(cohort, pins));
    wanting.set({ one, membership: one.membership, usage, count: cohort.pods.length, room }, cohort);
  }
  if (topology !== undefined && wanting.size > 0) {
    for (const [one, { allotments, blocked, reason }] of allot(world, topology, [...wanting.keys()])) {
      const cohort = wanting.get(one)!;
      let from = 0;
      for (const { pins, count } of allotments) {
        const pods = cohort.pods.slice(from, from + count);
        fresh.push({ one: classOf(world, topology, cohort, pods, pins), cohort, pins });
        from += count;
      }
      if (blocked > 0) giveUp(cohort, cohort.pods.slice(from), reason);
    }
  }
  const numbers = addClasses(
    board,
    fresh.map(({ one }) => one),
  );
  return fresh.map(({ cohort, pins }, i) => ({ c: numbers[i]!, cohort, pins }));
}

/** Rests of one cohort that are at the same point go on together. */
function merged(cohorts: readonly Cohort[]): Cohort[] {
  const byText = new Map<string, Cohort>();
  for (const cohort of cohorts) {
    const text = `${cohort.key}/${cohort.stage}`;
    const known = byText.get(text);
    if (known === undefined) byText.set(text, cohort);
    else byText.set(text, { ...known, pods: [...known.pods, ...cohort.pods] });
  }
  return [...byText.values()];
}
