import type { Pod } from "../../model/index.ts";
import { isEverywhere } from "../daemon-ports.ts";
import { isPodOf, toleratesAll } from "../daemons.ts";
import { binAdmits, binDomain } from "../node-bins.ts";
import type { OpenClaim } from "../open-claim.ts";
import { podKey } from "../pod-class.ts";
import type { Pool } from "../pool.ts";
import type { SolverClass } from "../solver-classes.ts";
import type { World } from "../world.ts";
import { domainOnBin } from "./binding-order.ts";
import type { PoolDomains } from "./domains.ts";
import { type Group, GroupTable, type Membership } from "./groups.ts";
import { emptyTally, NodeRules, type NodeTally } from "./node-rules.ts";
import { type Demands, demandsAt, stagesOf } from "./preferences.ts";
import { type Foreseen, SpreadDomains } from "./spread-domains.ts";

/** True if nothing that the pod asks for depends on where other pods are. */
export function standsAlone(pod: Pod): boolean {
  return (
    pod.topologySpread.length +
      pod.requiredPodAffinity.length +
      pod.requiredPodAntiAffinity.length +
      pod.preferredPodAffinity.length +
      pod.preferredPodAntiAffinity.length +
      pod.hostPorts.length ===
    0
  );
}

/**
 * Who counts for which rule, and how many there are in each domain: those on nodes and on claims in flight, and those that
 * this plan has given a domain so far. Pods that are planned anew count only where they go.
 */
export class Topology {
  readonly rules: NodeRules;
  readonly #world: World;
  readonly #table: GroupTable;
  readonly #respect: boolean;
  /** By group: domain → selected pods, and → pods that have the group as `apart`. Only of groups wider than a host. */
  readonly #counts: Map<string, number>[] = [];
  /** Of the counts, those on nodes that the group may not look at when it comes to that. */
  readonly #unsure: Map<string, number>[] = [];
  readonly #holders: Map<string, number>[] = [];
  readonly #ownedHere = new Set<number>();
  /** Groups that select pods of this plan which, in the end, do not have them. */
  readonly #open = new Set<number>();
  /** Everyone else has a place: who wants to be near pods that there are none of may be the first of them. */
  #isLastCall = false;
  readonly #tallies = new Map<number, NodeTally>();
  /** By pool: what its new nodes begin with, which is the host ports of daemons. */
  readonly #beginnings: readonly (NodeTally | undefined)[];
  /** Selected pods on nodes, of groups per host. */
  readonly #onHosts: number[] = [];
  readonly #idle = new Set<number>();
  /** Groups of pods that still insist on all their wishes: asked for again and again. */
  readonly #ownedAtFirst = new Map<Pod, readonly number[]>();
  readonly #spreadDomains: SpreadDomains;
  readonly #planned: ReadonlySet<string>;

  /** Undefined where no rule concerns any of the pods. `foreseen`: more domains of spreads. */
  static of(world: World, pods: readonly Pod[], foreseen: Foreseen): Topology | undefined {
    const { residents } = world;
    if (residents.repelling.length === 0 && pods.every(standsAlone)) return undefined;
    return new Topology(world, pods, foreseen);
  }

