import { buildInstanceTypes, withRefusals } from "../../catalog/index.ts";
import type { InstanceType, Pod } from "../../model/index.ts";
import type { Pool } from "../pool.ts";
import type { Solution } from "../solution.ts";
import type { SolverClass } from "../solver-classes.ts";
import type { World } from "../world.ts";
import { nodeReasons, type Occupation } from "./node-reasons.ts";
import { type SlotsLeft, type TypeView, viewTypes, weightOf } from "./obstacles.ts";
import { type PoolMiss, poolMiss } from "./pool-miss.ts";
import { wordsOf } from "./words.ts";

/** What a pool says to a class of pods. */
export interface PoolAnswer {
  readonly text: string;
  /** Less is nearer: fewer obstacles, and easier ones. */
  readonly distance: number;
}

type Outcome = Pick<Solution, "claims" | "placements" | "ledger">;

/** Alternatives of a pod (OR'd terms, places of volumes) that are told apart in a verdict; the nearest ones. */
const toldAlternatives = 2;

/** Explains one solution of one world. Keeps what pods of different classes share. */
export class Explainer {
  readonly #world: World;
  readonly #outcome: Outcome;
  readonly #views = new Map<string, readonly TypeView[]>();
  readonly #outside = new Map<Pool, readonly InstanceType[]>();
  #occupation: Occupation | undefined;

  constructor(world: World, outcome: Outcome) {
    this.#world = world;
    this.#outcome = outcome;
  }

  /** Why no node of this pool takes the pods of a class. Where they have alternatives, of the nearest of these. */
  pool(pool: Pool, { sample, selection }: SolverClass): PoolAnswer {
    if (selection.alternatives.length === 0) {
      const error = selection.error === undefined ? "" : `: ${selection.error}`;
      return { text: `the pod's node affinity selects nothing${error}`, distance: Number.MAX_SAFE_INTEGER };
    }
    const answers = selection.alternatives
      .map((ask) => this.miss(pool, sample, ask))
      .map((miss) => ({ text: wordsOf(miss), distance: weightOf(miss.obstacles) }))
      .sort((a, b) => a.distance - b.distance);
    const texts = [...new Set(answers.map(({ text }) => text))].slice(0, toldAlternatives);
    return { text: texts.join("; or, by its other terms: "), distance: answers[0]!.distance };
  }

  miss(pool: Pool, pod: Pod, ask: number): PoolMiss {
    const remaining = this.#outcome.ledger.remaining(pool);
    const views = this.views(pool, ask);
    return poolMiss({ world: this.#world, pool, pod, ask, remaining, views, outside: () => this.outside(pool, ask) });
  }

  /** The pool's own types as pods with this ask see them. */
  views(pool: Pool, ask: number): readonly TypeView[] {
    return this.#viewsOf(pool, ask, "own");
  }

  /** Types of the node class that the pool's requirements keep out, likewise. */
  outside(pool: Pool, ask: number): readonly TypeView[] {
    return this.#viewsOf(pool, ask, "outside");
  }

  /** Why no node that is there takes the pods of a class; undefined: there are none. */
  nodes(one: SolverClass): string | undefined {
    if (this.#world.bins.length === 0) return undefined;
    this.#occupation ??= occupationOf(this.#world, this.#outcome);
    return nodeReasons(this.#world, this.#occupation, one);
  }

  #viewsOf(pool: Pool, ask: number, which: "own" | "outside"): readonly TypeView[] {
    const key = `${which}/${pool.nodePool.name}/${ask}`;
    let views = this.#views.get(key);
    if (views === undefined) {
      const types = which === "own" ? [...pool.states.types, ...pool.imageless] : this.#typesOutside(pool);
      views = viewTypes(this.#world, pool, types, this.#world.asks.get(ask), this.#slotsLeft(pool));
      this.#views.set(key, views);
    }
    return views;
  }

  #typesOutside(pool: Pool): readonly InstanceType[] {
    let types = this.#outside.get(pool);
    if (types === undefined) {
      const { catalog, settings, refusals, nowMs } = this.#world.snapshot;
      const inside = new Set([...pool.states.types, ...pool.imageless].map(({ name }) => name));
      const all = withRefusals(buildInstanceTypes(catalog, pool.nodeClass, settings), refusals, nowMs);
      types = all.filter(({ name }) => !inside.has(name));
      this.#outside.set(pool, types);
    }
    return types;
  }

  #slotsLeft({ reservations }: Pool): SlotsLeft {
    return (id) => {
      const there = reservations.find((reservation) => reservation.id === id)?.count;
      const held = this.#outcome.claims.filter(({ claim }) => claim.reservation === id).length;
      return there === undefined ? undefined : there - held;
    };
  }
}

function occupationOf({ axis, free: before }: World, { placements }: Outcome): Occupation {
  const free = before.slice();
  const newcomers = new Map<number, readonly Pod[]>();
  for (const { bin, pods } of placements) {
    newcomers.set(bin, pods);
    for (const pod of pods) axis.add(pod.requests, free, bin, -1);
  }
  return { free, newcomers };
}
