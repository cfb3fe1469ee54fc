import type { FleetRequest, LaunchRefusal } from "../../core/model/index.ts";

/** What is left: instances by `type zone capacityType`, addresses by subnet. A pool that is absent has no bound. */
export interface Pools {
  readonly left: Map<string, number>;
  readonly addresses: Map<string, number>;
}

/**
 * Takes one instance from the best pool that has one. By price; spot prefers the deeper of equally priced pools
 * (price-capacity-optimized without its blend). Pools that come first and have nothing left are refusals.
 */
export function allocateOne(
  request: FleetRequest,
  pools: Pools,
): { readonly chosen?: FleetRequest["overrides"][number]; readonly refused: readonly LaunchRefusal[] } {
  const keyOf = (o: FleetRequest["overrides"][number]) => `${o.instanceType} ${o.zone} ${request.capacityType}`;
  const depth = (o: FleetRequest["overrides"][number]) => pools.left.get(keyOf(o)) ?? Number.POSITIVE_INFINITY;
  const ordered = [...request.overrides].sort((a, b) => {
    if (a.priceMicroUsd !== b.priceMicroUsd) return a.priceMicroUsd - b.priceMicroUsd;
    const [depthA, depthB] = [depth(a), depth(b)];
    if (request.allocationStrategy === "price-capacity-optimized" && depthA !== depthB) return depthA < depthB ? 1 : -1;
    return `${a.instanceType} ${a.zone}` < `${b.instanceType} ${b.zone}` ? -1 : 1;
  });
  const refused: LaunchRefusal[] = [];
  for (const override of ordered) {
    const { instanceType, zone, subnetId } = override;
    const place = { instanceType, zone, subnetId, capacityType: request.capacityType };
    if (depth(override) < 1) {
      const message = `no ${request.capacityType} capacity for ${instanceType} in ${zone}`;
      refused.push({ kind: "no-capacity", code: "InsufficientInstanceCapacity", message, ...place });
      continue;
    }
    const addresses = pools.addresses.get(subnetId) ?? 0;
    if (addresses < 1) {
      const message = `no free address in ${subnetId}`;
      refused.push({ kind: "no-addresses", code: "InsufficientFreeAddressesInSubnet", message, ...place });
      continue;
    }
    pools.addresses.set(subnetId, addresses - 1);
    if (pools.left.has(keyOf(override))) pools.left.set(keyOf(override), depth(override) - 1);
    return { chosen: override, refused };
  }
  return { refused };
}
