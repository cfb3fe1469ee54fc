import { selectionOf } from "../asks.ts";
import { binAdmits, binDomain, type NodeBin } from "../node-bins.ts";
import type { OpenClaim } from "../open-claim.ts";
import type { SolverClass } from "../solver-classes.ts";
import { untoleratedTaint } from "../taints.ts";
import type { World } from "../world.ts";
import { PoolDomains } from "./domains.ts";
import type { Group } from "./groups.ts";

/** By group: domains that will be there for reasons that the group's own pods don't give. */
export type Foreseen = ReadonlyMap<number, ReadonlySet<string>>;

/** Over which domains pods are spread. */
export class SpreadDomains {
  readonly ofPools: PoolDomains;
  readonly #world: World;
  readonly #foreseen: Foreseen;
  readonly #eligible = new Map<number, ReadonlySet<string>>();
  readonly #asks = new Map<number, readonly number[]>();

  constructor(world: World, foreseen: Foreseen) {
    this.#world = world;
    this.#foreseen = foreseen;
    this.ofPools = new PoolDomains(world);
  }

  /**
   * The domains of a spread: those of nodes that its policies include, those that a pool could make for its pods, and those
   * that are foreseen.
   */
  eligible(group: Group): ReadonlySet<string> {
    const known = this.#eligible.get(group.index);
    if (known !== undefined) return known;
    const found = new Set<string>(this.#foreseen.get(group.index));
    for (const bin of this.#world.bins) {
      if (bin.gone === true || !this.includes(group, bin)) continue;
      const domain = binDomain(bin, group.key);
      if (domain !== undefined) found.add(domain);
    }
    for (const domain of this.ofPools.forPods(group.spread!.sample, this.#asksOf(group), group.key)) found.add(domain);
    this.#eligible.set(group.index, found);
    return found;
  }

  /** By its policies a spread counts only nodes that its pods could run on, as far as labels or taints go. */
  includes(group: Group, bin: NodeBin): boolean {
    if (group.spread === undefined) return true;
    const { asks } = this.#world;
    // A node that is there has the labels that it has; one that is coming may yet get them.
    if (bin.node !== undefined && group.spread.keys.some((key) => binDomain(bin, key) === undefined)) return false;
    return this.#toleratesIfAsked(group, bin.taints) && this.#asksOf(group).some((ask) => binAdmits(bin, ask, asks));
  }

  /** The same of nodes that a claim may become. */
  includesClaim(group: Group, { pool, state }: OpenClaim): boolean {
    return (
      this.#toleratesIfAsked(group, pool.nodePool.taints) &&
      this.#asksOf(group).some((ask) => pool.states.next(state, ask) >= 0)
    );
  }

  /** The same of every node that the class may be on. */
  surelyIncludes(group: Group, { sample, selection, options }: SolverClass): boolean {
    const { asks, bins, pools } = this.#world;
    const wanted = this.#asksOf(group);
    const isNarrower = (ask: number): boolean =>
      wanted.some((other) => other === 0 || asks.intern(asks.get(ask).intersection(asks.get(other))) === ask);
    if (!selection.alternatives.every(isNarrower)) return false;
    if (group.spread!.constraint.nodeTaintsPolicy === "Ignore") return true;
    const tainted = [
      ...options.map(({ pool }) => pools.pools[pool]!.nodePool.taints),
      ...bins.filter(({ leaving }) => !leaving).map(({ taints }) => taints),
    ].filter((taints) => taints.length > 0 && untoleratedTaint(sample.tolerations, taints) === undefined);
    return tainted.every((taints) => this.#toleratesIfAsked(group, taints));
  }

  #toleratesIfAsked({ spread }: Group, taints: NodeBin["taints"]): boolean {
    const { constraint, sample } = spread!;
    return constraint.nodeTaintsPolicy === "Ignore" || untoleratedTaint(sample.tolerations, taints) === undefined;
  }

  #asksOf({ index, spread }: Group): readonly number[] {
    let asks = this.#asks.get(index);
    if (asks === undefined) {
      const { constraint, sample } = spread!;
      const asking = constraint.nodeAffinityPolicy === "Honor" ? sample : { nodeSelector: {} };
      asks = selectionOf(asking, this.#world.asks, { anyHost: false }).alternatives;
      this.#asks.set(index, asks);
    }
    return asks;
  }
}
