import type { InstanceType, Node, NodeClaim, Pod, Resources, Snapshot, Taint } from "../model/index.ts";
import { taints as knownTaints } from "../model/index.ts";
import type { Requirements } from "../requirements/index.ts";
import { fits } from "../resources/index.ts";
import { type AskTable, nodeNameKey } from "./asks.ts";
import { type Daemon, isPodOf, toleratesAll } from "./daemons.ts";
import { exactLabels, expectedLabels, type NodeLabels } from "./expected-labels.ts";
import type { ResourceAxis } from "./resource-axis.ts";
import { isKnownEphemeral, sameTaint } from "./taints.ts";

/** One thing that a bin may turn out to be. */
export interface NodeShape {
  readonly labels: NodeLabels;
  readonly allocatable: Resources;
}

/** Capacity that is there or on its way: a node, a claim in flight, or both. */
export interface NodeBin {
  /** The claim's name, or an unmanaged node's: what a placement names. */
  readonly target: string;
  readonly nodeName?: string;
  readonly claim?: NodeClaim;
  readonly node?: Node;
  /** Joined and initialised, or not ours: filled before what is still on its way. */
  readonly settled: boolean;
  readonly taints: readonly Taint[];
  /** What it is, or every type that it may become. */
  readonly shapes: readonly NodeShape[];
  /** On its way out, or not to be relied on: takes no pods. */
  readonly leaving: boolean;
  /** Taken as not there at all, with its pods: in a what-if. */
  readonly gone?: boolean;
}

const unschedulableTaint: Taint = { key: "node.kubernetes.io/unschedulable", value: "", effect: "NoSchedule" };

/** Whatever the time: deletion has been asked for, a command is open on it, or it is gone. */
export function isLeaving(claim: NodeClaim): boolean {
  return (
    claim.deletion !== undefined ||
    claim.commandId !== undefined ||
    claim.goneAtMs !== undefined ||
    claim.terminateCalledAtMs !== undefined
  );
}

/** When the claim has had its time (spec.expireAfter); Infinity: never, or its age is not known (created at 0). */
export function expiresAtMs({ createdAtMs, expireAfterMs }: NodeClaim): number {
  return expireAfterMs === null || createdAtMs === 0 ? Number.POSITIVE_INFINITY : createdAtMs + expireAfterMs;
}

/** Nodes by provider id. */
export function nodesByProviderId(nodes: readonly Node[]): ReadonlyMap<string, Node> {
  const byProviderId = new Map<string, Node>();
  for (const node of nodes)
    if (node.providerId !== undefined && node.providerId !== "") byProviderId.set(node.providerId, node);
  return byProviderId;
}

/**
 * All nodes and claims as bins: the settled ones by name, then those in flight by name. `typesOf` by claim. An expired
 * claim is as good as deleted: nothing stops that, so it takes no pods and its own need another place.
 */
export function compileBins(
  { nodes, claims, nowMs }: Pick<Snapshot, "nodes" | "claims" | "nowMs">,
  typesOf: (claim: NodeClaim) => readonly InstanceType[],
): NodeBin[] {
  const byProviderId = nodesByProviderId(nodes);
  const claimed = new Set<string>();
  const bins: NodeBin[] = [];
  for (const claim of claims) {
    if (claim.goneAtMs !== undefined) continue;
    const node = claim.instance === undefined ? undefined : byProviderId.get(claim.instance.providerId);
    if (node !== undefined) claimed.add(node.uid);
    const bin = node === undefined ? awaitedBin(claim, typesOf(claim)) : joinedBin(claim, node, typesOf(claim));
    bins.push(expiresAtMs(claim) <= nowMs ? { ...bin, leaving: true } : bin);
  }
  for (const node of nodes) if (!claimed.has(node.uid)) bins.push(unmanagedBin(node));
  return bins.sort((a, b) => Number(b.settled) - Number(a.settled) || (a.target < b.target ? -1 : 1));
}

function unmanagedBin(node: Node): NodeBin {
  return {
    target: node.name,
    nodeName: node.name,
    node,
    settled: true,
    taints: nodeTaints(node),
    shapes: [
      { labels: exactLabels(() => ({ ...node.labels, [nodeNameKey]: node.name })), allocatable: node.allocatable },
    ],
    leaving: node.deletionAtMs !== undefined,
  };
}

function joinedBin(claim: NodeClaim, node: Node, [type]: readonly InstanceType[]): NodeBin {
  const initialized = claim.initializedAtMs !== undefined;
  const synced = claim.registeredAtMs !== undefined;
  const actual = exactLabels(() => ({ ...claim.labels, ...node.labels, [nodeNameKey]: node.name }));
  return {
    target: claim.name,
    nodeName: node.name,
    claim,
    node,
    settled: initialized,
    taints: initialized ? nodeTaints(node) : youngTaints(claim, synced ? [] : claim.taints, nodeTaints(node)),
    shapes: [
      {
        labels: synced ? actual : joiningLabels(node, actual, expectedLabels(claim, type)),
        allocatable: initialized ? node.allocatable : reportedOr(node.allocatable, plannedOf(claim, type)),
      },
    ],
    leaving: isLeaving(claim) || node.deletionAtMs !== undefined,
  };
}

