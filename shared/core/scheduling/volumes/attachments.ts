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
import { TypeLimits, unbounded } from "./type-limits.ts";

/** A volume that a driver attaches to nodes. */
export interface Attachment {
  readonly driver: string;
  readonly key: string;
}

/** Claims of several pods that get a column each; each keeps an attachment free on every node. */
const maxSharedClaims = 4;

/** Who uses a volume. */
interface Use {
  readonly driver: string;
  readonly key: string;
  pods: number;
  pending: number;
}

/**
 * How many volumes the drivers can attach to a node, as columns of the resources, so that nothing else needs to know of
 * them: a pod asks for one attachment for each of its volumes. Their names are no resource names, which have no spaces.
 * Pods that share a volume need one attachment together. A few such volumes get a column of their own: every node keeps
 * one attachment back for each, and then all of their pods fit. For others each pod counts its own: too much, never too
 * little.
 */
export class Attachments {
  readonly columns: readonly string[];
  readonly #limits: TypeLimits;
  readonly #csiNodes: ReadonlyMap<string, CsiNode>;
  /** Drivers with a bound somewhere. */
  readonly #drivers: readonly string[];
  /** By driver: keys of volumes with a column. */
  readonly #shared = new Map<string, readonly string[]>();

  constructor(snapshot: Snapshot, pods: readonly Pod[], attachedOf: (pod: Pod) => readonly Attachment[]) {
    this.#csiNodes = new Map(snapshot.csiNodes.map((node) => [node.name, node]));
    this.#limits = new TypeLimits(snapshot, this.#csiNodes);
    const uses = usesOf(pods, attachedOf);
    const drivers = new Set([...uses.values()].map(({ driver }) => driver));
    this.#drivers = [...drivers].filter((driver) => this.#limits.knows(driver)).sort();
    for (const driver of this.#drivers) this.#shared.set(driver, mostShared(driver, [...uses.values()]));
    this.columns = this.#drivers.flatMap((driver) => [
      columnOf(driver),
      ...this.#shared.get(driver)!.map((key) => sharedColumn(driver, key)),
    ]);
  }

  /** What a pod with these volumes asks for. */
  requestsFor(attachments: readonly Attachment[]): Resources {
    const requests: Record<string, number> = {};
    for (const { driver, key } of unique(attachments)) {
      const shared = this.#shared.get(driver);
      if (shared === undefined) continue;
      const column = shared.includes(key) ? sharedColumn(driver, key) : columnOf(driver);
      requests[column] = (requests[column] ?? 0) + 1;
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
    for (const driver of this.#drivers) all[columnOf(driver)] = limitOf(driver);
    return all;
  }

  /**
   * Takes off each row of `free` what is attached there, by pods that run there or are to; and what shared volumes may yet
   * take, giving those their columns.
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
      for (const driver of this.#drivers) {
        const at = row * axis.size + axis.column(columnOf(driver))!;
        const keys = new Set(there.filter((one) => one.driver === driver).map(({ key }) => key));
        free[at]! -= keys.size;
        for (const key of this.#shared.get(driver)!) {
          const attached = keys.has(key);
          if (!attached && free[at]! > 0) free[at]!--;
          else if (!attached) continue;
          free[row * axis.size + axis.column(sharedColumn(driver, key))!] = unbounded;
        }
      }
    }
    return free;
  }

  /** On a new node, what volumes that several pods share may take is kept back. */
  #keptBack(allocatable: Record<string, number>): Resources {
    for (const driver of this.#drivers) {
      const column = columnOf(driver);
      for (const key of this.#shared.get(driver)!) {
        if (allocatable[column]! <= 0) continue;
        allocatable[column]!--;
        allocatable[sharedColumn(driver, key)] = unbounded;
      }
    }
    return allocatable;
  }
}

function columnOf(driver: string): string {
  return `volume attachments (${driver})`;
}

function sharedColumn(driver: string, key: string): string {
  return `${columnOf(driver)} of ${key}`;
}

function unique(attachments: readonly Attachment[]): readonly Attachment[] {
  if (attachments.length < 2) return attachments;
  return [...new Map(attachments.map((one) => [`${one.driver} ${one.key}`, one])).values()];
}

function usesOf(pods: readonly Pod[], attachedOf: (pod: Pod) => readonly Attachment[]): ReadonlyMap<string, Use> {
  const uses = new Map<string, Use>();
  for (const pod of pods) {
    for (const { driver, key } of unique(attachedOf(pod))) {
      const text = `${driver} ${key}`;
      let use = uses.get(text);
      if (use === undefined) {
        use = { driver, key, pods: 0, pending: 0 };
        uses.set(text, use);
      }
      use.pods++;
      if (pod.nodeName === undefined) use.pending++;
    }
  }
  return uses;
}

/** The volumes of a driver that most pods without a node share with others. */
function mostShared(driver: string, uses: readonly Use[]): readonly string[] {
  return uses
    .filter((use) => use.driver === driver && use.pods > 1 && use.pending > 0)
    .sort((a, b) => b.pending - a.pending || b.pods - a.pods || (a.key < b.key ? -1 : 1))
    .slice(0, maxSharedClaims)
    .map(({ key }) => key);
}
