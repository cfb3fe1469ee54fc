import type { Inventory, Kinds } from "./kinds.ts";

/** One way to meet a request. */
export interface Choice {
  readonly kinds: ReadonlySet<number>;
  readonly count: number | "all";
  /** Places in the profile's constraints that it is under. */
  readonly constraints: readonly number[];
  /**
   * How many devices it takes differs from node to node: all of them, or one of several counts of the same ones. Such pods
   * share the devices in question with nobody.
   */
  readonly isExclusive: boolean;
}

/** What all claims of a pod ask for together. */
export interface Profile {
  /** For each request, its alternatives in order. */
  readonly requests: readonly (readonly Choice[])[];
  /** Attributes: devices under the same constraint have the same value of it. */
  readonly constraints: readonly string[];
}

/** Ways that are tried for one pod on one node. kube-scheduler gives up after some time too. */
const maxWays = 2_000;
/** More pods than that share no node's devices. */
export const maxPods = 256;

/** How many pods with this profile, and no others, find devices on a node. */
export function countAlone(profile: Profile, inventory: Inventory, kinds: Kinds): number {
  const stock = new Map(inventory);
  for (let pods = 0; ; pods++) {
    const taken = pods < maxPods ? new Search(profile, stock, kinds).run() : undefined;
    if (taken === undefined) return pods;
    for (const [kind, count] of taken) {
      const { all, free } = stock.get(kind)!;
      stock.set(kind, { all, free: free - count });
    }
  }
}

/**
 * Finds devices for one pod: alternatives in their order, each constraint with each value that there is; for a way that is
 * chosen so, whether every request finds its devices is a matching, and decided exactly.
 */
class Search {
  readonly #profile: Profile;
  readonly #inventory: Inventory;
  readonly #kinds: Kinds;
  #waysLeft = maxWays;

  constructor(profile: Profile, inventory: Inventory, kinds: Kinds) {
    this.#profile = profile;
    this.#inventory = inventory;
    this.#kinds = kinds;
  }

  /** What is taken, by kind; undefined: there is not enough. */
  run(): ReadonlyMap<number, number> | undefined {
    return this.#choose([], new Map());
  }

  #choose(chosen: readonly Choice[], values: ReadonlyMap<number, string>): ReadonlyMap<number, number> | undefined {
    if (this.#waysLeft <= 0) return undefined;
    const request = this.#profile.requests[chosen.length];
    if (request === undefined) {
      this.#waysLeft--;
      return this.#match(chosen, values);
    }
    for (const choice of request) {
      const present = [...choice.kinds].filter((kind) => this.#inventory.has(kind));
      if (present.length === 0) continue;
      for (const more of this.#valuesFor(choice, present, values)) {
        const found = this.#choose([...chosen, choice], more);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** Values for the constraints that the choice is the first to be under. */
  *#valuesFor(
    { constraints }: Pick<Choice, "constraints">,
    present: readonly number[],
    values: ReadonlyMap<number, string>,
  ): Generator<ReadonlyMap<number, string>> {
    const open = constraints.find((one) => !values.has(one));
    if (open === undefined) {
      yield values;
      return;
    }
    const attribute = this.#profile.constraints[open]!;
    const some = new Set(present.flatMap((kind) => this.#kinds.valueOf(kind, attribute) ?? []));
    const rest = { constraints: constraints.filter((one) => one !== open) };
    for (const value of [...some].sort()) {
      yield* this.#valuesFor(rest, present, new Map(values).set(open, value));
    }
  }

  #match(chosen: readonly Choice[], values: ReadonlyMap<number, string>): ReadonlyMap<number, number> | undefined {
    const left = new Map([...this.#inventory].map(([kind, { free }]) => [kind, free]));
    const taken: Map<number, number>[] = [];
    const meets = (kind: number, { constraints }: Choice): boolean =>
      constraints.every((one) => this.#kinds.valueOf(kind, this.#profile.constraints[one]!) === values.get(one));
    for (const choice of chosen) {
      if (choice.count !== "all") continue;
      const whole = new Map<number, number>();
      for (const kind of choice.kinds) {
        const stock = this.#inventory.get(kind);
        if (stock === undefined) continue;
        if (left.get(kind) !== stock.all || !meets(kind, choice)) return undefined;
        left.set(kind, 0);
        whole.set(kind, stock.all);
      }
      taken.push(whole);
    }
    const matching = new Matching(left);
    for (const choice of chosen) {
      if (choice.count === "all") continue;
      const some = [...choice.kinds].filter((kind) => left.has(kind) && meets(kind, choice));
      const row = matching.add(some);
      for (let unit = 0; unit < choice.count; unit++) if (!matching.grow(row)) return undefined;
    }
    return summed([...taken, ...matching.taken]);
  }
}

function summed(all: readonly ReadonlyMap<number, number>[]): ReadonlyMap<number, number> {
  const sum = new Map<number, number>();
  for (const one of all) for (const [kind, count] of one) sum.set(kind, (sum.get(kind) ?? 0) + count);
  return sum;
}

/** Requests and kinds of devices: who has how many of what; grows by paths that move others to other kinds. */
class Matching {
  readonly taken: Map<number, number>[] = [];
  readonly #kindsOf: (readonly number[])[] = [];
  readonly #left: Map<number, number>;

  constructor(left: Map<number, number>) {
    this.#left = left;
  }

  add(kinds: readonly number[]): number {
    this.taken.push(new Map());
    return this.#kindsOf.push(kinds) - 1;
  }

  grow(row: number, seen: Set<number> = new Set()): boolean {
    for (const kind of this.#kindsOf[row]!) {
      if (seen.has(kind)) continue;
      seen.add(kind);
      if (this.#left.get(kind)! > 0) {
        this.#left.set(kind, this.#left.get(kind)! - 1);
        this.#take(row, kind, 1);
        return true;
      }
      for (let other = 0; other < this.taken.length; other++) {
        if ((this.taken[other]!.get(kind) ?? 0) === 0 || !this.grow(other, seen)) continue;
        this.#take(other, kind, -1);
        this.#take(row, kind, 1);
        return true;
      }
    }
    return false;
  }

  #take(row: number, kind: number, count: number): void {
    this.taken[row]!.set(kind, (this.taken[row]!.get(kind) ?? 0) + count);
  }
}
