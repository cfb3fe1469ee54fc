import { isOpen, offeringAllows, offeringLabels, reservationLabels, typeAllows } from "../catalog/index.ts";
import type { InstanceType, Resources, Taint } from "../model/index.ts";
import type { Requirement } from "../requirements/index.ts";
import { Requirements, wellKnownLabels } from "../requirements/index.ts";
import { addResources } from "../resources/index.ts";
import type { AskTable } from "./asks.ts";
import type { Daemon } from "./daemons.ts";
import { runsOnType, toleratesAll } from "./daemons.ts";
import type { ResourceAxis } from "./resource-axis.ts";

export { isOpen, offeringAllows, templateRequirements, typeMeets } from "../catalog/index.ts";

export const reservationIdLabel = reservationLabels.id;

/** Types as nodes with these requirements have them: as many, of the same names and in the same order. */
export type TypesIn = (requirements: Requirements) => readonly InstanceType[];

interface State {
  readonly requirements: Requirements;
  readonly types: readonly InstanceType[];
  /** Least price by type in micro-USD; Infinity where no available offering is left. */
  readonly prices: Float64Array;
  readonly cheapest: readonly number[];
  /** By ask; grows with the table of asks. */
  next: Int32Array;
  room?: Float64Array;
}

const noneYet = new Int32Array(0);
const unknown = -2;
/** Labels go together; whether anything is sold that way is not worked out. */
const compatible = -3;

/**
 * What is still open about a node of a pool, as numbered states: its requirements, and the types with a price for each.
 * A pod's ask leads from one state to another, or nowhere. Every transition is worked out once.
 */
export class StateTable {
  readonly types: readonly InstanceType[];
  readonly #asks: AskTable;
  readonly #axis: ResourceAxis;
  readonly #daemons: readonly Daemon[];
  readonly #states: State[] = [];
  readonly #byText = new Map<string, number>();
  readonly #typesIn: TypesIn;
  readonly #allocatable = new Map<readonly InstanceType[], Float64Array>();
  /** Plain nodes: whatever the pool allows, reservations aside. */
  readonly root: number;

  constructor(
    pool: Requirements,
    taints: readonly Taint[],
    types: readonly InstanceType[],
    asks: AskTable,
    axis: ResourceAxis,
    daemons: readonly Daemon[],
    typesIn: TypesIn = () => types,
  ) {
    this.types = types;
    this.#typesIn = typesIn;
    this.#asks = asks;
    this.#axis = axis;
    this.#daemons = daemons.filter((daemon) => toleratesAll(daemon, taints));
    this.root = this.#intern(pool);
  }

  requirements(state: number): Requirements {
    return this.#states[state]!.requirements;
  }

  /** The type as nodes in that state have it. */
  typeIn(state: number, type: number): InstanceType {
    return this.#states[state]!.types[type]!;
  }

  price(state: number, type: number): number {
    return this.#states[state]!.prices[type]!;
  }

  offers(state: number, type: number): boolean {
    return this.#states[state]!.prices[type]! < Number.POSITIVE_INFINITY;
  }

