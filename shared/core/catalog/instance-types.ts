import {
  type Catalog,
  type InstanceType,
  labels,
  type NodeClass,
  type Offering,
  type RefusedOffering,
  type Settings,
} from "../model/index.ts";
import { amiFamilyTraits } from "./ami-family.ts";
import { capacityOf } from "./capacity.ts";
import { descriptionFault, type Ec2Description, isUsable } from "./description.ts";
import { describedLabels } from "./labels.ts";
import { offeringKey, offeringsOf, zonesOf } from "./offerings.ts";
import { allocatableOf } from "./overhead.ts";

/** Node classes whose types are kept per catalog; more than that in one cluster are rebuilt. */
const maxKept = 32;

const kept = new WeakMap<Catalog, Map<string, readonly InstanceType[]>>();

/**
 * The instance types that a node class can launch, by name, each with at least one offering. Descriptions that lack what
 * is needed are left out, as are types that no AMI of the family runs on. The result is kept per catalog object: the
 * same catalog, node class and settings give the same array.
 */
export function buildInstanceTypes(
  catalog: Catalog,
  nodeClass: NodeClass,
  settings: Settings,
): readonly InstanceType[] {
  let byClass = kept.get(catalog);
  if (byClass === undefined) {
    byClass = new Map();
    kept.set(catalog, byClass);
  }
  const key = identityOf(nodeClass, settings);
  let types = byClass.get(key);
  if (types === undefined) {
    types = build(catalog, nodeClass, settings);
    if (byClass.size >= maxKept) byClass.clear();
    byClass.set(key, types);
  }
  return types;
}

/** Everything that the result depends on besides the catalog. */
function identityOf(nodeClass: NodeClass, settings: Settings): string {
  const { amiFamily, blockDevices, instanceStorePolicy, kubelet, resolved } = nodeClass;
  const { vmMemoryOverheadPpm, reservedEnis, featureGates } = settings;
  return JSON.stringify([
    amiFamily,
    blockDevices,
    instanceStorePolicy,
    kubelet,
    resolved.subnets.map((subnet) => [subnet.zone, subnet.zoneId]),
    vmMemoryOverheadPpm,
    reservedEnis,
    featureGates.reservedCapacity,
  ]);
}

function build(catalog: Catalog, nodeClass: NodeClass, settings: Settings): InstanceType[] {
  const family = amiFamilyTraits(nodeClass.amiFamily);
  const zones = zonesOf(catalog, nodeClass);
  const unavailable = new Set(
    catalog.unavailable.map((refused) => offeringKey(refused.instanceType, refused.zone, refused.capacityType)),
  );
  const types: InstanceType[] = [];
  for (const described of catalog.instanceTypes) {
    if (descriptionFault(described) !== undefined) continue;
    const description = described as Ec2Description;
    if (!isUsable(description)) continue;
    const own = describedLabels(description, catalog.region, family);
    if (family.os === "windows" && own[labels.arch]![0] !== "amd64") continue;
    const offerings = offeringsOf(description, catalog, zones, settings.featureGates.reservedCapacity, unavailable);
    if (offerings.length === 0) continue;
    const capacity = capacityOf(description, nodeClass, settings);
    types.push({
      name: description.InstanceType,
      labels: addOfferedLabels(own, offerings),
      capacity,
      allocatable: allocatableOf(description, nodeClass, settings, capacity),
      offerings,
    });
  }
  return types.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Labels whose values are those of the offerings, each in order of first appearance (offerings are sorted). */
function addOfferedLabels(
  own: Record<string, readonly string[]>,
  offerings: readonly Offering[],
): Record<string, readonly string[]> {
  const zones: string[] = [];
  const zoneIds: string[] = [];
  const capacityTypes: string[] = [];
  const reservations: string[] = [];
  const note = (list: string[], value: string): void => {
    if (!list.includes(value)) list.push(value);
  };
  for (const offering of offerings) {
    note(zones, offering.zone);
    if (offering.zoneId !== "") note(zoneIds, offering.zoneId);
    note(capacityTypes, offering.capacityType);
    if (offering.reservationId !== undefined) note(reservations, offering.reservationId);
  }
  own[labels.zone] = zones;
  own[labels.capacityType] = capacityTypes;
  if (zoneIds.length > 0) own[labels.zoneId] = zoneIds;
  if (reservations.length > 0) {
    own["karpenter.k8s.aws/capacity-reservation-id"] = reservations;
    own["karpenter.k8s.aws/capacity-reservation-type"] = ["default"];
    own["karpenter.k8s.aws/capacity-reservation-interruptible"] = ["false"];
  }
  return own;
}

/** The same types with the refused offerings marked unavailable; those whose time is over (`untilMs` ≤ now) are back. */
export function withRefusals(
  types: readonly InstanceType[],
  refusals: readonly RefusedOffering[],
  nowMs: number,
): readonly InstanceType[] {
  const refused = new Set<string>();
  const names = new Set<string>();
  for (const refusal of refusals) {
    if (refusal.untilMs !== undefined && refusal.untilMs <= nowMs) continue;
    const { instanceType, zone, capacityType, reservationId } = refusal;
    refused.add(offeringKey(instanceType, zone, capacityType, reservationId));
    names.add(refusal.instanceType);
  }
  if (refused.size === 0) return types;
  return types.map((type) => {
    if (!names.has(type.name)) return type;
    const offerings = type.offerings.map((offering) =>
      isRefused(refused, type.name, offering) ? { ...offering, available: false } : offering,
    );
    return { ...type, offerings };
  });
}

function isRefused(refused: ReadonlySet<string>, typeName: string, offering: Offering): boolean {
  const { zone, capacityType, reservationId } = offering;
  if (refused.has(offeringKey(typeName, zone, capacityType))) return true;
  return reservationId !== undefined && refused.has(offeringKey(typeName, zone, capacityType, reservationId));
}
