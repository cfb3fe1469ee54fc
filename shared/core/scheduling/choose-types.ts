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

/** A label of which a claim must keep so many values possible (minValues). */
export interface Floor {
  readonly key: string;
  readonly minValues: number;
}

/** Keys with a flexibility floor, and the floor. */
export function floorsOf(requirements: Requirements): Floor[] {
  return [...requirements].filter(({ minValues }) => minValues > 0).map(({ key, minValues }) => ({ key, minValues }));
}

/** The first floor that these types do not reach, with what they reach; undefined: all reached. */
export function missedFloor(
  types: readonly InstanceType[],
  requirements: Requirements,
): { readonly key: string; readonly minValues: number; readonly found: number } | undefined {
  for (const { key, minValues } of floorsOf(requirements)) {
    const found = countValues(types, key, requirements);
    if (found < minValues) return { key, minValues, found };
  }
  return undefined;
}

/**
 * At most 60 of the types, cheapest first. Where floors ask for more kinds than the cheapest 60 have, the cheapest type of
 * each missing kind replaces the dearest of the others; one that serves several floors counts for all of them. `types` come
 * cheapest first.
 */
export function cutTypes(
  types: readonly InstanceType[],
  requirements: Requirements,
  floors: readonly Floor[] = floorsOf(requirements),
): readonly InstanceType[] {
  if (types.length <= maxInstanceTypesPerClaim) return types;
  const needed = new Set<InstanceType>();
  // The steepest first: what it needs brings kinds of other labels along.
  for (const { key, minValues } of [...floors].sort((a, b) => b.minValues - a.minValues)) {
    const distinct = new Set<string>();
    for (const type of needed) for (const value of valuesFor(type, key, requirements)) distinct.add(value);
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

/** How many values of a label these types leave possible. */
export function countValues(types: readonly InstanceType[], key: string, requirements: Requirements): number {
  const distinct = new Set<string>();
  for (const type of types) for (const value of valuesFor(type, key, requirements)) distinct.add(value);
  return distinct.size;
}

/** The cheapest open offering of a type under these requirements. */
export function cheapestOffering(type: InstanceType, requirements: Requirements): Choice {
  const best = type.offerings
    .filter((offering) => isOpen(offering) && offeringAllows(offering, requirements))
    .reduce((a, b) => (b.priceMicroUsd < a.priceMicroUsd ? b : a));
  const { zone, capacityType, priceMicroUsd } = best;
  return { instanceType: type.name, zone, capacityType, priceMicroUsd };
}
