import {
  type CsiNode,
  type InstanceType,
  type NodeClaim,
  own,
  type Pod,
  type Resources,
  type Snapshot,
} from "../../model/index.ts";
import type { NodeBin } from "../node-bins.ts";
import type { TypesOf } from "../pool.ts";
import type { ResourceAxis } from "../resource-axis.ts";
import type { Attachment } from "./storage.ts";
import { TypeLimits, unbounded } from "./type-limits.ts";

/** Claims of several pods that get a column each; each keeps an attachment free on every node. */
const maxSharedClaims = 4;

/** Who uses a volume. */
interface Use {
  readonly driver: string;
  readonly key: string;
  pods: number;
  pending: number;
}

/** A driver that is bounded somewhere, and the volumes of it that have a column of their own. */
interface Bounded {
  readonly driver: string;
  readonly shared: readonly string[];
  /** The most volumes that one pod has beside those. */
  readonly most: number;
}

/**
 * How many volumes the drivers can attach to a node, as columns of the resources, so that nothing else needs to know of
 * them: a pod asks for one attachment for each of its volumes. Their names are no resource names, which have no spaces.
 * Pods that share a volume need one attachment together. A few such volumes get a column of their own: a node keeps one
 * attachment back for each, and then all of their pods fit. For others each pod counts its own, and so it is on new nodes
 * with too few attachments to keep any back: too much, never too little.
 */
export class Attachments {
  readonly columns: readonly string[];
  readonly #limits: TypeLimits;
  readonly #csiNodes: ReadonlyMap<string, CsiNode>;
  readonly #bounded: readonly Bounded[];

