import { maxInstanceTypesPerClaim } from "../limits.ts";
import type { Choice, InstanceType } from "../model/index.ts";
import { labels, own } from "../model/index.ts";
import type { Requirements } from "../requirements/index.ts";
import { isOpen, offeringAllows } from "./pool-space.ts";

/** Values that a type gives for a label: its own, or those of its open offerings that the requirements allow. */
export function valuesFor(type: InstanceType, key: string, requirements: Requirements): readonly string[] {
  const requirement = requirements.get(key);
  const offered = key === labels.zone || key === labels.zoneId || key === labels.capacityType;
  const values = offered
    ? type.offerings
        .filter((offering) => isOpen(offering) && offeringAllows(offering, requirements))
        .map((offering) =>
          key === labels.zone ? offering.zone : key === labels.zoneId ? offering.zoneId : offering.capacityType,
        )
    : (own(type.labels, key) ?? []);
  return requirement === undefined ? values : values.filter((value) => requirement.has(value));
}

/** Keys with a flexibility floor, and the floor. */
export function floorsOf(requirements: Requirements): { readonly key: string; readonly minValues: number }[] {
  return [...requirements].filter(({ minValues }) => minValues > 0).map(({ key, minValues }) => ({ key, minValues }));
}

/** The first floor that these types do not reach, with what they reach; undefined: all reached. */
export function missedFloor(
  types: readonly InstanceType[],
  requirements: Requirements,
): { readonly key: string; readonly minValues: number; readonly found: number } | undefined {
  for (const { key, minValues } of floorsOf(requirements)) {
    const distinct = new Set<string>();
    for (const type of types) for (const value of valuesFor(type, key, requirements)) distinct.add(value);
    if (distinct.size < minValues) return { key, minValues, found: distinct.size };
  }
  return undefined;
}

/**
 * At most 60 of the types, cheapest first. Where a floor asks for more kinds than the cheapest 60 have, the cheapest type
 * of each missing kind replaces the dearest of the others. `types` come cheapest first.
 */
export function cutTypes(types: readonly InstanceType[], requirements: Requirements): readonly InstanceType[] {
  if (types.length <= maxInstanceTypesPerClaim) return types;
  const needed = new Set<InstanceType>();
  for (const { key, minValues } of floorsOf(requirements)) {
    const distinct = new Set<string>();
    for (const type of types) {
      if (distinct.size >= minValues) break;
      const fresh = valuesFor(type, key, requirements).filter((value) => !distinct.has(value));
      if (fresh.length === 0) continue;
      needed.add(type);
      for (const value of fresh) distinct.add(value);
    }
  }
  let others = maxInstanceTypesPerClaim - needed.size;
  return types.filter((type) => needed.has(type) || others-- > 0).slice(0, maxInstanceTypesPerClaim);
}

/** The cheapest open offering of a type under these requirements. */
export function cheapestOffering(type: InstanceType, requirements: Requirements): Choice {
  const best = type.offerings
    .filter((offering) => isOpen(offering) && offeringAllows(offering, requirements))
    .reduce((a, b) => (b.priceMicroUsd < a.priceMicroUsd ? b : a));
  const { zone, capacityType, priceMicroUsd } = best;
  return { instanceType: type.name, zone, capacityType, priceMicroUsd };
}
