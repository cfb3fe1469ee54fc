import type { NodeClaim, Pod, Resources, Snapshot } from "../model/index.ts";
import { AskTable } from "./asks.ts";
import { typesByClaim, typesByClass, withOverlays } from "./claim-types.ts";
import { compileDaemons, type Daemon } from "./daemons.ts";
import { Devices } from "./devices/devices.ts";
import { limitUseOf, remainingLimits, takeLimits } from "./limits.ts";
import { compileBins, expiresAtMs, freeOf, isLeaving, type NodeBin, nodesByProviderId } from "./node-bins.ts";
import { podKey } from "./pod-class.ts";
import { type CompiledPools, compilePools } from "./pool.ts";
import { reservationIdLabel } from "./pool-space.ts";
import { ResourceAxis } from "./resource-axis.ts";
import type { Ways } from "./solver-classes.ts";
import { Residents } from "./topology/residents.ts";
import { Volumes } from "./volumes/volumes.ts";

/** A snapshot compiled for solving. Nothing in it changes; each solve works on its own copies. */
export interface World {
  readonly snapshot: Snapshot;
  readonly asks: AskTable;
  /** Where classes of pods may go, by what that depends on: worked out once for many classes that are alike in it. */
  readonly ways: Map<string, Ways>;
  readonly axis: ResourceAxis;
  readonly daemons: readonly Daemon[];
  readonly pools: CompiledPools;
  readonly bins: readonly NodeBin[];
  /** One row a bin: what is free. */
  readonly free: Float64Array;
  /** By pool name: what its limits leave. Pools without limits have an empty entry. */
  readonly limits: ReadonlyMap<string, Resources>;
  /** What a claim takes of its pool's limits. */
  readonly limitUse: (claim: NodeClaim) => Resources;
  /** Live pods that are bound, by node. */
  readonly bound: ReadonlyMap<string, readonly Pod[]>;
  /** Unbound pods that an earlier plan gave a place that still stands: key → target. */
  readonly nominated: ReadonlyMap<string, string>;
  readonly residents: Residents;
  readonly volumes: Volumes;
  readonly devices: Devices;
}

export function isOver(pod: Pod): boolean {
  return pod.phase === "Succeeded" || pod.phase === "Failed";
}

/**
 * The same world without some bins, by their names: they take no pods and count for no limit. Shares everything else, so
 * that many what-ifs cost one compilation.
 */
export function withoutBins(world: World, names: ReadonlySet<string>): World {
  const bins = world.bins.map((bin) => (names.has(bin.target) ? { ...bin, leaving: true, gone: true } : bin));
  const limits = new Map(world.limits);
  for (const { target, claim, leaving } of world.bins) {
    const left = claim === undefined ? undefined : limits.get(claim.nodePool);
    if (left === undefined || leaving || !names.has(target)) continue;
    limits.set(claim!.nodePool, takeLimits(left, world.limitUse(claim!), -1));
  }
  return { ...world, bins, limits };
}

/** Compiles a snapshot. */
export function compileWorld(snapshot: Snapshot): World {
  const asks = new AskTable();
  const daemons = compileDaemons(snapshot.daemonSets, snapshot.pods, asks);
  const volumes = new Volumes(snapshot);
  const { attachments } = volumes;
  const devices = new Devices(snapshot);
  const axis = new ResourceAxis([
    ...resourceNames([...snapshot.pods, ...daemons]),
    ...attachments.columns,
    ...devices.columns,
  ]);
  const typesOf = devices.onTypes(attachments.onTypes(typesByClass(snapshot)));
  const pools = compilePools(
    snapshot.nodePools,
    snapshot.nodeClasses,
    typesOf,
    reservationsHeld(snapshot.claims),
    asks,
    axis,
    daemons,
    snapshot.settings.minValuesPolicy,
    snapshot.settings.featureGates.nodeOverlay ? snapshot.nodeOverlays : [],
    snapshot.settings.featureGates.staticCapacity,
  );
  const typesOfClaim = withOverlays(typesByClaim(snapshot, typesOf), pools.overlays);
  const nodes = nodesByProviderId(snapshot.nodes);
  const limitUse = (claim: NodeClaim): Resources =>
    limitUseOf(claim, typesOfClaim(claim), nodes.get(claim.instance?.providerId ?? ""));
  const bins = devices.onBins(attachments.onBins(compileBins(snapshot, typesOfClaim), typesOfClaim), typesOfClaim);
  const bound = boundPods(snapshot.pods);
  const { nominated, byTarget } = nominations(snapshot, bins);
  const podsOn = (bin: NodeBin): readonly Pod[] => [
    ...(bound.get(bin.nodeName ?? "") ?? []),
    ...(byTarget.get(bin.target) ?? []),
  ];
  return {
    snapshot,
    asks,
    ways: new Map(),
    axis,
    daemons,
    pools,
    bins,
    free: devices.charge(
      attachments.charge(freeOf(bins, bound, byTarget, daemons, asks, axis), axis, bins, (bin) =>
        podsOn(bin).flatMap((pod) => volumes.attachedFor(pod)),
      ),
      axis,
      bins,
      podsOn,
    ),
    limits: limitsOf(snapshot, limitUse),
    limitUse,
    bound,
    nominated,
    residents: new Residents(bins, bound, byTarget),
    volumes,
    devices,
  };
}