  constructor(snapshot: Snapshot, pods: readonly Pod[], attachedOf: (pod: Pod) => readonly Attachment[]) {
    this.#csiNodes = new Map(snapshot.csiNodes.map((node) => [node.name, node]));
    this.#limits = new TypeLimits(snapshot, this.#csiNodes);
    const byPod = pods.map((pod) => ({ pending: pod.nodeName === undefined, attachments: unique(attachedOf(pod)) }));
    const uses = usesOf(byPod);
    const drivers = [...new Set(uses.map(({ driver }) => driver))]
      .filter((driver) => this.#limits.knows(driver))
      .sort();
    this.#bounded = drivers.map((driver) => {
      const shared = mostShared(driver, uses);
      const own = (all: readonly Attachment[]): number =>
        all.filter((one) => one.driver === driver && !shared.includes(one.key)).length;
      return { driver, shared, most: byPod.reduce((most, { attachments }) => Math.max(most, own(attachments)), 0) };
    });
    this.columns = this.#bounded.flatMap(({ driver, shared }) => [
      columnOf(driver),
      ...(shared.length === 0 ? [] : [eachColumn(driver)]),
      ...shared.map((key) => sharedColumn(driver, key)),
    ]);
  }

  /** What a pod with these volumes asks for. */
  requestsFor(attachments: readonly Attachment[]): Resources {
    const requests: Record<string, number> = {};
    for (const { driver, shared } of this.#bounded) {
      const own = unique(attachments).filter((one) => one.driver === driver);
      if (own.length === 0) continue;
      if (shared.length > 0) requests[eachColumn(driver)] = own.length;
      for (const { key } of own) {
        const column = shared.includes(key) ? sharedColumn(driver, key) : columnOf(driver);
        requests[column] = (requests[column] ?? 0) + 1;
      }
    }
    return requests;
  }

  /** Types with what their nodes can attach. */
  onTypes(typesOf: TypesOf): TypesOf {
    if (this.columns.length === 0) return typesOf;
    const known = new Map<string, readonly InstanceType[]>();
    return (nodeClass) => {
      let types = known.get(nodeClass.name);
      if (types === undefined) {
        types = typesOf(nodeClass).map((type) => {
          const limitOf = (driver: string): number => this.#limits.of(driver, type.name, nodeClass.name);
          return { ...type, allocatable: this.#keptBack(this.#with(type.allocatable, limitOf)) };
        });
        known.set(nodeClass.name, types);
      }
      return types;
    };
  }

  /** Bins with what their nodes can attach, whatever is attached already. */
  onBins(bins: readonly NodeBin[], typesOf: (claim: NodeClaim) => readonly InstanceType[]): readonly NodeBin[] {
    if (this.columns.length === 0) return bins;
    return bins.map((bin) => {
      const types = bin.claim === undefined ? [] : typesOf(bin.claim);
      const shapes = bin.shapes.map((shape, at) => {
        const limitOf = (driver: string): number => this.#onNode(bin, driver, types[at] ?? types[0]);
        return { ...shape, allocatable: this.#with(shape.allocatable, limitOf) };
      });
      return { ...bin, shapes };
    });
  }

  /** A node says it itself (CSINode); one that says nothing of a driver counts as kube-scheduler has it: without a bound. */
  #onNode({ node, claim, settled }: NodeBin, driver: string, type: InstanceType | undefined): number {
    const told = node === undefined ? undefined : own(this.#csiNodes.get(node.name)?.attachLimits ?? {}, driver);
    if (told !== undefined) return told ?? unbounded;
    if (claim === undefined || settled || type === undefined) return unbounded;
    return this.#limits.of(driver, type.name, claim.nodeClass);
  }

  #with(allocatable: Resources, limitOf: (driver: string) => number): Record<string, number> {
    const all: Record<string, number> = { ...allocatable };
    for (const { driver } of this.#bounded) all[columnOf(driver)] = limitOf(driver);
    return all;
  }

  /**
   * Takes off each row of `free` what is attached there, by pods that run there or are to; and what shared volumes may yet
   * take, giving those their columns, as long as every pod's own volumes still fit.
   */
  charge(
    free: Float64Array,
    axis: ResourceAxis,
    bins: readonly NodeBin[],
    attachedTo: (bin: NodeBin) => readonly Attachment[],
  ): Float64Array {
    if (this.columns.length === 0) return free;
    for (const [row, bin] of bins.entries()) {
      const there = unique(attachedTo(bin));
      for (const { driver, shared, most } of this.#bounded) {
        const at = (column: string): number => row * axis.size + axis.column(column)!;
        const keys = new Set(there.filter((one) => one.driver === driver).map(({ key }) => key));
        let left = free[at(columnOf(driver))]! - keys.size;
        for (const key of shared) {
          if (!keys.has(key) && left <= most) continue;
          if (!keys.has(key)) left--;
          free[at(sharedColumn(driver, key))] = unbounded;
        }
        free[at(columnOf(driver))] = left;
        if (shared.length > 0) free[at(eachColumn(driver))] = unbounded;
      }
    }
    return free;
  }

  /** On a new node, what volumes that several pods share may take is kept back, if the others' still fit then. */
  #keptBack(allocatable: Record<string, number>): Resources {
    for (const { driver, shared, most } of this.#bounded) {
      if (shared.length === 0) continue;
      const limit = allocatable[columnOf(driver)]!;
      const keeps = limit - shared.length >= most;
      allocatable[columnOf(driver)] = keeps ? limit - shared.length : unbounded;
      allocatable[eachColumn(driver)] = keeps ? unbounded : limit;
      for (const key of shared) allocatable[sharedColumn(driver, key)] = unbounded;
    }
    return allocatable;
  }
}

function columnOf(driver: string): string {
  return `volume attachments (${driver})`;
}

/** Of nodes where each pod counts its own volumes. */
function eachColumn(driver: string): string {
  return `${columnOf(driver)}, each pod's own`;
}

function sharedColumn(driver: string, key: string): string {
  return `${columnOf(driver)} of ${key}`;
}

function unique(attachments: readonly Attachment[]): readonly Attachment[] {
  if (attachments.length < 2) return attachments;
  return [...new Map(attachments.map((one) => [`${one.driver} ${one.key}`, one])).values()];
}

function usesOf(
  pods: readonly { readonly pending: boolean; readonly attachments: readonly Attachment[] }[],
): readonly Use[] {
  const uses = new Map<string, Use>();
  for (const { pending, attachments } of pods) {
    for (const { driver, key } of attachments) {
      const text = `${driver} ${key}`;
      let use = uses.get(text);
      if (use === undefined) {
        use = { driver, key, pods: 0, pending: 0 };
        uses.set(text, use);
      }
      use.pods++;
      if (pending) use.pending++;
    }
  }
  return [...uses.values()];
}

/** The volumes of a driver that most pods without a node share with others. */
function mostShared(driver: string, uses: readonly Use[]): readonly string[] {
  return uses
    .filter((use) => use.driver === driver && use.pods > 1 && use.pending > 0)
    .sort((a, b) => b.pending - a.pending || b.pods - a.pods || (a.key < b.key ? -1 : 1))
    .slice(0, maxSharedClaims)
    .map(({ key }) => key);
}
