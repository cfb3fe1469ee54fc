import {
  type CapacityType,
  type ClaimInstance,
  type FleetRequest,
  type InstanceType,
  labels,
  type NodeClaim,
} from "../model/index.ts";

/** An instance as the launch's answer or a look-up by tag describes it. */
export interface LaunchedInstance {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: CapacityType;
  readonly subnetId?: string;
  readonly imageId?: string;
}

export interface InstancePair {
  readonly claim: string;
  readonly instance: ClaimInstance;
  /** Labels that the instance settles, to be added to the claim's own. */
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Sorted instance ids with the launch's ordered claims: whoever repeats it pairs the same. Fewer instances leave the last
 * claims without; instances beyond the claims are nobody's (garbage collection finds them).
 */
export function pairInstances(
  claims: readonly string[],
  instances: readonly LaunchedInstance[],
  request: FleetRequest,
  types: readonly InstanceType[],
  launchedAtMs: number,
): readonly InstancePair[] {
  const byName = new Map(types.map((type) => [type.name, type]));
  const sorted = [...instances].sort((a, b) => (a.id < b.id ? -1 : 1));
  return claims.slice(0, sorted.length).map((claim, i) => {
    const instance = sorted[i]!;
    const type = byName.get(instance.instanceType);
    const zoneId = type?.offerings.find((offering) => offering.zone === instance.zone)?.zoneId;
    return {
      claim,
      instance: {
        id: instance.id,
        providerId: `aws:///${instance.zone}/${instance.id}`,
        instanceType: instance.instanceType,
        zone: instance.zone,
        ...(zoneId === undefined ? {} : { zoneId }),
        capacityType: instance.capacityType,
        priceMicroUsd: priceOf(request, instance, type),
        ...(instance.imageId === undefined ? {} : { imageId: instance.imageId }),
        ...(instance.subnetId === undefined ? {} : { subnetId: instance.subnetId }),
        capacity: type?.capacity ?? {},
        allocatable: type?.allocatable ?? {},
        launchedAtMs,
      },
      labels: instanceLabels(instance, zoneId, type),
    };
  });
}

function priceOf(request: FleetRequest, instance: LaunchedInstance, type: InstanceType | undefined): number {
  const asked = request.overrides.find((o) => o.instanceType === instance.instanceType && o.zone === instance.zone);
  if (asked !== undefined) return asked.priceMicroUsd;
  const offered = type?.offerings.find((o) => o.zone === instance.zone && o.capacityType === instance.capacityType);
  return offered?.priceMicroUsd ?? 0;
}

/** Well-known labels with one value for the type, and those of the place it got. */
export function instanceLabels(
  instance: LaunchedInstance,
  zoneId: string | undefined,
  type: InstanceType | undefined,
): Readonly<Record<string, string>> {
  const settled: Record<string, string> = {};
  for (const [key, values] of Object.entries(type?.labels ?? {})) {
    if (values.length === 1) settled[key] = values[0]!;
  }
  settled[labels.instanceType] = instance.instanceType;
  settled[labels.zone] = instance.zone;
  settled[labels.capacityType] = instance.capacityType;
  if (zoneId !== undefined) settled[labels.zoneId] = zoneId;
  return settled;
}

/** Labels of a paired claim: what it was planned with, and what its instance settled. */
export function pairedLabels(claim: NodeClaim, pair: InstancePair): Readonly<Record<string, string>> {
  return { ...pair.labels, ...claim.labels, [labels.nodePool]: claim.nodePool, [labels.nodeClass]: claim.nodeClass };
}
