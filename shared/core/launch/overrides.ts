import { offeringAllows } from "../catalog/index.ts";
import { maxFleetOverrides } from "../limits.ts";
import {
  type CapacityType,
  type InstanceType,
  type LaunchOverride,
  type LaunchTemplate,
  type NodeClaim,
  type Offering,
  own,
  type ResolvedAmi,
} from "../model/index.ts";
import { Requirements } from "../requirements/index.ts";

export interface LaunchSubnet {
  readonly id: string;
  readonly zone: string;
  readonly freeAddresses: number;
}

export interface ChosenOverrides {
  readonly capacityType: CapacityType;
  readonly overrides: readonly (LaunchOverride & { readonly reservation?: TargetedReservation })[];
}

/** The reservation that a launch goes into, and how EC2 wants it bought. */
export interface TargetedReservation {
  readonly id: string;
  readonly marketType?: NonNullable<LaunchTemplate["marketType"]>;
}

interface Candidate {
  readonly type: InstanceType;
  readonly offering: Offering;
  readonly subnetId: string;
  readonly imageId: string;
}

/** Why no pool is left to ask for: data; the controller makes an event of it. */
export interface NoOverrides {
  readonly reason: "AMINotFound" | "SubnetsNotFound" | "InsufficientFreeAddressesInSubnet" | "InsufficientCapacity";
  readonly message: string;
}

/**
 * Chooses for a type the first image whose requirements it meets: `status.amis` stands newest first.
 * @throws RequirementError if an image's requirements cannot be read
 */
export function imageChooser(amis: readonly ResolvedAmi[]): (type: InstanceType) => string | undefined {
  const images = amis.map(({ id, requirements }) => ({ id, requirements: [...Requirements.of(requirements)] }));
  return (type) =>
    images.find(({ requirements }) =>
      requirements.every((requirement) => {
        const values = own(type.labels, requirement.key);
        if (values === undefined || values.length === 0) return requirement.matches(undefined);
        return values.some((value) => requirement.has(value));
      }),
    )?.id;
}

/** The image that a type is launched with. */
export function imageFor(type: InstanceType, amis: readonly ResolvedAmi[]): string | undefined {
  return imageChooser(amis)(type);
}

/** One subnet a zone: the one with the most free addresses (then by id). Full subnets don't count. */
export function subnetsByZone(subnets: readonly LaunchSubnet[]): ReadonlyMap<string, string> {
  const best = new Map<string, LaunchSubnet>();
  for (const subnet of [...subnets].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const present = best.get(subnet.zone);
    if (subnet.freeAddresses > 0 && (present === undefined || subnet.freeAddresses > present.freeAddresses)) {
      best.set(subnet.zone, subnet);
    }
  }
  return new Map([...best].map(([zone, subnet]) => [zone, subnet.id]));
}

/**
 * The capacity pools to ask for, cheapest first, at most 300. Reserved capacity is taken first, it is paid for; then spot
 * where the claim allows it, without pools dearer than the cheapest on-demand one that it allows too; else on demand.
 */
export function chooseOverrides(
  claim: NodeClaim,
  types: readonly InstanceType[],
  amis: readonly ResolvedAmi[],
  subnets: readonly LaunchSubnet[],
): ChosenOverrides | NoOverrides {
  const byZone = subnetsByZone(subnets);
  if (subnets.length === 0) return { reason: "SubnetsNotFound", message: "the node class selects no subnet" };
  if (byZone.size === 0) {
    return {
      reason: "InsufficientFreeAddressesInSubnet",
      message: `no address is free in subnets ${subnets
        .map((s) => s.id)
        .sort()
        .join(", ")}`,
    };
  }
  const listed = types.filter((type) => claim.instanceTypes.includes(type.name));
  // Who asks for a number of kinds (minValues) wants all of them asked for.
  const floored = claim.requirements.some(({ minValues }) => minValues !== undefined);
  const wanted = floored ? listed : withoutExotic(claim, listed);
  const offered = wanted.flatMap((type) => candidatesOf(claim, type, amis, byZone));
  if (offered.length === 0) return explainNone(claim, wanted, amis);
  const keptOf = (kind: CapacityType): Candidate[] => kept(offered, kind, !floored);
  const capacityType = (["reserved", "spot", "on-demand"] as const).find((kind) => keptOf(kind).length > 0)!;
  const overrides = cutOverrides(keptOf(capacityType).sort(byPrice), floored).map(
    ({ type, offering, subnetId, imageId }) => ({
      instanceType: type.name,
      zone: offering.zone,
      subnetId,
      imageId,
      priceMicroUsd: offering.priceMicroUsd,
      ...targetOf(offering),
    }),
  );
  return { capacityType, overrides };
}

