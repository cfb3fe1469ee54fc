import { Requirements } from "../../requirements/index.ts";
import { binAdmits, binDomain } from "../node-bins.ts";
import { typesHolding } from "../open-claim.ts";
import type { SolverClass } from "../solver-classes.ts";
import { untoleratedTaint } from "../taints.ts";
import type { World } from "../world.ts";
import { Attraction, turnOf } from "./attraction.ts";
import { startsOf } from "./domains.ts";
import type { Group, Membership } from "./groups.ts";
import { needsLabel, type Pins, pin, pinned, pinnedKeys, pinsText } from "./pins.ts";
import type { Topology } from "./topology.ts";

/** Pods of a class that go to one domain of each label in question. */
export interface Allotment {
  readonly pins: Pins;
  readonly count: number;
}

/** A class that is to be given domains. */
export interface Wanting {
  readonly one: SolverClass;
  readonly membership: Membership;
  /** Its requests, as the axis. */
  readonly usage: Float64Array;
  readonly count: number;
  /** The most pods that a combination of pins turned out to have room for, by its text; absent: not known. */
  readonly room: (pins: string) => number | undefined;
}

export interface Allotted {
  readonly allotments: readonly Allotment[];
  /** Pods that no domain may take, and why, where it is their rules. */
  readonly blocked: number;
  readonly reason?: string;
}

/**
 * Gives the pods of classes their domains, one by one, each to the emptiest that its rules allow: first those with the
 * fewest domains, those with rules of their own before those that only count for others' rules, and those that want to be
 * near others last, again and again while that gets anywhere.
 */
export function allot(world: World, topology: Topology, wanting: readonly Wanting[]): ReadonlyMap<Wanting, Allotted> {
  const desk = new Desk(world, topology, wanting);
  const rank = new Map(
    wanting.map((one) => {
      const [key] = pinnedKeys(topology, one.membership);
      const near = one.membership.owns.some((index) => isNear(topology.group(index)));
      const owner = one.membership.owns.some((index) => !topology.group(index).perHost);
      const domains = desk.domains(one, new Map(), key!).length;
      return [one, [near ? 1 : 0, domains, owner ? 0 : 1]] as const;
    }),
  );
  const order = [...wanting].sort((a, b) => compare(rank.get(a)!, rank.get(b)!));
  const found = new Map<Wanting, { allotments: Allotment[]; left: number }>(
    order.map((one) => [one, { allotments: [], left: one.count }]),
  );
  for (let progress = true; progress; ) {
    progress = false;
    for (const one of order) {
      const result = found.get(one)!;
      if (result.left === 0) continue;
      const more = desk.give(one, result.left);
      const given = more.reduce((sum, { count }) => sum + count, 0);
      if (given === 0) continue;
      progress = true;
      result.left -= given;
      result.allotments.push(...more);
    }
  }
  return new Map(
    [...found].map(([one, { allotments, left }]) => [
      one,
      { allotments: merged(allotments), blocked: left, ...(left === 0 ? {} : reasonOf(desk, one)) },
    ]),
  );
}

function reasonOf(desk: Desk, one: Wanting): { readonly reason?: string } {
  const reason = desk.reason(one);
  return reason === undefined ? {} : { reason };
}

function isNear({ kind, perHost }: Group): boolean {
  return kind === "together" && !perHost;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return 0;
}

function merged(allotments: readonly Allotment[]): readonly Allotment[] {
  const byPins = new Map<string, Allotment>();
  for (const one of allotments) {
    const text = pinsText(one.pins);
    const known = byPins.get(text);
    byPins.set(text, known === undefined ? one : { ...known, count: known.count + one.count });
  }
  return [...byPins.keys()].sort().map((text) => byPins.get(text)!);
}

const nowhere: Pins = new Map();
const none: ReadonlySet<Group> = new Set();

interface Domain {
  /** Undefined: nodes without the label. */
  readonly name: string | undefined;
  /** Of the cheapest new node there that holds a pod; Infinity: only nodes that are there. */
  readonly priceMicroUsd: number;
}

