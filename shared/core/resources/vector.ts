import { own, type Resources } from "../model/index.ts";

/** Sum; a resource that one side lacks counts as 0 there. */
export function addResources(a: Resources, b: Resources): Resources {
  const sum: Record<string, number> = { ...a };
  for (const resource in b) sum[resource] = (own(sum, resource) ?? 0) + b[resource]!;
  return sum;
}

export function sumResources(all: readonly Resources[]): Resources {
  const sum: Record<string, number> = {};
  for (const one of all) {
    for (const resource in one) sum[resource] = (own(sum, resource) ?? 0) + one[resource]!;
  }
  return sum;
}

/** a − b; may become negative, which says by how much `b` is too large. */
export function subtractResources(a: Resources, b: Resources): Resources {
  const rest: Record<string, number> = { ...a };
  for (const resource in b) rest[resource] = (own(rest, resource) ?? 0) - b[resource]!;
  return rest;
}

/** Raises `most` to the larger of the two, per resource. */
export function raiseResources(most: Record<string, number>, other: Resources): void {
  for (const resource in other) most[resource] = Math.max(own(most, resource) ?? 0, other[resource]!);
}

/** True if every requested amount is there. A request of 0 needs nothing, not even that the resource exists. */
export function fits(requests: Resources, available: Resources): boolean {
  for (const resource in requests) {
    const requested = requests[resource]!;
    if (requested > 0 && requested > (own(available, resource) ?? 0)) return false;
  }
  return true;
}

/** Names of the resources that do not fit, sorted. */
export function exceeding(requests: Resources, available: Resources): string[] {
  return Object.keys(requests)
    .filter((resource) => requests[resource]! > 0 && requests[resource]! > (own(available, resource) ?? 0))
    .sort();
}

/** Equal amounts; an absent resource equals 0. */
export function resourcesEqual(a: Resources, b: Resources): boolean {
  for (const resource in a) if (a[resource] !== (own(b, resource) ?? 0)) return false;
  for (const resource in b) if (b[resource] !== (own(a, resource) ?? 0)) return false;
  return true;
}
