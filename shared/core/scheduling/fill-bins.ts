import type { Board } from "./board.ts";
import { binAdmits, type NodeBin } from "./node-bins.ts";
import { Filler } from "./packing/fill.ts";
import { bend, demandOf, valuesOf } from "./packing/pack.ts";
import type { NodeStates, PackingProblem } from "./packing/problem.ts";
import { isShunned, untoleratedTaint } from "./taints.ts";
import { emptyTally, PackingRules } from "./topology/node-rules.ts";

/** Nothing is open about nodes that are there: whether they admit a class is asked beforehand. */
const fixedNodes: NodeStates = { next: (state) => state, mayTake: () => true, offers: () => true, price: () => 0 };

/** Puts pods on capacity that is there or on its way, one bin after the other, each filled as well as can be. */
export class BinFilling {
  readonly #board: Board;
  readonly #free: Float64Array;
  readonly #admitted: Map<number, boolean>;
  readonly #taken = new Map<number, Map<number, number>>();

  constructor(board: Board) {
    this.#board = board;
    this.#free = board.world.free.slice();
    this.#admitted = new Map();
  }

  get taken(): { readonly bin: number; readonly taken: ReadonlyMap<number, number> }[] {
    return [...this.#taken.keys()].sort((a, b) => a - b).map((bin) => ({ bin, taken: this.#taken.get(bin)! }));
  }

  fill({ shunned }: { readonly shunned: boolean }): void {
    const { world, classes, requests, left, topology } = this.#board;
    if (world.bins.length === 0 || left.every((count) => count === 0)) return;
    const rules = topology && new PackingRules(classes.map((_, c) => topology.rules.entriesOf(c)));
    const problem: PackingProblem = {
      resources: world.axis.size,
      classes: classes.length,
      requests,
      counts: left,
      asks: new Int32Array(classes.length),
      candidates: [],
      states: fixedNodes,
      feeMicroUsd: 0,
      ...(rules?.any ? { rules } : {}),
    };
    const weights = bend(valuesOf(problem, scarcityOf(problem, this.#free)), 0);
    const filler = new Filler(problem);
    for (let row = 0; row < world.bins.length; row++) {
      const bin = world.bins[row]!;
      if (bin.leaving) continue;
      const admits = (c: number): boolean => this.admits(row, c, shunned);
      rules?.begin(topology!.tally(row));
      const pattern = filler.fillRoom(this.#free, row, admits, left, weights);
      if (pattern === undefined) continue;
      pattern.classes.forEach((c, i) => {
        this.#take(row, c, pattern.counts[i]!);
      });
      if (left.every((count) => count === 0)) return;
    }
  }

  /**
   * Puts one pod of class `c` on the first bin from `from` on that takes it; returns its row, past the last: none does.
   * `first`: that no pod that it wants to be near is there is no obstacle.
   */
  placeOne(c: number, shunned: boolean, from: number, first: boolean): number {
    const { world, requests, topology } = this.#board;
    const width = world.axis.size;
    for (let row = from; row < world.bins.length; row++) {
      const { leaving, settled } = world.bins[row]!;
      if (leaving) continue;
      // What a node lacks already is no matter to a pod that asks none of it; a claim must still become a type that holds all.
      let fits = true;
      for (let r = 0; fits && r < width; r++) {
        const request = requests[c * width + r]!;
        fits = (request <= 0 && settled) || request <= this.#free[row * width + r]!;
      }
      if (!fits || !this.admits(row, c, shunned)) continue;
      if (topology?.rules.concerns(c) && topology.rules.room(topology.tally(row) ?? emptyTally(), c, first) < 1)
        continue;
      this.#take(row, c, 1);
      return row;
    }
    return world.bins.length;
  }

  /** Taints and labels let class `c` onto the bin. `shunned`: PreferNoSchedule is no obstacle. */
  admits(row: number, c: number, shunned: boolean): boolean {
    const key = (c * this.#board.world.bins.length + row) * 2 + (shunned ? 1 : 0);
    let admitted = this.#admitted.get(key);
    if (admitted === undefined) {
      admitted = this.#works(this.#board.world.bins[row]!, c, shunned);
      this.#admitted.set(key, admitted);
    }
    return admitted;
  }

  #works(bin: NodeBin, c: number, shunned: boolean): boolean {
    const { sample, selection, mayBeShunned } = this.#board.classes[c]!;
    if (bin.taints.length > 0) {
      if (untoleratedTaint(sample.tolerations, bin.taints) !== undefined) return false;
      if (!(shunned && mayBeShunned) && isShunned(sample.tolerations, bin.taints)) return false;
    }
    return selection.alternatives.some((ask) => binAdmits(bin, ask, this.#board.world.asks));
  }

  #take(row: number, c: number, count: number): void {
    const { world, requests, left, topology } = this.#board;
    const width = world.axis.size;
    topology?.takeOnBin(row, c, count);
    for (let r = 0; r < width; r++) this.#free[row * width + r]! -= count * requests[c * width + r]!;
    left[c]! -= count;
    let taken = this.#taken.get(row);
    if (taken === undefined) {
      taken = new Map();
      this.#taken.set(row, taken);
    }
    taken.set(c, (taken.get(c) ?? 0) + count);
  }
}

/** Prices for filling what is paid for already: a resource is worth what is asked of it, by what there is of it. */
function scarcityOf(problem: PackingProblem, free: Float64Array): Float64Array {
  const demand = demandOf(problem);
  const there = new Float64Array(problem.resources);
  for (let i = 0; i < free.length; i++) if (free[i]! > 0) there[i % problem.resources]! += free[i]!;
  return demand.map((amount, r) => (amount > 0 && there[r]! > 0 ? 1_000_000_000 / there[r]! : 0));
}
