import type { DeviceAsk, DeviceDemand } from "../../model/index.ts";
import { type Choice, countAlone, maxPods, type Profile } from "./allocate.ts";
import type { Claims } from "./claims.ts";
import type { Inventory, Kinds } from "./kinds.ts";

/** More than any node has; less than what is held exactly when thousands are summed. */
export const plenty = 1_000_000;

/** What pods with equal claims ask for, and their column, which says how many of them a node's devices suffice for. */
export interface Demand {
  readonly column: string;
  readonly profile: Profile;
  /** By pool of devices: how many of them a pod takes at most. */
  readonly takes: ReadonlyMap<Pool, number>;
}

/** Devices that some request takes any of. */
export interface Pool {
  readonly kinds: ReadonlySet<number>;
  readonly column: string;
  /** Present where somebody shares them with nobody. */
  readonly wholeColumn?: string;
}

/**
 * Every distinct demand with the columns that it needs. A column of its own says on how many pods with this demand alone a
 * node's devices can be handed out: so everything that a claim says is honoured, whatever it is. Pods with different
 * demands share devices: for every set of devices that some request takes from, all requests that could take any of them
 * must together stay within it. That is exact where a node's devices are alike, and else may leave some idle; in whatever
 * order kube-scheduler hands devices out, all find theirs.
 */
export class Demands {
  readonly #demands = new Map<string, Demand>();
  readonly #pools = new Map<string, Pool>();
  /** By the text of an inventory. */
  readonly #amounts = new Map<string, Readonly<Record<string, number>>>();
  readonly #kinds: Kinds;
  readonly #claims: Claims;

