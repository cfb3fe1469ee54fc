import { labels } from "../../model/index.ts";
import type { Board } from "../board.ts";
import { binDomain } from "../node-bins.ts";
import type { World } from "../world.ts";
import type { Group } from "./groups.ts";
import type { Topology } from "./topology.ts";

const { hostname } = labels;

type Taken = ReadonlyMap<number, number>;

/** Pods of one class on one node of the plan. */
interface Lot {
  readonly c: number;
  readonly count: number;
  /** The value of a node label there; undefined: none, or it is still open. */
  readonly domainOf: (key: string) => string | undefined;
}

/** Of a class: the groups whose company it requires, and the required ones, of any class, that it is company for. */
interface Wants {
  readonly near: readonly Group[];
  readonly counts: readonly Group[];
}

/**
 * Pods that cannot be bound where the plan has them, by class how many: kube-scheduler asks for a pod's company when it binds
 * the pod, and these have none but each other, or are the first of their kind in one place though others that wait for
 * nobody are elsewhere.
 *
 * Domains are given out in an order that works, and so are hosts. But hosts come after domains: where pods want company on
 * one host the two may contradict each other, and then it is these pods that have to go elsewhere. And of several tiers
 * an important pod may be the first of its kind before its like of the next tier has a place (`severalTiers`).
 */
export function unbindable(
  board: Board,
  onBins: readonly { readonly bin: number; readonly taken: Taken }[],
  severalTiers: boolean,
): ReadonlyMap<number, number> {
  const { topology, classes } = board;
  if (topology === undefined) return new Map();
  if (!severalTiers && classes.every((_, c) => topology.rules.needsOf(c).length === 0)) return new Map();
  const wants = wantsOf(board, topology);
  const lots = lotsOf(board, onBins).filter(({ c }) => wants[c]!.near.length + wants[c]!.counts.length > 0);
  const byClass = new Map<number, number>();
  for (const { c, count } of bindAll(new Company(topology, wants), lots)) {
    byClass.set(c, (byClass.get(c) ?? 0) + count);
  }
  const onHosts = [...byClass].filter(([c]) => wants[c]!.near.some(({ perHost }) => perHost));
  return onHosts.length === 0 ? byClass : new Map(onHosts);
}

function wantsOf({ classes }: Board, topology: Topology): readonly Wants[] {
  const near = classes.map(({ sample }) =>
    topology
      .insisted(sample)
      .map((index) => topology.group(index))
      .filter(({ kind }) => kind === "together"),
  );
  const required = new Set(near.flat());
  return classes.map(({ membership }, c) => ({
    near: near[c]!,
    counts: membership.selectedBy.map((index) => topology.group(index)).filter((group) => required.has(group)),
  }));
}

/** Every bin is a host of its own, whatever its label says. */
export function domainOnBin({ bins }: World, bin: number, key: string): string | undefined {
  return key === hostname ? `bin ${bin}` : binDomain(bins[bin]!, key);
}

function lotsOf({ world, claims }: Board, onBins: readonly { readonly bin: number; readonly taken: Taken }[]): Lot[] {
  const on = (taken: Taken, domainOf: Lot["domainOf"]): Lot[] =>
    [...taken].map(([c, count]) => ({ c, count, domainOf }));
  return [
    ...onBins.flatMap(({ bin, taken }) => on(taken, (key) => domainOnBin(world, bin, key))),
    ...claims.flatMap(({ pool, state, taken }, at) => {
      const requirements = pool.states.requirements(state);
      const host = `new ${at}`;
      return on(taken, (key) => {
        if (key === hostname) return host;
        const one = requirements.get(key);
        return one?.complement === false && one.values.size === 1 ? [...one.values][0] : undefined;
      });
    }),
  ];
}

/** Binds all that can be bound, those that wait for nobody first; returns those that cannot. */
function bindAll(company: Company, lots: readonly Lot[]): readonly Lot[] {
  let waiting = lots;
  const bindAmong = (some: readonly Lot[], may: (lot: Lot) => boolean): boolean => {
    const bound = new Set(some.filter((lot) => may(lot) && company.bind(lot)));
    waiting = waiting.filter((lot) => !bound.has(lot));
    return bound.size > 0;
  };
  bindAmong(waiting, (lot) => !company.waits(lot));
  for (;;) {
    if (bindAmong(waiting, (lot) => company.isThere(lot))) continue;
    const starter = waiting.find((lot) => company.mayStart(lot));
    if (starter === undefined) return waiting;
    bindAmong([starter], () => true);
  }
}

/** Who is bound so far, as far as anyone wants to be near them. */
class Company {
  readonly #wants: readonly Wants[];
  readonly #there = new Map<Group, Set<string>>();

  constructor(topology: Topology, wants: readonly Wants[]) {
    this.#wants = wants;
    for (const group of new Set(wants.flatMap(({ near }) => near))) {
      this.#there.set(group, new Set(topology.domainsOfResidents(group)));
    }
  }

  /** Its pods do not go just anywhere. */
  waits({ c }: Lot): boolean {
    return this.#wants[c]!.near.length > 0;
  }

  /** All that the lot's pods want to be near are where it is. */
  isThere({ c, domainOf }: Lot): boolean {
    return this.#wants[c]!.near.every((group) => {
      const domain = domainOf(group.key);
      return domain !== undefined && this.#there.get(group)!.has(domain);
    });
  }

  /** Its pods want to be near their like, of whom there are none yet. */
  mayStart({ c, domainOf }: Lot): boolean {
    const { near, counts } = this.#wants[c]!;
    return near.every(
      (group) => domainOf(group.key) !== undefined && counts.includes(group) && this.#there.get(group)!.size === 0,
    );
  }

  bind({ c, domainOf }: Lot): boolean {
    for (const group of this.#wants[c]!.counts) {
      const domain = domainOf(group.key);
      if (domain !== undefined) this.#there.get(group)!.add(domain);
    }
    return true;
  }
}
