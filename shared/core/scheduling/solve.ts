import type { Pod } from "../model/index.ts";
import type { Board } from "./board.ts";
import { maxPlanSteps, maxReplans } from "./bounds.ts";
import { isFairer, isUnfair, tiersOf } from "./by-priority.ts";
import { BinFilling } from "./fill-bins.ts";
import { LimitLedger } from "./ledger.ts";
import { mergeClaims } from "./merge-claims.ts";
import { type Member, packPool } from "./pack-pool.ts";
import { placeRest } from "./place-rest.ts";
import { retried } from "./retry.ts";
import { reuseClaims } from "./reuse-claims.ts";
import { noteUnbindable, placeInRounds, type TriedAs } from "./rounds.ts";
import type { Solution, Solved, Unplaced } from "./solution.ts";
import { cohortsOf } from "./solver-classes.ts";
import { unbindable } from "./topology/binding-order.ts";
import { type Lessons, noLessons } from "./topology/lessons.ts";
import { Topology } from "./topology/topology.ts";
import { noteUnforeseen } from "./topology/unforeseen.ts";
import type { World } from "./world.ts";

/**
 * Places pods, as `solveOnce` does; where that opens claims though claims in flight stand without any pods, also with
 * those claims set aside and then matched: whichever buys less. Where pods stay without a place that less important ones may
 * have taken, the important ones are placed first; where pods stay without a place that another order may find them, they are
 * placed before the others. Of several `tiers` of the pods each is placed before the next.
 */
export function solve(world: World, pods: readonly Pod[], tiers: readonly (readonly Pod[])[] = [pods]): Solution {
  const again = (other: typeof tiers): Solution => solveOnce(world, pods, other).solution;
  const plain = again(tiers);
  const ranked = isUnfair(world, pods, plain) ? again(tiersOf(pods)) : plain;
  const isBetter = isFairer(ranked, plain);
  const first = retried(world, isBetter ? tiersOf(pods) : tiers, isBetter ? ranked : plain, again);
  if (first !== plain) return first;
  return first.claims.length === 0
    ? first
    : (reuseClaims(world, pods, first, (other, all) => solveOnce(other, all, tiers)) ?? first);
}

/**
 * Places pods: on nodes that are there, on claims in flight, on new nodes of the pools by weight (each class goes on to
 * its next option only when one gives no more), then one by one wherever anything still fits. Places marked
 * PreferNoSchedule come last. The same world and pods give the same solution. Of several `tiers` of the pods each is placed
 * before the next is looked at.
 */
export function solveOnce(world: World, pods: readonly Pod[], tiers: readonly (readonly Pod[])[] = [pods]): Solved {
  const lessons = noLessons();
  for (let replans = 0; ; replans++) {
    const solved = tryOnce(world, pods, tiers, lessons);
    if (solved !== undefined) return solved;
    if (replans >= maxReplans) for (const key of lessons.rooms.keys()) lessons.rooms.set(key, 0);
  }
}

/** Undefined: the plan rests on something that is not so, which the lessons now say. */
function tryOnce(
  world: World,
  pods: readonly Pod[],
  tiers: readonly (readonly Pod[])[],
  lessons: Lessons,
): Solved | undefined {
  const topology = Topology.of(world, pods, lessons.domains);
  const board: Board = {
    world,
    classes: [],
    requests: new Float64Array(0),
    left: new Int32Array(0),
    claims: [],
    ledger: new LimitLedger(world.limits),
    work: { stepsLeft: maxPlanSteps },
    topology,
  };
  const bins = new BinFilling(board);
  const unplaced: Unplaced[] = [];
  const triedAs: TriedAs = new Map();
  for (const tier of tiers) {
    const left = placeInRounds(board, cohortsOf(tier, topology), lessons, triedAs, () => place(board, bins));
    if (left === undefined) return undefined;
    unplaced.push(...left);
  }
  if (noteUnforeseen(board, lessons)) return undefined;
  const refused = unbindable(board, bins.taken, tiers.length > 1);
  if (refused.size > 0) {
    noteUnbindable(board, refused, triedAs, lessons);
    return undefined;
  }
  return { solution: handOut(board, bins, unplaced), board };
}

function place(board: Board, bins: BinFilling): void {
  bins.fill({ shunned: false });
  openClaims(board, false);
  if (board.left.some((count) => count > 0)) {
    placeRest(board, bins, { shunned: false });
    bins.fill({ shunned: true });
    openClaims(board, true);
    placeRest(board, bins, { shunned: true });
  }
  mergeClaims(board);
}

/** Rounds over the pools: in each, every class tries the pool of its current option. */
function openClaims(board: Board, shunned: boolean): void {
  const { classes, left, world } = board;
  const options = classes.map((one) => one.options.filter((option) => option.shunned === shunned));
  const cursor = new Int32Array(classes.length);
  const waiting = (c: number): boolean => left[c]! > 0 && cursor[c]! < options[c]!.length;
  while (classes.some((_, c) => waiting(c))) {
    const membersOf = new Map<number, Member[]>();
    for (let c = 0; c < classes.length; c++) {
      if (!waiting(c)) continue;
      const { pool, ask } = options[c]![cursor[c]!]!;
      const known = membersOf.get(pool);
      if (known === undefined) membersOf.set(pool, [{ c, ask }]);
      else known.push({ c, ask });
    }
    for (const index of [...membersOf.keys()].sort((a, b) => a - b)) {
      packPool(board, world.pools.pools[index]!, index, membersOf.get(index)!);
    }
    for (let c = 0; c < classes.length; c++) if (waiting(c)) cursor[c]!++;
  }
}

/** Gives each place its pods by name: the first pods of a class to its first places. */
function handOut(board: Board, bins: BinFilling, unplaced: readonly Unplaced[]): Solution {
  const cursor = new Int32Array(board.classes.length);
  const take = (taken: ReadonlyMap<number, number>): Pod[] => {
    const pods: Pod[] = [];
    for (const c of [...taken.keys()].sort((a, b) => a - b)) {
      const from = cursor[c]!;
      cursor[c] = from + taken.get(c)!;
      for (let i = from; i < cursor[c]!; i++) pods.push(board.classes[c]!.pods[i]!);
    }
    return pods;
  };
  const placements = bins.taken.map(({ bin, taken }) => ({ bin, pods: take(taken) }));
  const claims = board.claims.map((claim) => ({ claim, pods: take(claim.taken) }));
  return { claims, placements, unplaced, ledger: board.ledger };
}
