import {
  judgeOverlays,
  openOverlays,
  overlaidTypes,
  type PoolTypes,
  poolTypes,
  type ReadOverlay,
  reservationLabels,
} from "../catalog/index.ts";
import type { InstanceType, NodeClass, NodeOverlay, NodePool, PlanWarning, Settings } from "../model/index.ts";
import { labels } from "../model/index.ts";
import { Requirement, RequirementError, Requirements, wellKnownLabels } from "../requirements/index.ts";
import type { AskTable } from "./asks.ts";
import { partByImage } from "./bootable-types.ts";
import { type Floor, floorsOf } from "./choose-types.ts";
import type { Daemon } from "./daemons.ts";
import { isOpen, offeringAllows, StateTable, type TypesIn } from "./pool-space.ts";
import type { ResourceAxis } from "./resource-axis.ts";

/** One slot kind that may run out: nodes on a reservation. */
export interface ReservationStart {
  readonly id: string;
  readonly start: number;
  readonly count: number;
}

/** A pool that new nodes may come from, compiled. */
export interface Pool {
  readonly nodePool: NodePool;
  readonly nodeClass: NodeClass;
  readonly states: StateTable;
  /** What every node of the pool is, before pods and offerings narrow it. */
  readonly template: Requirements;
  readonly reservations: readonly ReservationStart[];
  /** Plain nodes that are held to what a NodeOverlay asks for which does not count on all of the pool's. */
  readonly variants: readonly number[];
  /** The labels of which its claims keep some values possible (minValues). */
  readonly floors: readonly Floor[];
  /**
   * Plain nodes without floors, for pods that no node with floors can take; undefined where floors are strict or there are
   * none.
   */
  readonly relaxed?: number;
  /** Types that meet the template, but that no image of the node class boots: not offered. */
  readonly imageless: readonly InstanceType[];
}

/** A pool that gives nothing now, and why. */
export interface SkippedPool {
  readonly nodePool: NodePool;
  readonly reason: string;
}

export interface CompiledPools {
  /** By weight, the heaviest first, then by name. */
  readonly pools: readonly Pool[];
  /** Static ones, which make no nodes for pods; none while the feature gate is off. */
  readonly statics: readonly Pool[];
  readonly skipped: readonly SkippedPool[];
  readonly warnings: readonly PlanWarning[];
  /** NodeOverlays that are in use. */
  readonly overlays: readonly ReadOverlay[];
}

export type TypesOf = (nodeClass: NodeClass) => readonly InstanceType[];

const ourGroup = "karpenter.k8s.aws";
const ourKind = "EC2NodeClass";

/** False for a pool of another provider: its class may have the name of one of ours, and its nodes come from elsewhere. */
export function isOurs({ nodeClassRef }: NodePool): boolean {
  return nodeClassRef.group === ourGroup && nodeClassRef.kind === ourKind;
}

/** Why a pool cannot be used for new nodes, or its node class if it can. */
export function nodeClassFor(pool: NodePool, nodeClasses: readonly NodeClass[]): NodeClass | string {
  if (pool.deletionAtMs !== undefined) return "the NodePool is being deleted";
  if (pool.replicas !== undefined) return staticReason;
  return classInUse(pool, nodeClasses);
}

const staticReason = "the NodePool is static (spec.replicas is set): it makes no nodes for pods";

/** The pool's node class, or why it cannot be used. */
function classInUse(pool: NodePool, nodeClasses: readonly NodeClass[]): NodeClass | string {
  const { group, kind, name } = pool.nodeClassRef;
  if (!isOurs(pool))
    return `its nodeClassRef is a ${kind} of ${group || "no group"}; only ${ourGroup}/${ourKind} is planned for`;
  const nodeClass = nodeClasses.find((candidate) => candidate.name === name);
  if (nodeClass === undefined) return `its ${kind} "${name}" does not exist`;
  if (nodeClass.deletionAtMs !== undefined) return `its ${kind} "${name}" is being deleted`;
  if (!nodeClass.ready) return `its ${kind} "${name}" is not ready: ${nodeClass.readyMessage ?? "no reason given"}`;
  return nodeClass;
}

