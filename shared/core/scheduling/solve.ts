import type { Pod } from "../model/index.ts";
import { maxPlanSteps } from "./bounds.ts";
import { BinFilling } from "./fill-bins.ts";
import { LimitLedger } from "./ledger.ts";
import { hasFloors, launchableTypes, type OpenClaim, someTypeHolds } from "./open-claim.ts";
import { type Member, packPool } from "./pack-pool.ts";
import type { Work } from "./packing/pack.ts";
import { placeRest } from "./place-rest.ts";
import { reuseClaims } from "./reuse-claims.ts";
import { compileClasses, type SolverClass } from "./solver-classes.ts";
import type { World } from "./world.ts";

/** Pods of one class that go to one place. */
export interface Share {
  readonly target: OpenClaim | number;
  readonly pods: readonly Pod[];
}

export interface Unplaced {
  readonly solverClass: SolverClass;
  readonly pods: readonly Pod[];
}

export interface Solution {
  readonly claims: readonly { readonly claim: OpenClaim; readonly pods: readonly Pod[] }[];
  /** Bins that get pods, by the bin's index in the world. */
  readonly placements: readonly { readonly bin: number; readonly pods: readonly Pod[] }[];
  readonly unplaced: readonly Unplaced[];
  /** What the limits leave after this plan: for verdicts. */
  readonly ledger: LimitLedger;
}

/** What a solve works on: every number that changes is here. */
export interface Board {
  readonly world: World;
  readonly classes: readonly SolverClass[];
  readonly requests: Float64Array;
  /** Pods of each class that have no place yet. */
  readonly left: Int32Array;
  readonly claims: OpenClaim[];
  readonly ledger: LimitLedger;
  /** What all packings together may still cost. */
  readonly work: Work;
}

/**
 * Places pods, as `solveOnce` does; where that opens claims though claims in flight stand without any pods, also with
 * those claims set aside and then matched: whichever buys less.
 */
export function solve(world: World, pods: readonly Pod[]): Solution {
  const first = solveOnce(world, pods).solution;
  return first.claims.length === 0 ? first : (reuseClaims(world, pods, first) ?? first);
}

/** A solution with the board that it was found on. */
export interface Solved {
  readonly solution: Solution;
  readonly board: Board;
}

/**
 * Places pods: on nodes that are there, on claims in flight, on new nodes of the pools by weight (each class goes on to
 * its next option only when one gives no more), then one by one wherever anything still fits. Places marked
 * PreferNoSchedule come last. The same world and pods give the same solution.
 */
export function solveOnce(world: World, pods: readonly Pod[]): Solved {
  const { classes, requests } = compileClasses(world, pods);
  const board: Board = {
    world,
    classes,
    requests,
    left: Int32Array.from(classes, (one) => one.pods.length),
    claims: [],
    ledger: new LimitLedger(world.limits),
    work: { stepsLeft: maxPlanSteps },
  };
  const bins = new BinFilling(board);
  bins.fill({ shunned: false });
  openClaims(board, false);
  if (board.left.some((count) => count > 0)) {
    placeRest(board, bins, { shunned: false });
    bins.fill({ shunned: true });
    openClaims(board, true);
    placeRest(board, bins, { shunned: true });
  }
  return { solution: handOut(board, bins), board };
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
function handOut(board: Board, bins: BinFilling): Solution {
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
  const unplaced = board.classes
    .map((solverClass, c) => ({ solverClass, pods: solverClass.pods.slice(cursor[c]!) }))
    .filter(({ pods }) => pods.length > 0);
  return { claims, placements, unplaced, ledger: board.ledger };
}

/** True if the claim could still be bought with these pods on it. */
export function canHold(claim: OpenClaim, state: number, usage: Float64Array): boolean {
  if (!someTypeHolds(claim.pool, state, usage, claim.ceiling)) return false;
  return !hasFloors(claim.pool) || launchableTypes(claim.pool, state, usage, claim.ceiling) !== undefined;
}
