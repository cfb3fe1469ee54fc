import {
  buildInstanceTypes,
  judgeOverlays,
  type OverlayFault,
  overlaidPools,
  overlaidTypes,
  type ReadOverlay,
  withRefusals,
  withReservations,
} from "../catalog/index.ts";
import type { InstanceType, NodeClaim, NodeClass, Snapshot } from "../model/index.ts";
import { Requirements } from "../requirements/index.ts";
import { fits } from "../resources/index.ts";
import { readableRequirements } from "./expected-labels.ts";
import { isOurs } from "./pool.ts";
import { offeringAllows, typeMeets } from "./pool-space.ts";

/** The types of each node class, as EC2 sells them now. */
export function typesByClass(snapshot: Snapshot): (nodeClass: NodeClass) => readonly InstanceType[] {
  const kept = new Map<string, readonly InstanceType[]>();
  return (nodeClass) => {
    let types = kept.get(nodeClass.name);
    if (types === undefined) {
      const all = buildInstanceTypes(snapshot.catalog, nodeClass, snapshot.settings);
      const reservable = snapshot.settings.featureGates.reservedCapacity
        ? withReservations(all, nodeClass, snapshot.reservations, snapshot.nowMs)
        : all;
      types = withRefusals(reservable, snapshot.refusals, snapshot.nowMs);
      kept.set(nodeClass.name, types);
    }
    return types;
  };
}

/**
 * The types that a claim may become: its instance's, or those on its list that are known. A claim without a list (a
 * document that has not been launched for) may become any that its requirements allow and that holds its requests.
 */
export function typesByClaim(
  { nodePools, nodeClasses }: Pick<Snapshot, "nodePools" | "nodeClasses">,
  typesOf: (nodeClass: NodeClass) => readonly InstanceType[],
): (claim: NodeClaim) => readonly InstanceType[] {
  const classByName = new Map(nodeClasses.map((nodeClass) => [nodeClass.name, nodeClass]));
  const foreign = new Set(nodePools.filter((pool) => !isOurs(pool)).map(({ name }) => name));
  const indexes = new Map<string, ReadonlyMap<string, InstanceType>>();
  const meeting = new Map<NodeClaim, readonly InstanceType[]>();
  return (claim) => {
    const nodeClass = classByName.get(claim.nodeClass);
    if (nodeClass === undefined || foreign.has(claim.nodePool)) return [];
    const types = typesOf(nodeClass);
    if (claim.instance === undefined && claim.instanceTypes.length === 0) {
      let found = meeting.get(claim);
      if (found === undefined) {
        found = typesMeeting(claim, types);
        meeting.set(claim, found);
      }
      return found;
    }
    let byName = indexes.get(nodeClass.name);
    if (byName === undefined) {
      byName = new Map(types.map((type) => [type.name, type]));
      indexes.set(nodeClass.name, byName);
    }
    const names = claim.instance === undefined ? claim.instanceTypes : [claim.instance.instanceType];
    return names.flatMap((name) => byName.get(name) ?? []);
  };
}

/** Why NodeOverlays of the snapshot are not in use, by name. */
export function overlayFaults(snapshot: Snapshot): ReadonlyMap<string, OverlayFault> {
  const { nodeOverlays, nodePools, nodeClasses } = snapshot;
  return judgeOverlays(nodeOverlays, overlaidPools(nodePools, nodeClasses, typesByClass(snapshot))).faults;
}

/** The same types as NodeOverlays show them on the claim's node. */
export function withOverlays(
  typesOf: (claim: NodeClaim) => readonly InstanceType[],
  active: readonly ReadOverlay[],
): (claim: NodeClaim) => readonly InstanceType[] {
  if (active.length === 0) return typesOf;
  const known = new Map<NodeClaim, readonly InstanceType[]>();
  return (claim) => {
    let types = known.get(claim);
    if (types === undefined) {
      types = overlaidTypes(typesOf(claim), active, readableRequirements(claim) ?? Requirements.none);
      known.set(claim, types);
    }
    return types;
  };
}

function typesMeeting(claim: NodeClaim, types: readonly InstanceType[]): readonly InstanceType[] {
  const requirements = readableRequirements(claim) ?? Requirements.none;
  return types.filter(
    (type) =>
      typeMeets(type, requirements) &&
      fits(claim.requests, type.allocatable) &&
      type.offerings.some((offering) => offeringAllows(offering, requirements)),
  );
}
