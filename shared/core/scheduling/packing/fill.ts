import { maxClassesPerNode, stepsPerState } from "../bounds.ts";
import type { PackingProblem, Pattern } from "./problem.ts";

/** What is taken of a class at once, of what would fit: small enough to keep the resources in balance. */
const portion = 6;

/**
 * Fills one node from the classes that are left. Takes again and again the class with the most value for the share of the
 * room that is left, so that what is scarce gets dear by itself and cpu and memory run out together. Keeps its arrays: it
 * allocates nothing but the pattern it returns.
 */
export class Filler {
  readonly #problem: PackingProblem;
  readonly #free: Float64Array;
  readonly #inverse: Float64Array;
  readonly #active: Int32Array;
  readonly #taken: Int32Array;
  readonly #order: Int32Array;
  #distinct = 0;
  /** Classes looked at so far: the measure of work. */
  steps = 0;

  constructor(problem: PackingProblem) {
    this.#problem = problem;
    this.#free = new Float64Array(problem.resources);
    this.#inverse = new Float64Array(problem.resources);
    this.#active = new Int32Array(problem.classes);
    this.#taken = new Int32Array(problem.classes);
    this.#order = new Int32Array(problem.classes);
  }

  /** An empty node of a candidate. `weights`: value of a pod of each class, bent by its size. Undefined: nothing fits. */
  fill(candidate: number, left: Int32Array, weights: Float64Array): Pattern | undefined {
    const { candidates, states } = this.#problem;
    const { room, start, type } = candidates[candidate]!;
    this.#problem.rules?.begin();
    const alive = this.#everyClass(left);
    const few = this.#spread(alive);
    let state = this.#take(room, 0, few, left, weights, start, type);
    if (this.#distinct === 0 && few < alive) {
      state = this.#take(room, 0, this.#everyClass(left), left, weights, start, type);
    }
    return this.#distinct === 0 ? undefined : this.#pattern(candidate, state, states.price(state, type));
  }

  /**
   * What is free on a node that is there already (row `row` of `rooms`), for the classes it admits. The caller begins the
   * node with the problem's rules.
   */
  fillRoom(
    rooms: Float64Array,
    row: number,
    admits: (c: number) => boolean,
    left: Int32Array,
    weights: Float64Array,
  ): Pattern | undefined {
    const { classes, resources, requests } = this.#problem;
    let alive = 0;
    for (let c = 0; c < classes; c++) {
      if (left[c]! <= 0) continue;
      let fits = true;
      for (let r = 0; fits && r < resources; r++) {
        fits = requests[c * resources + r]! <= rooms[row * resources + r]!;
      }
      if (fits && admits(c)) this.#active[alive++] = c;
    }
    this.steps += classes;
    if (alive === 0) return undefined;
    this.#take(rooms, row * resources, alive, left, weights, -1, -1);
    return this.#distinct === 0 ? undefined : this.#pattern(-1, -1, 0);
  }

  #everyClass(left: Int32Array): number {
    let alive = 0;
    for (let c = 0; c < this.#problem.classes; c++) if (left[c]! > 0) this.#active[alive++] = c;
    return alive;
  }

  /** Thins the active classes out to what one node needs to choose from, the same for the same number of them. */
  #spread(alive: number): number {
    if (alive <= maxClassesPerNode) return alive;
    for (let i = 0; i < maxClassesPerNode; i++) {
      this.#active[i] = this.#active[Math.floor((i * alive) / maxClassesPerNode)]!;
    }
    return maxClassesPerNode;
  }

  /** Returns the state that the node is in when nothing more fits. `type` −1: a node that is there, without states. */
  #take(
    room: Float64Array,
    offset: number,
    candidates: number,
    left: Int32Array,
    weights: Float64Array,
    start: number,
    type: number,
  ): number {
    const { resources, requests, asks, states, rules } = this.#problem;
    const free = this.#free;
    const inverse = this.#inverse;
    const active = this.#active;
    const taken = this.#taken;
    let state = start;
    let alive = candidates;
    this.#distinct = 0;
    for (let r = 0; r < resources; r++) free[r] = room[offset + r]!;
    while (alive > 0) {
      for (let r = 0; r < resources; r++) inverse[r] = free[r]! > 0 ? 1 / free[r]! : 0;
      let best = -1;
      let bestScore = 0;
      let kept = 0;
      for (let i = 0; i < alive; i++) {
        const c = active[i]!;
        if (left[c]! <= taken[c]!) continue;
        const row = c * resources;
        let share = 0;
        let fits = true;
        for (let r = 0; r < resources; r++) {
          const request = requests[row + r]!;
          if (request > free[r]!) {
            fits = false;
            break;
          }
          share += request * inverse[r]!;
        }
        if (!fits) continue;
        if (rules !== undefined && rules.room(c) <= 0) {
          if (rules.waits(c)) active[kept++] = c;
          continue;
        }
        if (type >= 0 && asks[c] !== 0 && !states.mayTake(state, asks[c]!, type)) continue;
        active[kept++] = c;
        const score = weights[c]! / share;
        if (score > bestScore || best < 0) {
          bestScore = score;
          best = c;
        }
      }
      this.steps += alive;
      alive = kept;
      if (best < 0) break;
      if (type >= 0 && asks[best] !== 0) {
        const next = states.next(state, asks[best]!);
        if (next !== state) this.steps += stepsPerState;
        // Worked out only for the class that is wanted; the next look at the classes knows it.
        if (next < 0 || (next !== state && !states.offers(next, type))) continue;
        state = next;
      }
      const allowed = rules?.room(best) ?? Number.POSITIVE_INFINITY;
      const count = this.#portionOf(best, Math.min(left[best]! - taken[best]!, allowed));
      rules?.take(best, count);
      if (taken[best] === 0) this.#order[this.#distinct++] = best;
      taken[best]! += count;
      for (let r = 0; r < resources; r++) free[r]! -= count * requests[best * resources + r]!;
    }
    return state;
  }

  #portionOf(c: number, wanted: number): number {
    const { resources, requests } = this.#problem;
    let fit = wanted;
    for (let r = 0; r < resources; r++) {
      const request = requests[c * resources + r]!;
      if (request <= 0) continue;
      const times = Math.floor(this.#free[r]! / request);
      if (times < fit) fit = times;
    }
    return fit <= portion ? 1 : Math.floor(fit / portion);
  }

  #pattern(candidate: number, state: number, priceMicroUsd: number): Pattern {
    const classes = this.#order.slice(0, this.#distinct).sort();
    const counts = new Int32Array(classes.length);
    for (let i = 0; i < classes.length; i++) {
      counts[i] = this.#taken[classes[i]!]!;
      this.#taken[classes[i]!] = 0;
    }
    return { candidate, state, priceMicroUsd, classes, counts };
  }
}