  private constructor(world: World, pods: readonly Pod[], foreseen: Foreseen) {
    this.#world = world;
    this.#respect = world.snapshot.settings.preferencePolicy === "Respect";
    this.#table = new GroupTable(world.snapshot.namespaces);
    this.#spreadDomains = new SpreadDomains(world, foreseen);
    const planned = new Set(pods.map(({ uid }) => uid));
    this.#planned = planned;
    // Groups are numbered as they come: pods come by name, so that the plan is the same for every order of the input.
    const ruled = pods.filter((pod) => !standsAlone(pod)).sort(byKey);
    for (const pod of ruled) {
      const owned = this.#table.ownedBy(pod, this.#demands(pod));
      this.#ownedAtFirst.set(pod, owned);
      for (const group of owned) {
        if (this.#table.groups[group]!.kind !== "aside") this.#ownedHere.add(group);
      }
    }
    const holders = world.residents.repelling
      .filter(({ pod, bin }) => !planned.has(pod.uid) && !isGone(world, bin))
      .sort((a, b) => byKey(a.pod, b.pod));
    const held = holders.map(({ pod }) => this.#table.ownedBy({ ...pod, hostPorts: [] }, requiredOnly(pod)));
    this.rules = new NodeRules(this.#table.groups);
    for (const group of this.#table.groups) {
      this.#counts[group.index] = new Map();
      this.#unsure[group.index] = new Map();
      this.#holders[group.index] = new Map();
      this.#onHosts[group.index] = 0;
    }
    this.#noteOpen(pods);
    this.#countResidents(planned);
    this.#awaitDaemons();
    this.#beginnings = world.pools.pools.map((pool) => this.#beginningOf(pool));
    holders.forEach(({ pod, bin }, at) => {
      this.#hold(pod, bin, held[at]!);
    });
    this.#noteIdle(pods, ruled);
  }

  /**
   * Groups per host that can bind nobody: one pod of the plan has them, no other is selected, and no node has a selected pod
   * or one that has them. Single replicas of charts that keep replicas apart are many, and so they are all alike.
   */
  #noteIdle(pods: readonly Pod[], ruled: readonly Pod[]): void {
    const owners = new Map<number, Pod>();
    const several = new Set<number>();
    const note = (index: number, pod: Pod): void => {
      const known = owners.get(index);
      if (known === undefined) owners.set(index, pod);
      else if (known !== pod) several.add(index);
    };
    for (const pod of ruled) for (const index of this.#ownedAtFirst.get(pod)!) note(index, pod);
    for (const pod of pods) for (const index of this.#table.selecting(pod)) note(index, pod);
    const tallies = new Set(
      [...this.#tallies.values()].flatMap(({ selected, most }) => [...selected.keys(), ...most.keys()]),
    );
    for (const { index, kind, perHost } of this.#table.groups) {
      // Over wider domains a plan must say which one a claim is for: the next pod will count it before its node is there.
      if (!perHost || kind === "together" || kind === "port" || several.has(index)) continue;
      if (!tallies.has(index)) this.#idle.add(index);
    }
  }

  #demands(pod: Pod): Demands {
    return demandsAt(pod, 0, this.#respect);
  }

  #noteOpen(pods: readonly Pod[]): void {
    if (this.#table.groups.every(({ kind }) => kind !== "together")) return;
    for (const pod of pods) {
      const selecting = this.#table.selecting(pod).filter((index) => this.group(index).kind === "together");
      if (selecting.length === 0) continue;
      const insisting = this.insisted(pod);
      for (const index of selecting) if (!insisting.includes(index)) this.#open.add(index);
    }
  }

  callLast(): void {
    this.#isLastCall = true;
  }

  /** The pod insists on being near its like and may not be the first of them yet: its turn comes later. */
  waits(pod: Pod): boolean {
    if (this.#isLastCall || this.#open.size === 0) return false;
    const selecting = this.#table.selecting(pod);
    return this.insisted(pod).some((index) => this.#open.has(index) && selecting.includes(index));
  }

  /** The pod has the group whatever it gives in on. */
  insists(pod: Pod, group: number): boolean {
    return this.insisted(pod).includes(group);
  }

  /** Its groups once it has given in on every wish. */
  insisted(pod: Pod): readonly number[] {
    return this.#table.ownedBy(pod, demandsAt(pod, stagesOf(pod, this.#respect) - 1, this.#respect));
  }

  /**
   * A pod that wants to be near its like may go anywhere where there is none yet (Kubernetes' rule for the first of them):
   * at once where all that are selected follow it, else only after those have their places.
   */
  mayStart(group: number): boolean {
    return this.#isLastCall || !this.#open.has(group);
  }

  #countResidents(planned: ReadonlySet<string>): void {
    const { residents, bins } = this.#world;
    for (const { sample, members } of residents.sets) {
      const groups = this.#table.selecting(sample);
      if (groups.length === 0) continue;
      for (const { pod, bin } of members) {
        if (planned.has(pod.uid) || isGone(this.#world, bin)) continue;
        for (const index of groups) {
          const group = this.#table.groups[index]!;
          if (group.perHost) {
            const { selected } = this.#tallyOf(bin);
            selected.set(index, (selected.get(index) ?? 0) + 1);
            this.#onHosts[index]!++;
            if (group.kind === "port") this.#tallyOf(bin).most.set(index, 1);
            continue;
          }
          const domain = binDomain(bins[bin]!, group.key);
          if (domain === undefined || !this.#spreadDomains.includes(group, bins[bin]!)) continue;
          this.#counts[index]!.set(domain, (this.#counts[index]!.get(domain) ?? 0) + 1);
        }
      }
    }
  }

  #hold(pod: Pod, bin: number, groups: readonly number[]): void {
    const selecting = this.#table.selecting(pod);
    for (const index of groups) {
      const { perHost, key } = this.#table.groups[index]!;
      if (perHost) {
        const { most } = this.#tallyOf(bin);
        most.set(index, Math.min(most.get(index) ?? 1, selecting.includes(index) ? 1 : 0));
        continue;
      }
      const domain = binDomain(this.#world.bins[bin]!, key);
      if (domain !== undefined) this.#holders[index]!.set(domain, (this.#holders[index]!.get(domain) ?? 0) + 1);
    }
  }

  /** Daemons that run on some types only are no matter here: pods with their ports ask for other types. */
  #beginningOf(pool: Pool): NodeTally | undefined {
    const tally = emptyTally();
    for (const daemon of this.#world.daemons) {
      if (daemon.hostPorts.length === 0 || !isEverywhere(daemon, pool, this.#world.asks)) continue;
      for (const group of this.#table.clashingWith(daemon.hostPorts)) tally.selected.set(group, 1);
    }
    return tally.selected.size === 0 ? undefined : tally;
  }

  /** Daemons that are still to come to a node will have their host ports there. */
  #awaitDaemons(): void {
    const { daemons, bins, bound, asks } = this.#world;
    for (const daemon of daemons) {
      const groups = daemon.hostPorts.length === 0 ? [] : this.#table.clashingWith(daemon.hostPorts);
      if (groups.length === 0) continue;
      bins.forEach((bin, row) => {
        if (bin.leaving || !toleratesAll(daemon, bin.taints)) return;
        if ((bound.get(bin.nodeName ?? "") ?? []).some((pod) => isPodOf(daemon, pod))) return;
        if (!daemon.selection.alternatives.some((ask) => binAdmits(bin, ask, asks))) return;
        const { selected } = this.#tallyOf(row);
        for (const group of groups) selected.set(group, (selected.get(group) ?? 0) + 1);
      });
    }
  }

  /** What stands on a new node of a pool before any pod of the plan; undefined: nothing that a rule counts. */
  beginning(pool: number): NodeTally | undefined {
    return this.#beginnings[pool];
  }

  #tallyOf(bin: number): NodeTally {
    const known = this.#tallies.get(bin);
    if (known !== undefined) return known;
    const tally = emptyTally();
    this.#tallies.set(bin, tally);
    return tally;
  }

  /** What stands on a bin so far; undefined: nothing that a rule counts. */
  tally(bin: number): NodeTally | undefined {
    return this.#tallies.get(bin);
  }

  takeOnBin(bin: number, c: number, count: number): void {
    if (this.rules.concerns(c)) this.rules.add(this.#tallyOf(bin), c, count);
  }

  /** Pods on nodes that a group per host selects. */
  onHosts(group: number): number {
    return this.#onHosts[group]!;
  }

  group(index: number): Group {
    return this.#table.groups[index]!;
  }

  membership(pod: Pod, demands: Demands): Membership {
    return this.#membership(pod, this.#table.ownedBy(pod, demands));
  }

  #membership(pod: Pod, owned: readonly number[]): Membership {
    const binding = (index: number): boolean => !this.#idle.has(index);
    return { owns: owned.filter(binding), selectedBy: this.#table.selecting(pod).filter(binding) };
  }

  /** Some pod of this plan has the group, not only pods that run already. */
  isOwnedHere(group: number): boolean {
    return this.#ownedHere.has(group);
  }

  /** Tells apart pods that rules tell apart. */
  mark(pod: Pod): string {
    const { owns, selectedBy } = this.#membership(pod, this.#ownedAtFirst.get(pod) ?? []);
    return owns.length + selectedBy.length === 0 ? "" : `${owns.join(",")}/${selectedBy.join(",")}`;
  }

  count(group: number, domain: string): number {
    return this.#counts[group]!.get(domain) ?? 0;
  }

  total(group: number): number {
    let total = 0;
    for (const count of this.#counts[group]!.values()) total += count;
    return total;
  }

  holds(group: number, domain: string): boolean {
    return (this.#holders[group]!.get(domain) ?? 0) > 0;
  }

  holderDomains(group: number): readonly string[] {
    return [...this.#holders[group]!].filter(([, count]) => count > 0).map(([domain]) => domain);
  }

  /** Least count over the domains of a spread that there are or could be; 0 while they are fewer than it asks for. */
  least(group: Group): number {
    const eligible = this.eligible(group);
    if (eligible.size < group.minDomains) return 0;
    let least = Number.POSITIVE_INFINITY;
    const unsure = this.#unsure[group.index]!;
    for (const domain of eligible) {
      least = Math.min(least, this.count(group.index, domain) - (unsure.get(domain) ?? 0));
    }
    return least === Number.POSITIVE_INFINITY ? 0 : least;
  }

  /** Gives `count` pods (negative: takes them back) of these groups the domain. `unsure`: as `unsureOf` says. */
  note(
    { owns, selectedBy }: Membership,
    key: string,
    domain: string,
    count: number,
    unsure: ReadonlySet<number>,
  ): void {
    for (const index of selectedBy) {
      if (!this.#isOf(index, key)) continue;
      add(this.#counts[index]!, domain, count);
      if (unsure.has(index)) add(this.#unsure[index]!, domain, count);
    }
    for (const index of owns) {
      if (this.#isOf(index, key) && this.group(index).kind === "apart") add(this.#holders[index]!, domain, count);
    }
  }

  #isOf(index: number, key: string): boolean {
    const group = this.group(index);
    return !group.perHost && group.key === key;
  }

  /** Spreads that the class may or may not count for, as its nodes turn out: they may not be such as the spread looks at. */
  unsureOf(one: SolverClass): ReadonlySet<number> {
    return new Set(
      one.membership.selectedBy.filter((index) => {
        const group = this.group(index);
        return group.kind === "spread" && !group.perHost && !this.#spreadDomains.surelyIncludes(group, one);
      }),
    );
  }

  /** The domains of a spread. */
  eligible(group: Group): ReadonlySet<string> {
    return this.#spreadDomains.eligible(group);
  }

  /** A spread counts nodes of the claim, if there are some in a domain. */
  countsNodesOf(group: Group, claim: OpenClaim): boolean {
    return this.#spreadDomains.includesClaim(group, claim);
  }

  get poolDomains(): PoolDomains {
    return this.#spreadDomains.ofPools;
  }

  /** Groups that spread pods over domains wider than a host. */
  get spreads(): readonly Group[] {
    return this.#table.groups.filter(({ kind, perHost }) => kind === "spread" && !perHost);
  }

  /** Where pods run that the group selects, before the plan; hosts as `domainOnBin` names them. */
  domainsOfResidents({ index, key }: Group): ReadonlySet<string> {
    const found = new Set<string>();
    for (const { sample, members } of this.#world.residents.sets) {
      if (!this.#table.selecting(sample).includes(index)) continue;
      for (const { pod, bin } of members) {
        const domain =
          this.#planned.has(pod.uid) || isGone(this.#world, bin) ? undefined : domainOnBin(this.#world, bin, key);
        if (domain !== undefined) found.add(domain);
      }
    }
    return found;
  }
}

function byKey(a: Pod, b: Pod): number {
  const [one, other] = [podKey(a), podKey(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

function isGone({ bins }: World, bin: number): boolean {
  return bins[bin]!.gone === true;
}

function add(counts: Map<string, number>, domain: string, count: number): void {
  counts.set(domain, (counts.get(domain) ?? 0) + count);
}

/** What still counts of a pod that runs: what it required of others. Its ports are its node's. */
function requiredOnly(pod: Pod): Demands {
  return { nodeWish: undefined, together: [], apart: pod.requiredPodAntiAffinity, aside: [], spread: [] };
}
