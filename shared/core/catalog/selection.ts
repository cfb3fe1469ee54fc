import { type InstanceType, labels, type Offering, own } from "../model/index.ts";
import { type Requirement, type Requirements, wellKnownLabels } from "../requirements/index.ts";

export const reservationLabels = {
  id: "karpenter.k8s.aws/capacity-reservation-id",
  type: "karpenter.k8s.aws/capacity-reservation-type",
  interruptible: "karpenter.k8s.aws/capacity-reservation-interruptible",
} as const;

/** Labels that belong to an offering, not to the type. */
export const offeringLabels: ReadonlySet<string> = new Set([
  labels.zone,
  labels.zoneId,
  labels.capacityType,
  ...Object.values(reservationLabels),
]);

/** True if instance types settle this label: then a type without it makes nodes without it. */
function isTypeLabel(key: string): boolean {
  return key !== labels.nodePool && !offeringLabels.has(key) && wellKnownLabels.has(key);
}

export function typeAllows(type: InstanceType, requirement: Requirement): boolean {
  if (offeringLabels.has(requirement.key)) return true;
  const values = own(type.labels, requirement.key);
  if (values === undefined) return !isTypeLabel(requirement.key) || requirement.absent;
  return values.some((value) => requirement.has(value));
}

/** True if buying this offering makes a node that the requirements allow. */
export function offeringAllows(offering: Offering, requirements: Requirements): boolean {
  const { reservationId, reservationType = "default", reservationInterruptible = false } = offering;
  const reserved = reservationId !== undefined;
  return (
    (requirements.get(reservationLabels.type)?.matches(reserved ? reservationType : undefined) ?? true) &&
    (requirements
      .get(reservationLabels.interruptible)
      ?.matches(reserved ? String(reservationInterruptible) : undefined) ??
      true) &&
    (requirements.get(labels.zone)?.has(offering.zone) ?? true) &&
    (requirements.get(labels.zoneId)?.has(offering.zoneId) ?? true) &&
    (requirements.get(labels.capacityType)?.has(offering.capacityType) ?? true) &&
    (requirements.get(reservationLabels.id)?.matches(reservationId) ?? true)
  );
}

export function typeMeets(type: InstanceType, requirements: Requirements): boolean {
  for (const requirement of requirements) if (!typeAllows(type, requirement)) return false;
  return true;
}

/** EC2 sells it as far as we know, and if it is a reservation, something is left of it. */
export function isOpen(offering: Offering): boolean {
  return offering.available && (offering.reservationId === undefined || (offering.reservationCount ?? 0) > 0);
}