  /** `all`: every list of claims that some pod has. Every kind is known by now. */
  constructor(all: readonly (readonly DeviceDemand[])[], kinds: Kinds, claims: Claims) {
    this.#kinds = kinds;
    this.#claims = claims;
    const distinct = new Map(all.map((demands) => [this.#textOf(demands), demands]));
    const profiles = [...distinct.keys()]
      .sort()
      .map((text) => ({ text, demands: distinct.get(text)!, profile: this.#profileOf(distinct.get(text)!) }));
    this.#collectPools(profiles);
    const words = new Set<string>();
    for (const { text, demands, profile } of profiles) {
      const column = unusedName(`devices (${wordsOf(demands)})`, words);
      const demand = { column, profile, takes: new Map<Pool, number>() };
      for (const pool of this.#pools.values()) {
        const count = this.#takenOf(pool, profile);
        if (count > 0) demand.takes.set(pool, count);
      }
      this.#demands.set(text, demand);
    }
  }

  get columns(): readonly string[] {
    const columns = [...this.#demands.values()].map(({ column }) => column);
    for (const { column, wholeColumn } of this.#pools.values()) {
      columns.push(column, ...(wholeColumn === undefined ? [] : [wholeColumn]));
    }
    return columns;
  }

  /** What a pod with these claims asks for, by column. Nothing for no claims. */
  requestsFor(demands: readonly DeviceDemand[]): Record<string, number> {
    const demand = demands.length === 0 ? undefined : this.#demands.get(this.#textOf(demands));
    if (demand === undefined) return {};
    const requests: Record<string, number> = { [demand.column]: 1 };
    const wants = demand.profile.requests.flat();
    for (const [pool, count] of demand.takes) {
      requests[pool.column] = count;
      if (pool.wholeColumn === undefined) continue;
      const isWhole = wants.some((choice) => choice.isExclusive && overlap(choice.kinds, pool.kinds));
      requests[pool.wholeColumn] = isWhole ? plenty : count;
    }
    return requests;
  }

  /** What a node with these devices has, by column. */
  amountsOf(inventory: Inventory): Readonly<Record<string, number>> {
    const text = textOfInventory(inventory);
    let amounts = this.#amounts.get(text);
    if (amounts === undefined) {
      amounts = this.#amountsOf(inventory);
      this.#amounts.set(text, amounts);
    }
    return amounts;
  }

  #amountsOf(inventory: Inventory): Record<string, number> {
    const amounts: Record<string, number> = {};
    for (const { column, profile } of this.#demands.values()) {
      amounts[column] = inventory.size === 0 ? 0 : countAlone(profile, inventory, this.#kinds);
    }
    for (const pool of this.#pools.values()) {
      const { column, wholeColumn } = pool;
      const free = within(pool.kinds, inventory);
      // Where there are none, the demand's own column keeps out who needs one; who has an alternative is not kept out.
      amounts[column] = free === 0 ? plenty : this.#usable(pool, free, inventory, amounts);
      if (wholeColumn !== undefined) amounts[wholeColumn] = free > 0 ? plenty : plenty * maxPods;
    }
    return amounts;
  }

  /**
   * How many of a pool's free devices several demands may share. Devices that have to match leave others behind that match
   * with none: where a node's devices differ in that, no more are shared than the most wasteful of such demands could use by
   * itself. Any demand that fits alone still does.
   */
  #usable(pool: Pool, free: number, inventory: Inventory, alone: Readonly<Record<string, number>>): number {
    let usable = free;
    let largest = 0;
    for (const { column, profile, takes } of this.#demands.values()) {
      const [taken, pods] = [takes.get(pool) ?? 0, alone[column]!];
      if (taken === 0 || pods === 0) continue;
      largest = Math.max(largest, taken);
      if (!this.#isAlike(pool, profile, inventory)) usable = Math.min(usable, taken * pods);
    }
    return Math.max(usable, largest);
  }

  #profileOf(demands: readonly DeviceDemand[]): Profile {
    const constraints: string[] = [];
    const requests: Choice[][] = [];
    for (const demand of demands) {
      const first = constraints.length;
      constraints.push(...demand.constraints.map(({ matchAttribute }) => matchAttribute));
      for (const { name, alternatives } of demand.requests) {
        const under = (ask: string): number[] =>
          demand.constraints.flatMap(({ requests: some }, at) =>
            some.length === 0 || some.includes(name) || some.includes(`${name}/${ask}`) ? [first + at] : [],
          );
        const choices = alternatives.map((ask) => ({
          kinds: this.#kinds.meeting(ask, this.#claims.selectorsOf(ask.deviceClass)),
          count: ask.count,
          constraints: under(ask.name),
        }));
        const isExclusive = ({ count, kinds }: (typeof choices)[number]): boolean =>
          count === "all" || choices.some((other) => other.count !== count && overlap(other.kinds, kinds));
        requests.push(choices.map((choice) => ({ ...choice, isExclusive: isExclusive(choice) })));
      }
    }
    return { requests, constraints };
  }

  #collectPools(profiles: readonly { readonly demands: readonly DeviceDemand[]; readonly profile: Profile }[]): void {
    const words = new Set<string>();
    for (const { demands, profile } of profiles) {
      const asks = demands.flatMap(({ requests }) => requests);
      for (const [at, choices] of profile.requests.entries()) {
        for (const [which, { kinds, isExclusive }] of choices.entries()) {
          const key = [...kinds].sort((a, b) => a - b).join();
          if (key === "") continue;
          const known = this.#pools.get(key);
          const column =
            known?.column ?? unusedName(`devices (any ${kindWords(asks[at]!.alternatives[which]!)})`, words);
          const wholeColumn = known?.wholeColumn ?? (isExclusive ? `${column}, shared with nobody` : undefined);
          this.#pools.set(key, { kinds, column, ...(wholeColumn === undefined ? {} : { wholeColumn }) });
        }
      }
    }
  }

  /** What a pod takes of a pool at most: its requests with whichever alternative takes most. */
  #takenOf(pool: Pool, { requests }: Profile): number {
    const most = (choices: readonly Choice[]): number =>
      choices.reduce((count, choice) => {
        if (!overlap(choice.kinds, pool.kinds)) return count;
        // Others are kept off by the column for the whole; by this one at least somebody is counted.
        return Math.max(count, choice.isExclusive || choice.count === "all" ? 1 : choice.count);
      }, 0);
    return requests.reduce((sum, choices) => sum + most(choices), 0);
  }

  /** All of the pool's devices there have the same values of what has to match. */
  #isAlike({ kinds }: Pool, { constraints }: Profile, inventory: Inventory): boolean {
    const present = [...inventory.keys()].filter((kind) => kinds.has(kind));
    return constraints.every(
      (attribute) => new Set(present.map((kind) => this.#kinds.valueOf(kind, attribute))).size <= 1,
    );
  }

  #textOf(demands: readonly DeviceDemand[]): string {
    return JSON.stringify(
      demands.map(({ requests, constraints }) => [
        requests.map(({ name, alternatives }) => [
          name,
          alternatives.map((ask) => [
            ask.name,
            ask.deviceClass,
            this.#claims.selectorsOf(ask.deviceClass),
            ask.selectors,
            ask.count,
            ask.tolerations,
          ]),
        ]),
        constraints,
      ]),
    );
  }
}

function overlap(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  for (const kind of a) if (b.has(kind)) return true;
  return false;
}

/** How many free devices of these kinds there are. */
function within(kinds: ReadonlySet<number>, inventory: Inventory): number {
  let count = 0;
  for (const [kind, { free }] of inventory) if (kinds.has(kind)) count += free;
  return count;
}

function textOfInventory(inventory: Inventory): string {
  return [...inventory]
    .sort(([a], [b]) => a - b)
    .map(([kind, { all, free }]) => `${kind}:${free}/${all}`)
    .join();
}

function unusedName(name: string, used: Set<string>): string {
  let unused = name;
  for (let number = 2; used.has(unused); number++) unused = `${name} (${number})`;
  used.add(unused);
  return unused;
}

/** For people: `2 × gpu.nvidia.com where …, or 4 × …; 1 × efa`. */
function wordsOf(demands: readonly DeviceDemand[]): string {
  return demands
    .flatMap(({ requests, constraints }) => [
      ...requests.map(({ alternatives }) =>
        alternatives.map((ask) => `${ask.count === "all" ? "all" : `${ask.count} ×`} ${kindWords(ask)}`).join(", or "),
      ),
      ...constraints.map(({ matchAttribute }) => `with the same ${matchAttribute}`),
    ])
    .join("; ");
}

function kindWords({ deviceClass, selectors }: DeviceAsk): string {
  return selectors.length === 0 ? deviceClass : `${deviceClass} where ${selectors.join(" && ")}`;
}