  /** The state of a node that also takes a pod with this ask; −1: none. */
  next(state: number, ask: number): number {
    if (ask === 0) return state;
    const from = this.#states[state]!;
    const known = from.next[ask] ?? unknown;
    if (known >= -1) return known;
    const found = this.narrow(state, this.#asks.get(ask));
    this.#note(from, ask, found);
    return found;
  }

  /** False where `next` would lead nowhere or to where the type is not offered; true where that would cost much to say. */
  mayTake(state: number, ask: number, type: number): boolean {
    if (ask === 0) return true;
    const from = this.#states[state]!;
    let known = from.next[ask] ?? unknown;
    if (known === unknown) {
      const fits = from.requirements.compatible(this.#asks.get(ask), { allowUndefined: wellKnownLabels });
      known = fits ? compatible : -1;
      this.#note(from, ask, known);
    }
    return known === compatible || known === state || (known >= 0 && this.offers(known, type));
  }

  #note(from: State, ask: number, found: number): void {
    if (from.next.length <= ask) {
      const grown = new Int32Array(this.#asks.size).fill(unknown);
      grown.set(from.next);
      from.next = grown;
    }
    from.next[ask] = found;
  }

  /** The state of exactly these requirements; −1 if nothing is offered there. */
  start(requirements: Requirements): number {
    return this.#offered(this.#intern(requirements));
  }

  #offered(state: number): number {
    return this.#states[state]!.cheapest.length > 0 ? state : -1;
  }

  /** Types that are offered, cheapest first, then by name. */
  cheapest(state: number): readonly number[] {
    return this.#states[state]!.cheapest;
  }

  narrow(state: number, more: Requirements): number {
    const { requirements } = this.#states[state]!;
    if (!requirements.compatible(more, { allowUndefined: wellKnownLabels })) return -1;
    // A label that the pool does not have stays absent: a pod that may do without it must not bring it in for others.
    const ours = [...more].filter(({ key }) => wellKnownLabels.has(key) || requirements.has(key));
    return this.#offered(this.#intern(requirements.intersection(Requirements.from(ours)), state, ours));
  }

  /** Allocatable less daemons: one row a type, columns as the axis. */
  room(state: number): Float64Array {
    const entry = this.#states[state]!;
    if (entry.room !== undefined) return entry.room;
    const room = new Float64Array(this.types.length * this.#axis.size);
    const daemons = this.#daemons.map((daemon) => this.#whereItRuns(state, daemon));
    entry.types.forEach((type, t) => {
      this.#axis.write(type.allocatable, room, t);
      this.#daemons.forEach((daemon, d) => {
        if (daemons[d]!.some((s) => this.offers(s, t)) && runsOnType(daemon, type)) {
          this.#axis.add(daemon.requests, room, t, -1);
        }
      });
    });
    entry.room = room;
    return room;
  }

  /** Allocatable as it is: one row a type, columns as the axis. */
  allocatable(state: number): Float64Array {
    const { types } = this.#states[state]!;
    let all = this.#allocatable.get(types);
    if (all === undefined) {
      all = new Float64Array(types.length * this.#axis.size);
      for (const [t, type] of types.entries()) this.#axis.write(type.allocatable, all, t);
      this.#allocatable.set(types, all);
    }
    return all;
  }

  /** What daemons take of a node of this type, all resources. */
  daemonRequests(state: number, type: number): Resources {
    return this.#daemons
      .filter(
        (daemon) =>
          runsOnType(daemon, this.types[type]!) && this.#whereItRuns(state, daemon).some((s) => this.offers(s, type)),
      )
      .reduce<Resources>((sum, { requests }) => addResources(sum, requests), {});
  }

  #whereItRuns(state: number, daemon: Daemon): number[] {
    return daemon.selection.alternatives.map((ask) => this.next(state, ask)).filter((next) => next >= 0);
  }

  /** `changed`: the only keys in which the requirements are narrower than those of state `parent`. */
  #intern(requirements: Requirements, parent = -1, changed: readonly Requirement[] = []): number {
    const text = JSON.stringify(requirements.toSpecs());
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const prices = new Float64Array(this.types.length).fill(Number.POSITIVE_INFINITY);
    const types = this.#typesIn(requirements);
    const tested = parent < 0 ? [...requirements] : changed.map(({ key }) => requirements.get(key)!);
    const among = parent < 0 ? this.types.map((_, t) => t) : this.#states[parent]!.cheapest;
    const elsewhere =
      parent < 0 || types !== this.#states[parent]!.types || tested.some(({ key }) => offeringLabels.has(key));
    for (const t of among) {
      const type = types[t]!;
      if (!tested.every((requirement) => typeAllows(type, requirement))) continue;
      prices[t] = elsewhere ? leastPrice(type, requirements) : this.price(parent, t);
    }
    const cheapest = among.filter((t) => prices[t]! < Number.POSITIVE_INFINITY);
    if (elsewhere)
      cheapest.sort((a, b) => prices[a]! - prices[b]! || (this.types[a]!.name < this.types[b]!.name ? -1 : 1));
    this.#states.push({ requirements, types, prices, cheapest, next: noneYet });
    this.#byText.set(text, this.#states.length - 1);
    return this.#states.length - 1;
  }
}

/** Of the type's open offerings that the requirements allow; Infinity: none. */
function leastPrice(type: InstanceType, requirements: Requirements): number {
  let least = Number.POSITIVE_INFINITY;
  for (const offering of type.offerings) {
    if (!isOpen(offering) || offering.priceMicroUsd >= least) continue;
    if (offeringAllows(offering, requirements)) least = offering.priceMicroUsd;
  }
  return least;
}