const nameOf = ({ name }: Domain): string | undefined => name;

/** The groups over one label that matter to a class. */
interface Groups {
  readonly mine: readonly Group[];
  /** That other pods have against it. */
  readonly repelling: readonly Group[];
  readonly spreads: readonly Group[];
}

class Desk {
  readonly #world: World;
  readonly #topology: Topology;
  /** Pods given to a domain so far: breaks ties. */
  readonly #load = new Map<string, number>();
  readonly #domains = new Map<Wanting, Map<string, readonly Domain[]>>();
  /** What each class was given in earlier passes, by pins. */
  readonly #given = new Map<Wanting, Map<string, number>>();
  readonly #groups = new Map<Wanting, Map<string, Groups>>();
  readonly #attraction: Attraction;
  readonly #unsure = new Map<Wanting, ReadonlySet<number>>();

  constructor(world: World, topology: Topology, wanting: readonly Wanting[]) {
    this.#world = world;
    this.#topology = topology;
    this.#attraction = new Attraction(topology, wanting, (one, key) => this.domains(one, nowhere, key).map(nameOf));
  }

  /** Gives up to `count` pods their domains, one after the other. */
  give(one: Wanting, count: number): Allotment[] {
    const keys = pinnedKeys(this.#topology, one.membership);
    const given = new Map<string, { readonly pins: Pins; count: number }>();
    for (let n = 0; n < count; n++) {
      const pins = this.#giveOne(one, nowhere, keys, this.#startable(one.membership));
      if (pins === undefined) break;
      const text = pinsText(pins);
      const known = given.get(text);
      if (known === undefined) given.set(text, { pins, count: 1 });
      else known.count++;
      let taken = this.#given.get(one);
      if (taken === undefined) {
        taken = new Map();
        this.#given.set(one, taken);
      }
      taken.set(text, (taken.get(text) ?? 0) + 1);
    }
    return [...given.values()];
  }

  /** A domain of each label for one pod: the best of the first label's that leaves it one of the others'. */
  #giveOne(one: Wanting, pins: Pins, keys: readonly string[], startable: ReadonlySet<Group>): Pins | undefined {
    const [key, ...others] = keys;
    if (key === undefined) return pins;
    const groups = this.#groupsOf(one, key);
    let domains = this.domains(one, pins, key);
    while (domains.length > 0) {
      const best = this.#best(one, groups, key, domains, startable);
      if (best === undefined) return undefined;
      const { name } = best;
      const there: Pins = new Map([...pins, [key, name]]);
      this.#note(one, key, name, 1);
      const found =
        others.length > 0 || this.#hasRoom(one, there) ? this.#giveOne(one, there, others, startable) : undefined;
      if (found !== undefined) {
        this.#load.set(`${key}=${name}`, (this.#load.get(`${key}=${name}`) ?? 0) + 1);
        return found;
      }
      this.#note(one, key, name, -1);
      domains = domains.filter((domain) => domain !== best);
    }
    return undefined;
  }

