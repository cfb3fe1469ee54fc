import type { Pod } from "../model/index.ts";
import type { Board } from "./board.ts";
import type { LimitLedger } from "./ledger.ts";
import type { OpenClaim } from "./open-claim.ts";
import type { SolverClass } from "./solver-classes.ts";
import type { World } from "./world.ts";

/** Pods of one class that no place was found for. */
export interface Unplaced {
  readonly solverClass: SolverClass;
  readonly pods: readonly Pod[];
  /** What their rules about other pods leave, where these were in the way. */
  readonly reason?: string;
}

export interface Solution {
  readonly claims: readonly { readonly claim: OpenClaim; readonly pods: readonly Pod[] }[];
  /** Bins that get pods, by the bin's index in the world. */
  readonly placements: readonly { readonly bin: number; readonly pods: readonly Pod[] }[];
  readonly unplaced: readonly Unplaced[];
  /** What the limits leave after this plan: for verdicts. */
  readonly ledger: LimitLedger;
}

/** A solution with the board that it was found on. */
export interface Solved {
  readonly solution: Solution;
  readonly board: Board;
}

export type SolveOnce = (world: World, pods: readonly Pod[]) => Solved;