function resourceNames(all: readonly { readonly requests: Resources }[]): Set<string> {
  const names = new Set<string>();
  for (const { requests } of all) for (const name in requests) if (requests[name]! > 0) names.add(name);
  return names;
}

/** Claims in flight that count on a reservation which EC2 does not know of yet. */
function reservationsHeld(claims: readonly NodeClaim[]): Map<string, number> {
  const held = new Map<string, number>();
  for (const claim of claims) {
    if (claim.instance !== undefined || isLeaving(claim)) continue;
    for (const { key, operator, values } of claim.requirements) {
      if (key !== reservationIdLabel || operator !== "In") continue;
      for (const id of values) held.set(id, (held.get(id) ?? 0) + 1);
    }
  }
  return held;
}

function limitsOf(snapshot: Snapshot, limitUse: (claim: NodeClaim) => Resources): Map<string, Resources> {
  const uses = new Map<string, Resources[]>();
  for (const { name, limits } of snapshot.nodePools) if (Object.keys(limits).length > 0) uses.set(name, []);
  for (const claim of snapshot.claims) {
    if (isLeaving(claim) || expiresAtMs(claim) <= snapshot.nowMs) continue;
    uses.get(claim.nodePool)?.push(limitUse(claim));
  }
  return new Map(snapshot.nodePools.map((pool) => [pool.name, remainingLimits(pool, uses.get(pool.name) ?? [])]));
}

function boundPods(pods: readonly Pod[]): Map<string, Pod[]> {
  const bound = new Map<string, Pod[]>();
  for (const pod of pods) {
    if (pod.nodeName === undefined || isOver(pod)) continue;
    const known = bound.get(pod.nodeName);
    if (known === undefined) bound.set(pod.nodeName, [pod]);
    else known.push(pod);
  }
  return bound;
}

/** Nominations that still mean something: the target takes pods, the pod is there and not bound. */
function nominations(
  snapshot: Snapshot,
  bins: readonly NodeBin[],
): { readonly nominated: Map<string, string>; readonly byTarget: Map<string, Pod[]> } {
  const nominated = new Map<string, string>();
  const byTarget = new Map<string, Pod[]>();
  if (snapshot.placements.length === 0) return { nominated, byTarget };
  const usable = new Map(bins.filter(({ leaving }) => !leaving).map((bin) => [bin.target, bin]));
  const leavingNodes = new Set(bins.filter(({ leaving }) => leaving).map(({ nodeName }) => nodeName));
  const podByKey = new Map(snapshot.pods.map((pod) => [podKey(pod), pod]));
  for (const { target, pods } of snapshot.placements) {
    const bin = usable.get(target);
    if (bin === undefined) continue;
    for (const key of pods) {
      const pod = podByKey.get(key);
      if (pod === undefined || isOver(pod) || nominated.has(key)) continue;
      // A pod that still runs on a node that leaves has its next place nominated; one that is bound elsewhere has gone there.
      if (pod.nodeName !== undefined && !leavingNodes.has(pod.nodeName)) continue;
      // One that is ending leaves its place to the pod that replaces it, unless that will bear its name and nomination.
      if (pod.deletionAtMs !== undefined && pod.owner?.kind !== "StatefulSet") continue;
      nominated.set(key, target);
      const known = byTarget.get(target);
      if (known === undefined) byTarget.set(target, [pod]);
      else known.push(pod);
    }
  }
  return { nominated, byTarget };
}