export function byWeight(a: NodePool, b: NodePool): number {
  return b.weight - a.weight || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** Compiles the pools. One that cannot be read or used is reported and in nobody's way. */
export function compilePools(
  nodePools: readonly NodePool[],
  nodeClasses: readonly NodeClass[],
  typesOf: TypesOf,
  reservationsHeld: ReadonlyMap<string, number>,
  asks: AskTable,
  axis: ResourceAxis,
  daemons: readonly Daemon[],
  minValuesPolicy: Settings["minValuesPolicy"] = "Strict",
  nodeOverlays: readonly NodeOverlay[] = [],
  staticCapacity = false,
): CompiledPools {
  const pools: Pool[] = [];
  const statics: Pool[] = [];
  const skipped: SkippedPool[] = [];
  const warnings: PlanWarning[] = [];
  const usable: (PoolTypes & Pick<Pool, "nodePool" | "nodeClass">)[] = [];
  for (const nodePool of [...nodePools].sort(byWeight)) {
    const isStatic = nodePool.replicas !== undefined && nodePool.deletionAtMs === undefined;
    if (isStatic) skipped.push({ nodePool, reason: staticReason });
    const nodeClass = isStatic
      ? staticClass(nodePool, nodeClasses, staticCapacity)
      : nodeClassFor(nodePool, nodeClasses);
    if (isStatic && typeof nodeClass === "string") {
      const message = `no nodes are made for it: ${nodeClass}`;
      if (nodePool.replicas! > 0)
        warnings.push({ object: `NodePool/${nodePool.name}`, field: "spec.replicas", message });
      continue;
    }
    if (typeof nodeClass === "string") {
      skipped.push({ nodePool, reason: nodeClass });
      continue;
    }
    try {
      const own = poolTypes(nodePool, typesOf(nodeClass));
      warnings.push(...own.warnings);
      const contradiction = [...own.template].find(({ impossible }) => impossible);
      if (contradiction === undefined) usable.push({ nodePool, nodeClass, ...own });
      else {
        const reason = `its requirements and labels contradict each other on "${contradiction.key}": nothing meets them all`;
        skipped.push({ nodePool, reason });
      }
    } catch (cause) {
      if (!(cause instanceof RequirementError)) throw cause;
      skipped.push({ nodePool, reason: cause.message });
    }
  }
  const overlays = judgeOverlays(nodeOverlays, usable);
  for (const [name, { message }] of overlays.faults) warnings.push({ object: `NodeOverlay/${name}`, message });
  for (const { nodePool, nodeClass, template, types } of usable) {
    try {
      const { bootable, imageless } = partByImage(nodeClass, types);
      const space = { nodePool, nodeClass, template, types: bootable, active: overlays.active };
      const pool = compilePool(space, reservationsHeld, asks, axis, daemons);
      const kind = nodePool.replicas === undefined ? pools : statics;
      kind.push({ ...pool, ...(minValuesPolicy === "BestEffort" ? relaxation(pool) : {}), imageless });
    } catch (cause) {
      if (!(cause instanceof RequirementError)) throw cause;
      skipped.push({ nodePool, reason: cause.message });
    }
  }
  return { pools, statics, skipped, warnings, overlays: overlays.active };
}

/** Karpenter's BestEffort: floors give way where nothing else would take a pod. */
function relaxation({ floors, states }: Pick<Pool, "floors" | "states">): Pick<Pool, "relaxed"> {
  if (floors.length === 0) return {};
  const start = states.start(withoutFloors(states.requirements(states.root)));
  return start < 0 ? {} : { relaxed: start };
}

function withoutFloors(requirements: Requirements): Requirements {
  return Requirements.from([...requirements].map((requirement) => requirement.withFloor(0)));
}

function staticClass(pool: NodePool, nodeClasses: readonly NodeClass[], staticCapacity: boolean): NodeClass | string {
  if (!staticCapacity)
    return "the feature gate StaticCapacity is off; turn it on, or remove replicas to have nodes made for pods";
  return classInUse(pool, nodeClasses);
}

/** Only what the open overlays ask about tells types apart. */
function typesByFacts(
  types: readonly InstanceType[],
  active: readonly ReadOverlay[],
  open: readonly Requirements[],
): TypesIn {
  const keys = [...new Set(open.flatMap((more) => [...more.keys()]))].sort();
  const known = new Map<string, readonly InstanceType[]>();
  return (facts) => {
    const text = JSON.stringify(keys.map((key) => facts.get(key)?.toSpecs() ?? null));
    let found = known.get(text);
    if (found === undefined) {
      found = overlaidTypes(types, active, facts);
      known.set(text, found);
    }
    return found;
  };
}

interface PoolInput {
  readonly nodePool: NodePool;
  readonly nodeClass: NodeClass;
  readonly template: Requirements;
  /** As EC2 sells them, without overlays. */
  readonly types: readonly InstanceType[];
  readonly active: readonly ReadOverlay[];
}

function compilePool(
  { nodePool, nodeClass, template, types, active }: PoolInput,
  reservationsHeld: ReadonlyMap<string, number>,
  asks: AskTable,
  axis: ResourceAxis,
  daemons: readonly Daemon[],
): Omit<Pool, "imageless"> {
  const reserved = types
    .flatMap((type) => type.offerings)
    .filter(
      (offering) => offering.reservationId !== undefined && isOpen(offering) && offeringAllows(offering, template),
    );
  // A plain node is never planned on a reservation: two claims of one batch must not count on the same free slot.
  const plain =
    reserved.length === 0
      ? template
      : template.with(Requirement.of({ key: labels.capacityType, operator: "NotIn", values: ["reserved"] }));
  const shown = overlaidTypes(types, active, template);
  const open = active.length === 0 ? [] : openOverlays(active, template);
  const typesIn = open.length === 0 ? undefined : typesByFacts(types, active, open);
  const states = new StateTable(plain, nodePool.taints, shown, asks, axis, daemons, typesIn);
  const variants = open
    .filter((more) => plain.compatible(more, { allowUndefined: wellKnownLabels }))
    .map((more) => states.start(plain.intersection(more)))
    .filter((start, index, all) => start >= 0 && all.indexOf(start) === index);
  const seen = new Set<string>();
  const reservations: ReservationStart[] = [];
  for (const { reservationId, reservationCount, zone, reservationType, reservationInterruptible } of reserved) {
    if (seen.has(reservationId!)) continue;
    seen.add(reservationId!);
    // A reservation is of one type and paid for: floors, which keep choice in the market, have no say.
    const start = states.start(
      withoutFloors(template).with(
        Requirement.in(labels.capacityType, ["reserved"]),
        Requirement.in(reservationLabels.id, [reservationId!]),
        Requirement.in(reservationLabels.type, [reservationType ?? "default"]),
        Requirement.in(reservationLabels.interruptible, [String(reservationInterruptible ?? false)]),
        Requirement.in(labels.zone, [zone]),
      ),
    );
    const count = (reservationCount ?? 0) - (reservationsHeld.get(reservationId!) ?? 0);
    if (start >= 0 && count > 0) reservations.push({ id: reservationId!, start, count });
  }
  reservations.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { nodePool, nodeClass, states, template, reservations, variants, floors: floorsOf(template) };
}
