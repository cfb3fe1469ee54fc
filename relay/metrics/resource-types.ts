import type { Resources } from "../../shared/core/model/index.ts";

/** The `resource_type` of a resource, and how many of our base units one unit of it is: Karpenter counts whole CPUs. */
export function resourceType(resource: string): readonly [type: string, unit: number] {
  return [resource.toLowerCase().replaceAll("-", "_"), resource === "cpu" ? 1000 : 1];
}

export function amountsOf(sums: ReadonlyMap<string, number>): Resources {
  return Object.fromEntries(sums);
}