/** What pods may use of a claim's instance: as its record says, or, where that says nothing, as its type has it. */
function plannedOf({ instance }: NodeClaim, type: InstanceType | undefined): Resources {
  const told = instance?.allocatable ?? {};
  return Object.keys(told).length > 0 ? told : (type?.allocatable ?? {});
}

/** Until labels are synced the node lacks some that it will have; what it has already is final. */
function joiningLabels(node: Node, actual: NodeLabels, expected: NodeLabels): NodeLabels {
  const source = (key: string): NodeLabels =>
    Object.hasOwn(node.labels, key) || key === nodeNameKey ? actual : expected;
  return {
    surely: (requirement) => source(requirement.key).surely(requirement),
    perhaps: (requirement) => source(requirement.key).perhaps(requirement),
    valueOf: (key) => source(key).valueOf(key),
  };
}

function awaitedBin(claim: NodeClaim, types: readonly InstanceType[]): NodeBin {
  const { instance } = claim;
  const shapes =
    instance === undefined
      ? types.map((type) => ({ labels: expectedLabels(claim, type), allocatable: type.allocatable }))
      : [{ labels: expectedLabels(claim, types[0]), allocatable: plannedOf(claim, types[0]) }];
  return {
    target: claim.name,
    claim,
    settled: false,
    taints: claim.taints,
    shapes,
    // A node that had joined and is not there any more will not come back.
    leaving: isLeaving(claim) || claim.registeredAtMs !== undefined || shapes.length === 0,
  };
}

function nodeTaints({ taints, cordoned }: Node): readonly Taint[] {
  return cordoned && !taints.some((taint) => taint.key === unschedulableTaint.key)
    ? [...taints, unschedulableTaint]
    : taints;
}

/** Startup taints and those that a young node loses by itself do not count before it is initialised (facts §3.5). */
function youngTaints(claim: NodeClaim, planned: readonly Taint[], actual: readonly Taint[]): readonly Taint[] {
  const startup = (taint: Taint): boolean => claim.startupTaints.some((other) => sameTaint(taint, other));
  const kept = actual.filter((taint) => !isKnownEphemeral(taint) && !startup(taint));
  const later = planned.filter((taint) => !kept.some((other) => sameTaint(taint, other)) && !startup(taint));
  return [...kept, ...later].filter((taint) => taint.key !== knownTaints.unregistered.key);
}

/** Device plugins report late: a resource that the node does not show yet counts as the type has it. */
function reportedOr(reported: Resources, planned: Resources): Resources {
  const known = Object.entries(reported).filter(([, amount]) => amount > 0);
  return { ...planned, ...Object.fromEntries(known) };
}

/**
 * What is free on each bin: one row a bin. Bound pods that are not over, nominated pods, and the daemons that are still to
 * come (compatible DaemonSets without a pod there) are taken off.
 */
export function freeOf(
  bins: readonly NodeBin[],
  bound: ReadonlyMap<string, readonly Pod[]>,
  nominated: ReadonlyMap<string, readonly Pod[]>,
  daemons: readonly Daemon[],
  asks: AskTable,
  axis: ResourceAxis,
): Float64Array {
  const free = new Float64Array(bins.length * axis.size);
  const room = new Float64Array(axis.size);
  bins.forEach((bin, row) => {
    if (bin.leaving) return;
    const here = bin.nodeName === undefined ? [] : (bound.get(bin.nodeName) ?? []);
    const awaited = daemons.filter(
      (daemon) => !here.some((pod) => isPodOf(daemon, pod)) && toleratesAll(daemon, bin.taints),
    );
    bin.shapes.forEach(({ labels, allocatable }, index) => {
      axis.write(allocatable, room, 0);
      for (const daemon of awaited) {
        const runs = daemon.selection.alternatives.some((ask) => holdsPerhaps(labels, asks.get(ask)));
        if (runs && fits(daemon.requests, allocatable)) axis.add(daemon.requests, room, 0, -1);
      }
      for (let r = 0; r < axis.size; r++) {
        const known = free[row * axis.size + r]!;
        free[row * axis.size + r] = index === 0 ? room[r]! : Math.min(known, room[r]!);
      }
    });
    for (const pod of here) axis.add(pod.requests, free, row, -1);
    for (const pod of nominated.get(bin.target) ?? []) axis.add(pod.requests, free, row, -1);
  });
  return free;
}

function holdsPerhaps(labels: NodeLabels, ask: Requirements): boolean {
  for (const requirement of ask) if (!labels.perhaps(requirement)) return false;
  return true;
}

/** A pod with this ask may run on the bin's node, as far as labels go and whatever the bin becomes. */
export function binAdmits(bin: NodeBin, ask: number, asks: AskTable): boolean {
  if (ask === 0) return true;
  for (const requirement of asks.get(ask)) {
    for (const { labels } of bin.shapes) if (!labels.surely(requirement)) return false;
  }
  return true;
}

/** The value that a label of the bin's node surely has; undefined: none, or it is still open. */
export function binDomain({ shapes }: NodeBin, key: string): string | undefined {
  const value = shapes[0]?.labels.valueOf(key);
  return shapes.every(({ labels }) => labels.valueOf(key) === value) ? value : undefined;
}
