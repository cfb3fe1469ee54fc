import type { Pod } from "../model/index.ts";
import type { LimitLedger } from "./ledger.ts";
import { hasFloors, launchableTypes, type OpenClaim, someTypeHolds } from "./open-claim.ts";
import type { Work } from "./packing/pack.ts";
import type { SolverClass } from "./solver-classes.ts";
import type { Topology } from "./topology/topology.ts";
import type { World } from "./world.ts";

/** What a solve works on: every number that changes is here. */
export interface Board {
  readonly world: World;
  /** Grows from round to round; what did not find a place is taken out of its class's pods. */
  readonly classes: SolverClass[];
  /** One row a class. */
  requests: Float64Array;
  /** Pods of each class that have no place yet. */
  left: Int32Array;
  readonly claims: OpenClaim[];
  readonly ledger: LimitLedger;
  /** What all packings together may still cost. */
  readonly work: Work;
  /** Undefined: no pod's place depends on where others are. */
  readonly topology: Topology | undefined;
}

/** Adds classes, all their pods still without a place; returns their numbers. */
export function addClasses(board: Board, fresh: readonly SolverClass[]): number[] {
  const width = board.world.axis.size;
  const from = board.classes.length;
  const requests = new Float64Array((from + fresh.length) * width);
  requests.set(board.requests);
  const left = new Int32Array(from + fresh.length);
  left.set(board.left);
  fresh.forEach((one, i) => {
    board.world.axis.write(one.sample.requests, requests, from + i);
    left[from + i] = one.pods.length;
    board.classes.push(one);
    board.topology?.rules.addClass(one.membership);
  });
  board.requests = requests;
  board.left = left;
  return fresh.map((_, i) => from + i);
}

/** Takes the pods of class `c` that have no place out of it. */
export function takeOut(board: Board, c: number): readonly Pod[] {
  const one = board.classes[c]!;
  const placed = one.pods.length - board.left[c]!;
  board.left[c] = 0;
  board.classes[c] = { ...one, pods: one.pods.slice(0, placed) };
  return one.pods.slice(placed);
}

/** True if the claim could still be bought with these pods on it. */
export function canHold(claim: OpenClaim, state: number, usage: Float64Array): boolean {
  if (!someTypeHolds(claim.pool, state, usage, claim.ceiling)) return false;
  return !hasFloors(claim.pool) || launchableTypes(claim.pool, state, usage, claim.ceiling) !== undefined;
}