function targetOf(offering: Offering): { readonly reservation?: TargetedReservation } {
  const { reservationId: id, reservationType, reservationInterruptible } = offering;
  if (id === undefined) return {};
  if (reservationType === "capacity-block") return { reservation: { id, marketType: "capacity-block" } };
  if (reservationInterruptible === true) {
    return { reservation: { id, marketType: "interruptible-capacity-reservation" } };
  }
  return { reservation: { id } };
}

function candidatesOf(
  claim: NodeClaim,
  type: InstanceType,
  amis: readonly ResolvedAmi[],
  subnets: ReadonlyMap<string, string>,
): Candidate[] {
  const imageId = imageFor(type, amis);
  if (imageId === undefined) return [];
  const requirements = Requirements.of(claim.requirements);
  return type.offerings.flatMap((offering) => {
    const subnetId = subnets.get(offering.zone);
    const wanted = offering.available && offeringAllows(offering, requirements);
    return wanted && subnetId !== undefined ? [{ type, offering, subnetId, imageId }] : [];
  });
}

/** The cheapest that a request takes, in order of price; with `everyType`, the cheapest place of each type among them. */
function cutOverrides(sorted: readonly Candidate[], everyType: boolean): readonly Candidate[] {
  if (sorted.length <= maxFleetOverrides) return sorted;
  if (!everyType) return sorted.slice(0, maxFleetOverrides);
  const first = new Map<InstanceType, Candidate>();
  for (const one of sorted) if (!first.has(one.type)) first.set(one.type, one);
  const firsts = new Set(first.values());
  let others = maxFleetOverrides - firsts.size;
  return sorted.filter((one) => firsts.has(one) || others-- > 0).slice(0, maxFleetOverrides);
}

/** `cheap`: without spot pools that cost more than going on demand. */
function kept(offered: readonly Candidate[], capacityType: CapacityType, cheap: boolean): Candidate[] {
  const own = offered.filter(({ offering }) => offering.capacityType === capacityType);
  if (capacityType !== "spot" || !cheap) return own;
  const onDemand = offered.filter(({ offering }) => offering.capacityType === "on-demand");
  const ceiling = onDemand.reduce(
    (low, { offering }) => Math.min(low, offering.priceMicroUsd),
    Number.POSITIVE_INFINITY,
  );
  return own.filter(({ offering }) => offering.priceMicroUsd <= ceiling);
}

/** Bare metal, and accelerators that nobody asked for, only where nothing else fits (they boot slowly and cost much). */
function withoutExotic(claim: NodeClaim, types: readonly InstanceType[]): readonly InstanceType[] {
  const asksForDevices = Object.keys(claim.requests).some((name) => name.includes("/") && claim.requests[name]! > 0);
  const plain = types.filter((type) => {
    if ((type.labels["karpenter.k8s.aws/instance-size"]?.[0] ?? "").startsWith("metal")) return false;
    const accelerated =
      type.labels["karpenter.k8s.aws/instance-gpu-count"] !== undefined ||
      type.labels["karpenter.k8s.aws/instance-accelerator-count"] !== undefined;
    return asksForDevices || !accelerated;
  });
  return plain.length > 0 ? plain : types;
}

function explainNone(claim: NodeClaim, types: readonly InstanceType[], amis: readonly ResolvedAmi[]): NoOverrides {
  if (types.length > 0 && types.every((type) => imageFor(type, amis) === undefined)) {
    return {
      reason: "AMINotFound",
      message: `no image of EC2NodeClass ${claim.nodeClass} fits ${listed(claim.instanceTypes)}`,
    };
  }
  return {
    reason: "InsufficientCapacity",
    message: `no offering of ${listed(claim.instanceTypes)} is available where the claim may run`,
  };
}

function listed(names: readonly string[]): string {
  return names.length <= 5 ? names.join(", ") : `${names.slice(0, 5).join(", ")} and ${names.length - 5} more`;
}

function byPrice(a: Candidate, b: Candidate): number {
  if (a.offering.priceMicroUsd !== b.offering.priceMicroUsd) return a.offering.priceMicroUsd - b.offering.priceMicroUsd;
  if (a.type.name !== b.type.name) return a.type.name < b.type.name ? -1 : 1;
  return a.offering.zone < b.offering.zone ? -1 : 1;
}
