import type { Group, Membership } from "./groups.ts";

const unbounded = Number.POSITIVE_INFINITY;

/** What the rules per host make of one node: pods that each group selects, and the most that its owners there bear. */
export interface NodeTally {
  readonly selected: Map<number, number>;
  readonly most: Map<number, number>;
}

interface Entry {
  readonly group: number;
  readonly selects: boolean;
  /** The most selected pods that a node with a pod of this class may hold; Infinity: the class does not own the group. */
  readonly most: number;
  /** The class goes only where a selected pod is. */
  readonly needs: boolean;
  /** What it may bear binds also those that come after it. */
  readonly binding: boolean;
}

/**
 * Rules whose domains are single nodes: spreads over hosts, pods that want no other beside them, host ports, and pods that
 * want another beside them. A spread counts its emptiest host as empty, for a new node can always be had.
 */
export class NodeRules {
  readonly #entries: (readonly Entry[])[] = [];
  readonly #groups: readonly Group[];

  constructor(groups: readonly Group[]) {
    this.#groups = groups;
  }

  /** Classes are added in the order of their numbers. */
  addClass({ owns, selectedBy }: Membership): void {
    const involved = [...new Set([...owns, ...selectedBy])].filter((group) => this.#groups[group]!.perHost);
    this.#entries.push(
      involved.map((group): Entry => {
        const { kind, maxSkew } = this.#groups[group]!;
        const selects = selectedBy.includes(group);
        const free = { group, selects, most: unbounded, needs: false, binding: false };
        if (!owns.includes(group)) return free;
        if (kind === "together") return { ...free, needs: true };
        return { ...free, most: kind === "spread" ? maxSkew : selects ? 1 : 0, binding: kind !== "aside" };
      }),
    );
  }

  concerns(c: number): boolean {
    return this.#entries[c]!.length > 0;
  }

  /** Groups that say where class `c` wants to be, of those per host. */
  needsOf(c: number): readonly number[] {
    return this.#entries[c]!.filter(({ needs }) => needs).map(({ group }) => group);
  }

  selects(c: number, group: number): boolean {
    return this.#entries[c]!.some((entry) => entry.group === group && entry.selects);
  }

  /** How many pods of class `c` the node may still take. `first`: wants for company are no obstacle. */
  room(tally: NodeTally, c: number, first = false): number {
    let room = unbounded;
    for (const { group, selects, most, needs } of this.#entries[c]!) {
      const selected = tally.selected.get(group) ?? 0;
      if (needs && !first && selected === 0) return 0;
      const bound = Math.min(most, tally.most.get(group) ?? unbounded);
      if (bound === unbounded) continue;
      if (selected > bound) {
        if (most < unbounded || selects) return 0;
      } else if (selects) {
        room = Math.min(room, bound - selected);
      }
    }
    return room;
  }

  add(tally: NodeTally, c: number, count: number): void {
    for (const { group, selects, most, binding } of this.#entries[c]!) {
      if (selects) tally.selected.set(group, (tally.selected.get(group) ?? 0) + count);
      if (binding) tally.most.set(group, Math.min(most, tally.most.get(group) ?? unbounded));
    }
  }

  /** The tally of a node that holds these pods by class, on top of what is there. */
  tallyOf(taken: ReadonlyMap<number, number>, there: NodeTally = emptyTally()): NodeTally {
    const tally = copyTally(there);
    for (const [c, count] of taken) this.add(tally, c, count);
    return tally;
  }
}

export function emptyTally(): NodeTally {
  return { selected: new Map(), most: new Map() };
}

export function copyTally({ selected, most }: NodeTally): NodeTally {
  return { selected: new Map(selected), most: new Map(most) };
}

/** The same rules for a packing, whose classes are some of all, under numbers of its own. */
export class PackingRules {
  readonly #rules: NodeRules;
  readonly #classes: readonly number[];
  readonly #concerned: Uint8Array;
  readonly #beginning: NodeTally | undefined;
  #tally: NodeTally = emptyTally();

  /** `beginning`: what every new node holds. */
  constructor(rules: NodeRules, classes: readonly number[], beginning?: NodeTally) {
    this.#beginning = beginning;
    this.#rules = rules;
    this.#classes = classes;
    this.#concerned = Uint8Array.from(classes, (c) => (rules.concerns(c) ? 1 : 0));
  }

  /** Whether any class has rules at all. */
  get any(): boolean {
    return this.#concerned.includes(1);
  }

  /** Begins a node that holds what the tally says; without one, a new node. */
  begin(tally: NodeTally | undefined = this.#beginning): void {
    this.#tally = tally === undefined ? emptyTally() : copyTally(tally);
  }

  room(m: number): number {
    return this.#concerned[m] === 0 ? unbounded : this.#rules.room(this.#tally, this.#classes[m]!);
  }

  take(m: number, count: number): void {
    if (this.#concerned[m] === 1) this.#rules.add(this.#tally, this.#classes[m]!, count);
  }
}
