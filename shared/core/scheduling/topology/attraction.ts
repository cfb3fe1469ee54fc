import { podsPerTurn } from "../bounds.ts";
import type { Wanting } from "./allot.ts";
import type { Topology } from "./topology.ts";

/** Pods that a rule of theirs draws to others, over labels of nodes. */
interface Drawn {
  readonly one: Wanting;
  /** They go nowhere without company; else they only wish for it. */
  readonly insists: boolean;
  readonly group: number;
}

/** Who of those that are to be given domains waits for others to come to one that it can use too. */
export class Attraction {
  readonly #topology: Topology;
  readonly #drawn = new Map<number, Drawn[]>();
  readonly #domainsOf: (one: Wanting, key: string) => readonly (string | undefined)[];

  constructor(
    topology: Topology,
    wanting: readonly Wanting[],
    domainsOf: (one: Wanting, key: string) => readonly (string | undefined)[],
  ) {
    this.#topology = topology;
    this.#domainsOf = domainsOf;
    for (const one of wanting) {
      for (const index of one.membership.owns) {
        const { kind, perHost } = topology.group(index);
        if (kind !== "together" || perHost) continue;
        const drawn = { one, insists: topology.insists(one.one.sample, index), group: index };
        const known = this.#drawn.get(index);
        if (known === undefined) this.#drawn.set(index, [drawn]);
        else known.push(drawn);
      }
    }
  }

  /** Those that have no company in any domain of the label yet and would find it in one of the class. */
  waitingFor(one: Wanting, key: string): readonly Drawn[] {
    if (this.#drawn.size === 0) return [];
    return one.membership.selectedBy
      .filter((index) => this.#topology.group(index).key === key)
      .flatMap((index) => this.#drawn.get(index) ?? [])
      .filter((drawn) => drawn.one !== one && this.#isAlone(drawn, key));
  }

  #isAlone({ one, group }: Drawn, key: string): boolean {
    return this.#domainsOf(one, key).every((name) => name === undefined || this.#topology.count(group, name) === 0);
  }

  /** Pods among them that the domain would serve. */
  served(waiting: readonly Drawn[], key: string, name: string | undefined, insists: boolean): number {
    let pods = 0;
    for (const drawn of waiting) {
      if (drawn.insists === insists && this.#domainsOf(drawn.one, key).includes(name)) pods += drawn.one.count;
    }
    return pods;
  }
}

/** Pods that nothing spreads share nodes in one domain for a while, before the next one's turn: the less, the sooner. */
export function turnOf(load: number): readonly [number, number] {
  return [Math.floor(load / podsPerTurn), -(load % podsPerTurn)];
}
