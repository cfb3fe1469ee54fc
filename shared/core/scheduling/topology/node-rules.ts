import type { Group, Membership } from "./groups.ts";

const unbounded = Number.POSITIVE_INFINITY;

/** What the rules per host make of one node: pods that each group selects, and the most that its owners there bear. */
export interface NodeTally {
  readonly selected: Map<number, number>;
  readonly most: Map<number, number>;
}

export interface Entry {
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
  readonly #likes: number[] = [];
  readonly #known = new Map<string, { readonly like: number; readonly entries: readonly Entry[] }>();
  readonly #groups: readonly Group[];

  constructor(groups: readonly Group[]) {
    this.#groups = groups;
  }

  /** Classes are added in the order of their numbers. */
  addClass({ owns, selectedBy }: Membership): void {
    const text = `${owns.join()}/${selectedBy.join()}`;
    let known = this.#known.get(text);
    if (known === undefined) {
      const entries = this.#entriesFor(owns, selectedBy);
      // Other memberships may come to the same rules per host.
      const same = JSON.stringify(entries);
      known = this.#known.get(same) ?? { like: this.#known.size, entries };
      this.#known.set(same, known);
      this.#known.set(text, known);
    }
    this.#entries.push(known.entries);
    this.#likes.push(known.like);
  }

  #entriesFor(owns: readonly number[], selectedBy: readonly number[]): readonly Entry[] {
    const involved = [...new Set([...owns, ...selectedBy])].filter((group) => this.#groups[group]!.perHost);
    return involved.map((group): Entry => {
      const { kind, maxSkew } = this.#groups[group]!;
      const selects = selectedBy.includes(group);
      const free = { group, selects, most: unbounded, needs: false, binding: false };
      if (!owns.includes(group)) return free;
      if (kind === "together") return { ...free, needs: true };
      return { ...free, most: kind === "spread" ? maxSkew : selects ? 1 : 0, binding: kind !== "aside" };
    });
  }

  /** The same number for classes that the rules treat alike. */
  likeness(c: number): number {
    return this.#likes[c]!;
  }

  concerns(c: number): boolean {
    return this.#entries[c]!.length > 0;
  }

  entriesOf(c: number): readonly Entry[] {
    return this.#entries[c]!;
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

/**
 * The same rules for a packing, whose classes and groups have numbers of their own, so that a look costs no search: a fill
 * looks at every class again and again.
 */
export class PackingRules {
  /** Of each class where its entries begin; one more at the end. */
  readonly #from: Int32Array;
  readonly #group: Int32Array;
  readonly #selects: Uint8Array;
  readonly #most: Float64Array;
  readonly #flags: Uint8Array;
  readonly #groups: readonly number[];
  readonly #beginning: NodeTally | undefined;
  readonly #selected: Int32Array;
  readonly #bound: Float64Array;

  /** `all`: the entries of each class. `beginning`: what every new node holds. */
  constructor(all: readonly (readonly Entry[])[], beginning?: NodeTally) {
    this.#groups = [...new Set(all.flatMap((entries) => entries.map(({ group }) => group)))];
    const numbers = new Map(this.#groups.map((group, at) => [group, at]));
    const flat = all.flat();
    this.#from = new Int32Array(all.length + 1);
    all.forEach((entries, m) => {
      this.#from[m + 1] = this.#from[m]! + entries.length;
    });
    this.#group = Int32Array.from(flat, ({ group }) => numbers.get(group)!);
    this.#selects = Uint8Array.from(flat, ({ selects }) => (selects ? 1 : 0));
    this.#most = Float64Array.from(flat, ({ most }) => most);
    this.#flags = Uint8Array.from(flat, ({ needs, binding }) => (needs ? 1 : 0) + (binding ? 2 : 0));
    this.#beginning = beginning;
    this.#selected = new Int32Array(this.#groups.length);
    this.#bound = new Float64Array(this.#groups.length).fill(unbounded);
  }

  /** Whether any class has rules at all. */
  get any(): boolean {
    return this.#group.length > 0;
  }

  /** Begins a node that holds what the tally says; without one, a new node. */
  begin(tally: NodeTally | undefined = this.#beginning): void {
    this.#selected.fill(0);
    this.#bound.fill(unbounded);
    if (tally === undefined) return;
    this.#groups.forEach((group, at) => {
      this.#selected[at] = tally.selected.get(group) ?? 0;
      this.#bound[at] = tally.most.get(group) ?? unbounded;
    });
  }

  /** As `NodeRules.room`. */
  room(m: number): number {
    let room = unbounded;
    for (let at = this.#from[m]!; at < this.#from[m + 1]!; at++) {
      const group = this.#group[at]!;
      const selected = this.#selected[group]!;
      if ((this.#flags[at]! & 1) === 1 && selected === 0) return 0;
      const most = this.#most[at]!;
      const bound = Math.min(most, this.#bound[group]!);
      if (bound === unbounded) continue;
      const selects = this.#selects[at] === 1;
      if (selected > bound) {
        if (most < unbounded || selects) return 0;
      } else if (selects && bound - selected < room) {
        room = bound - selected;
      }
    }
    return room;
  }

  /** Another pod may still let it in, where `room` is 0 now. */
  waits(m: number): boolean {
    for (let at = this.#from[m]!; at < this.#from[m + 1]!; at++) if ((this.#flags[at]! & 1) === 1) return true;
    return false;
  }

  take(m: number, count: number): void {
    for (let at = this.#from[m]!; at < this.#from[m + 1]!; at++) {
      const group = this.#group[at]!;
      if (this.#selects[at] === 1) this.#selected[group]! += count;
      if ((this.#flags[at]! & 2) === 2) this.#bound[group] = Math.min(this.#bound[group]!, this.#most[at]!);
    }
  }
}
