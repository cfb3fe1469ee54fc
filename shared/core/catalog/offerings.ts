import { type CapacityType, type Catalog, type NodeClass, type Offering, own } from "../model/index.ts";
import type { Ec2Description } from "./description.ts";

export interface Zone {
  readonly name: string;
  readonly id: string;
}

/** USD an hour as whole micro-USD. */
export function microUsd(usd: number): number {
  return Math.round(usd * 1_000_000);
}

/** One key for a place and way to buy. */
export function offeringKey(instanceType: string, zone: string, capacityType: CapacityType): string {
  return `${instanceType}/${zone}/${capacityType}`;
}

/** Zones where the node class has a subnet, by name; ids from the subnets or else from the catalog. */
export function zonesOf(catalog: Catalog, nodeClass: NodeClass): Zone[] {
  const ids = new Map(catalog.zones.map((zone) => [zone.name, zone.id]));
  const zones = new Map<string, Zone>();
  for (const subnet of nodeClass.resolved.subnets) {
    zones.set(subnet.zone, { name: subnet.zone, id: subnet.zoneId ?? ids.get(subnet.zone) ?? "" });
  }
  return [...zones.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * What can be bought of a type, by zone and then capacity type. On demand needs a price, spot a price in that zone; both
 * need EC2 to sell the type that way. A reservation's instances are paid for already: they cost nothing more.
 */
export function offeringsOf(
  description: Ec2Description,
  catalog: Catalog,
  zones: readonly Zone[],
  reservedCapacity: boolean,
  unavailable: ReadonlySet<string>,
): Offering[] {
  const name = description.InstanceType;
  const sold = own(catalog.offerings, name);
  const usage = description.SupportedUsageClasses;
  const onDemand = usage?.includes("on-demand") === false ? undefined : own(catalog.onDemand, name);
  const spot = usage?.includes("spot") === false ? undefined : own(catalog.spot, name);
  const offerings: Offering[] = [];
  for (const zone of zones) {
    if (sold !== undefined && !sold.includes(zone.name)) continue;
    const offer = (capacityType: CapacityType, usd: number): Offering => ({
      zone: zone.name,
      zoneId: zone.id,
      capacityType,
      priceMicroUsd: microUsd(usd),
      available: unavailable.size === 0 || !unavailable.has(offeringKey(name, zone.name, capacityType)),
    });
    if (onDemand !== undefined) offerings.push(offer("on-demand", onDemand));
    if (reservedCapacity) {
      for (const reservation of catalog.reserved) {
        if (reservation.instanceType !== name || reservation.zone !== zone.name) continue;
        const reserved = offer("reserved", 0);
        const { id: reservationId, count: reservationCount } = reservation;
        const available = reserved.available && reservationCount > 0;
        offerings.push({ ...reserved, available, reservationId, reservationCount });
      }
    }
    const spotUsd = own(spot ?? {}, zone.name);
    if (spotUsd !== undefined) offerings.push(offer("spot", spotUsd));
  }
  return offerings;
}

/** What an instance costs an hour, by type, zone and capacity type; undefined where the catalog has no price. */
export function offeringPriceMicroUsd(
  catalog: Catalog,
  instanceType: string,
  zone: string,
  capacityType: CapacityType,
): number | undefined {
  if (capacityType === "reserved") return 0;
  const usd =
    capacityType === "spot" ? own(own(catalog.spot, instanceType) ?? {}, zone) : own(catalog.onDemand, instanceType);
  return usd === undefined ? undefined : microUsd(usd);
}
