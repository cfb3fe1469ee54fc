import { shrunk } from "./choose-patterns.ts";
import type { Bought, PackingProblem, Pattern } from "./problem.ts";

/** Most classes that are looked at for one pod. */
const maxLooks = 64;

/** True classes of one kind with one ask, and how many pods they have left together. */
interface Batch {
  readonly ask: number;
  readonly members: readonly number[];
  left: number;
  /** Where the last look ended: all get their turn. */
  cursor: number;
}

/**
 * Nodes of a coarse plan, filled with pods of the true classes. Each takes the zone in which most of its pods are to be had,
 * then pods that the rules let in, of each kind from the class with the most left.
 */
export class Realiser {
  readonly #problem: PackingProblem;
  readonly #left: Int32Array;
  readonly #batches: Batch[][] = [];
  readonly #batchOf: Batch[] = [];
  /** Kinds whose pods are of the same size, by kind. */
  readonly #alike: readonly (readonly number[])[];
  readonly #taken: Int32Array;
  #order: number[] = [];

  constructor(problem: PackingProblem, kindOf: Int32Array) {
    this.#problem = problem;
    this.#left = problem.counts.slice();
    this.#taken = new Int32Array(problem.classes);
    const byRow = new Map<string, Set<number>>();
    const rows: string[] = [];
    for (let c = 0; c < problem.classes; c++) {
      const kind = kindOf[c]!;
      this.#batches[kind] ??= [];
      let batch = this.#batches[kind].find(({ ask }) => ask === problem.asks[c]);
      if (batch === undefined) {
        batch = { ask: problem.asks[c]!, members: [], left: 0, cursor: 0 };
        this.#batches[kind].push(batch);
      }
      (batch.members as number[]).push(c);
      batch.left += problem.counts[c]!;
      this.#batchOf[c] = batch;
      const row = problem.requests.subarray(c * problem.resources, (c + 1) * problem.resources).join();
      rows[kind] = row;
      if (!byRow.has(row)) byRow.set(row, new Set());
      byRow.get(row)!.add(kind);
    }
    this.#alike = rows.map((row) => [...byRow.get(row)!]);
  }

  get left(): Int32Array {
    return this.#left;
  }

  /** Nodes that could be filled as planned, cheapest first; the pods of the others stay left. */
  realise(plan: readonly Bought[], kindAsks: Int32Array): Bought[] {
    const bought: Bought[] = [];
    for (const { pattern, nodes } of [...plan].sort((a, b) => a.pattern.priceMicroUsd - b.pattern.priceMicroUsd)) {
      for (let n = 0; n < nodes; n++) {
        const state = this.#fill(pattern, kindAsks);
        if (state < 0) {
          this.#undo();
          continue;
        }
        bought.push({ pattern: shrunk(this.#problem, this.#commit(pattern, state)), nodes: 1 });
      }
    }
    return bought;
  }

  #fill(pattern: Pattern, kindAsks: Int32Array): number {
    const { candidates, states, rules } = this.#problem;
    const { start, type } = candidates[pattern.candidate]!;
    rules?.begin();
    let state = this.#settled(pattern, start, type, kindAsks);
    for (let i = 0; i < pattern.classes.length; i++) {
      const kind = pattern.classes[i]!;
      let wanted = pattern.counts[i]!;
      while (wanted > 0) {
        const c = this.#pick(kind, kindAsks[kind]!, state, type);
        if (c < 0) return -1;
        state = states.next(state, this.#problem.asks[c]!);
        rules?.take(c, 1);
        if (this.#taken[c] === 0) this.#order.push(c);
        this.#taken[c]!++;
        this.#left[c]!--;
        this.#batchOf[c]!.left--;
        wanted--;
      }
    }
    return state;
  }

  /** The state with the zone, or whatever else the true classes ask for, that has most of the pattern's pods. */
  #settled(pattern: Pattern, start: number, type: number, kindAsks: Int32Array): number {
    const asks = new Set<number>();
    for (const kind of pattern.classes) {
      for (const { ask, left } of this.#batches[kind]!) if (left > 0 && ask !== kindAsks[kind]) asks.add(ask);
    }
    let best = start;
    let most = -1;
    let mostLeft = -1;
    for (const ask of asks) {
      const state = this.#after(start, ask, type);
      if (state < 0) continue;
      let pods = 0;
      let inReach = 0;
      for (let i = 0; i < pattern.classes.length; i++) {
        const kind = pattern.classes[i]!;
        let there = 0;
        for (const batch of this.#batches[kind]!) {
          if (batch.left === 0 || this.#after(state, batch.ask, type) < 0) continue;
          there += batch.left;
          if (batch.ask !== kindAsks[kind]) inReach += batch.left;
        }
        pods += Math.min(there, pattern.counts[i]!);
      }
      if (pods > most || (pods === most && inReach > mostLeft)) {
        best = state;
        most = pods;
        mostLeft = inReach;
      }
    }
    return best;
  }

  #after(state: number, ask: number, type: number): number {
    const { states } = this.#problem;
    if (ask === 0) return state;
    const next = states.next(state, ask);
    return next >= 0 && states.offers(next, type) ? next : -1;
  }

  #pick(kind: number, kindAsk: number, state: number, type: number): number {
    for (const other of [kind, ...this.#alike[kind]!]) {
      for (const pinned of [true, false]) {
        for (const batch of this.#batches[other]!) {
          if (batch.left === 0 || (batch.ask !== kindAsk) !== pinned) continue;
          if (this.#after(state, batch.ask, type) < 0) continue;
          const c = this.#pickOf(batch);
          if (c >= 0) return c;
        }
      }
    }
    return -1;
  }

  #pickOf(batch: Batch): number {
    const { rules } = this.#problem;
    const { members } = batch;
    let best = -1;
    const looks = Math.min(members.length, maxLooks);
    for (let i = 0; i < looks; i++) {
      const c = members[(batch.cursor + i) % members.length]!;
      if (this.#left[c]! <= 0 || (best >= 0 && this.#left[c]! <= this.#left[best]!)) continue;
      if (rules !== undefined && rules.room(c) < 1) continue;
      best = c;
    }
    if (members.length > maxLooks) batch.cursor = (batch.cursor + looks) % members.length;
    return best;
  }

  #undo(): void {
    for (const c of this.#order) {
      this.#left[c]! += this.#taken[c]!;
      this.#batchOf[c]!.left += this.#taken[c]!;
      this.#taken[c] = 0;
    }
    this.#order = [];
  }

  #commit({ candidate }: Pattern, state: number): Pattern {
    const { candidates, states } = this.#problem;
    const classes = Int32Array.from(this.#order).sort();
    const counts = classes.map((c) => this.#taken[c]!);
    for (const c of classes) this.#taken[c] = 0;
    this.#order = [];
    return { candidate, state, priceMicroUsd: states.price(state, candidates[candidate]!.type), classes, counts };
  }
}