  #note(one: Wanting, key: string, name: string | undefined, count: number): void {
    if (name === undefined) return;
    let unsure = this.#unsure.get(one);
    if (unsure === undefined) {
      unsure = this.#topology.unsureOf(one.one);
      this.#unsure.set(one, unsure);
    }
    this.#topology.note(one.membership, key, name, count, unsure);
  }

  #hasRoom(one: Wanting, pins: Pins): boolean {
    const text = pinsText(pins);
    const room = one.room(text);
    return room === undefined || (this.#given.get(one)?.get(text) ?? 0) < room;
  }

  #groupsOf(one: Wanting, key: string): Groups {
    let known = this.#groups.get(one);
    if (known === undefined) {
      known = new Map();
      this.#groups.set(one, known);
    }
    let groups = known.get(key);
    if (groups === undefined) {
      groups = this.#groupsFor(one.membership, key);
      known.set(key, groups);
    }
    return groups;
  }

  #groupsFor({ owns, selectedBy }: Membership, key: string): Groups {
    const of = (indexes: readonly number[]) =>
      indexes.map((index) => this.#topology.group(index)).filter((group) => !group.perHost && group.key === key);
    const mine = of(owns);
    const others = of(selectedBy);
    const spreads = [...new Set([...mine, ...others])].filter(({ kind }) => kind === "spread");
    return { mine, repelling: others.filter(({ kind }) => kind === "apart"), spreads };
  }

  #best(
    one: Wanting,
    { mine, repelling, spreads }: Groups,
    key: string,
    domains: readonly Domain[],
    startable: ReadonlySet<Group>,
  ): Domain | undefined {
    const topology = this.#topology;
    const { selectedBy } = one.membership;
    const waiting = this.#attraction.waitingFor(one, key);
    const isCounted = spreads.some(({ index }) => selectedBy.includes(index));
    const served = (name: string | undefined, insists: boolean): number =>
      waiting.length === 0 ? 0 : this.#attraction.served(waiting, key, name, insists);
    const least = new Map(mine.filter(({ kind }) => kind === "spread").map((group) => [group, topology.least(group)]));
    const crowdIn = (name: string): number => spreads.reduce((sum, { index }) => sum + topology.count(index, name), 0);
    let best: Domain | undefined;
    let bestScore: readonly number[] = [];
    let thinnest = Number.POSITIVE_INFINITY;
    for (const { name } of domains) if (name !== undefined) thinnest = Math.min(thinnest, crowdIn(name));
    for (const domain of domains) {
      const { name, priceMicroUsd } = domain;
      if (name !== undefined) {
        if (!mine.every((group) => this.#allows(group, selectedBy, name, least.get(group) ?? 0, startable))) continue;
        if (repelling.some(({ index }) => topology.holds(index, name))) continue;
      }
      // Nodes without the label crowd nobody: they are as good as the emptiest domain, and it is the price that decides.
      const crowd = name === undefined ? thinnest : crowdIn(name);
      // A single pod keeps to what a spread bears; more of them had better fill domains evenly.
      const evenly = one.count === 1 ? [priceMicroUsd, crowd] : [crowd, priceMicroUsd];
      const load = this.#load.get(`${key}=${name}`) ?? 0;
      const turn = isCounted ? [load] : turnOf(load);
      const score = [-served(name, true), ...evenly, -served(name, false), ...turn];
      if (best === undefined || compare(score, bestScore) < 0) {
        best = domain;
        bestScore = score;
      }
    }
    return best;
  }

  #allows(
    group: Group,
    selectedBy: readonly number[],
    domain: string,
    least: number,
    startable: ReadonlySet<Group>,
  ): boolean {
    const { index, kind, maxSkew } = group;
    const there = this.#topology.count(index, domain);
    if (kind === "spread") return there + (selectedBy.includes(index) ? 1 : 0) - least <= maxSkew;
    return kind === "together" ? there > 0 || startable.has(group) : there === 0;
  }

  /** The groups whose first pod a pod of the class may be: as it stands before the pod itself counts. */
  #startable({ owns, selectedBy }: Membership): ReadonlySet<Group> {
    const topology = this.#topology;
    if (owns.every((index) => topology.group(index).kind !== "together")) return none;
    const near = owns.map((index) => topology.group(index)).filter(({ kind }) => kind === "together");
    const isAlone = ({ index, perHost }: Group): boolean =>
      (perHost ? topology.onHosts(index) : topology.total(index)) === 0;
    // kube-scheduler lets a pod be the first only where none of its required terms has anybody over its own label.
    const startable = near.filter(
      ({ index, company }) =>
        selectedBy.includes(index) &&
        topology.mayStart(index) &&
        near.every((other) => other.company !== company || isAlone(other)),
    );
    return new Set(startable);
  }

  /** Where the class could go as far as its own demands, capacity and pools go. By name. */
  domains(one: Wanting, pins: Pins, key: string): readonly Domain[] {
    const text = `${pinsText(pins)}/${key}`;
    let known = this.#domains.get(one);
    if (known === undefined) {
      known = new Map();
      this.#domains.set(one, known);
    }
    let found = known.get(text);
    if (found === undefined) {
      found = this.#find(one, pins, key);
      known.set(text, found);
    }
    return found;
  }

  #find({ one, usage, membership }: Wanting, pins: Pins, key: string): readonly Domain[] {
    const { asks, pools, bins } = this.#world;
    const held = pinned(pins);
    const prices = new Map<string | undefined, number>();
    const note = (name: string | undefined, price: number): void => {
      prices.set(name, Math.min(price, prices.get(name) ?? Number.POSITIVE_INFINITY));
    };
    const without = needsLabel(this.#topology, membership, key) ? [] : [undefined];
    for (const { pool: index, ask } of one.options) {
      const pool = pools.pools[index]!;
      const { states } = pool;
      for (const start of startsOf(pool)) {
        const state = states.next(start, asks.intern(asks.get(ask).intersection(held)));
        if (state < 0) continue;
        for (const domain of [...this.#topology.poolDomains.of(index, state, key), ...without]) {
          const there = states.next(state, asks.intern(Requirements.from([pin(key, domain)])));
          const [cheapest] = there < 0 ? [] : typesHolding(pool, there, usage, undefined, 1);
          if (cheapest !== undefined) note(domain, states.price(there, cheapest));
        }
      }
    }
    const wanted = one.selection.alternatives.map((ask) => asks.get(ask).intersection(held));
    const bare = without.length === 0 ? [] : wanted.map((all) => asks.intern(all.with(pin(key, undefined))));
    const any = wanted.map((all) => asks.intern(all));
    for (const bin of bins) {
      if (bin.leaving || untoleratedTaint(one.sample.tolerations, bin.taints) !== undefined) continue;
      const domain = binDomain(bin, key);
      if (domain !== undefined && !prices.has(domain)) {
        if (any.some((ask) => binAdmits(bin, ask, asks))) note(domain, Number.POSITIVE_INFINITY);
      } else if (domain === undefined && !prices.has(undefined) && bare.some((ask) => binAdmits(bin, ask, asks))) {
        note(undefined, Number.POSITIVE_INFINITY);
      }
    }
    const names = [...prices.keys()].filter((name) => name !== undefined).sort();
    const all = prices.has(undefined) ? [...names, undefined] : names;
    return all.map((name) => ({ name, priceMicroUsd: prices.get(name)! }));
  }

  /** Why no domain takes another pod of the class, of the first label for which that is so; undefined: not by its rules. */
  reason(one: Wanting): string | undefined {
    const { selectedBy } = one.membership;
    for (const key of pinnedKeys(this.#topology, one.membership)) {
      const domains = this.domains(one, nowhere, key);
      if (domains.length === 0) {
        if (one.one.options.length === 0 || !needsLabel(this.#topology, one.membership, key)) return undefined;
        return `no node that it may use has the label ${key}, which its rules about other pods need`;
      }
      const { mine, repelling } = this.#groupsOf(one, key);
      const startable = this.#startable(one.membership);
      const words = domains.map(({ name }) => {
        if (name === undefined) return "nodes without it: no room";
        const refusing = mine.find(
          (group) =>
            !this.#allows(
              group,
              selectedBy,
              name,
              group.kind === "spread" ? this.#topology.least(group) : 0,
              startable,
            ),
        );
        if (refusing !== undefined) return `${name}: ${this.#words(refusing, name)}`;
        const repelled = repelling.some(({ index }) => this.#topology.holds(index, name));
        return `${name}: ${repelled ? "pods that want to be far from it" : "no room"}`;
      });
      return `no ${key} takes it: ${words.join("; ")}`;
    }
    return undefined;
  }

  #words(group: Group, domain: string): string {
    const there = this.#topology.count(group.index, domain);
    if (group.kind === "spread") {
      return `${there} pods where the emptiest has ${this.#topology.least(group)} (maxSkew ${group.maxSkew})`;
    }
    return group.kind === "together"
      ? "none of the pods that it wants to be near"
      : "pods that it wants to be far from";
  }
}
