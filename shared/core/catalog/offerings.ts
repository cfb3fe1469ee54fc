import { type CapacityType, type Catalog, type NodeClass, type Offering, own } from "../model/index.ts";
import type { Ec2Description } from "./description.ts";

export interface Zone {
  /** As the cluster's account calls it. */
  readonly name: string;
  readonly id: string;
  /** As the catalog calls it, whose account may be another. */
  readonly listedAs: string;
}

/** USD an hour as whole micro-USD. */
export function microUsd(usd: number): number {
  return Math.round(usd * 1_000_000);
}

/** One key for a place and way to buy, or for one reservation there. */
export function offeringKey(
  instanceType: string,
  zone: string,
  capacityType: CapacityType,
  reservationId?: string,
): string {
  const key = `${instanceType}/${zone}/${capacityType}`;
  return reservationId === undefined ? key : `${key}/${reservationId}`;
}

/**
 * Zones where the node class has a subnet, by name. What the catalog says of a zone is found by the zone's id, which is
 * the same in every account, where names are each account's own; by name only where an id is missing on either side.
 */
export function zonesOf(catalog: Catalog, nodeClass: NodeClass): Zone[] {
  const ids = new Map(catalog.zones.map((zone) => [zone.name, zone.id]));
  const names = new Map(catalog.zones.map((zone) => [zone.id, zone.name]));
  const zones = new Map<string, Zone>();
  for (const { zone: name, zoneId = "" } of nodeClass.resolved.subnets) {
    const listedAs = (zoneId === "" ? undefined : names.get(zoneId)) ?? name;
    zones.set(name, { name, id: zoneId === "" ? (ids.get(name) ?? "") : zoneId, listedAs });
  }
  return [...zones.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Names and ids of zones as they belong together in a cluster's account: as its subnets say, and for the rest as the
 * catalog does, whose account may be another.
 */
export function zonesHere(
  catalog: Pick<Catalog, "zones">,
  nodeClasses: readonly Pick<NodeClass, "resolved">[],
): readonly Pick<Zone, "name" | "id">[] {
  const here = new Map<string, string>();
  for (const { zone, zoneId = "" } of nodeClasses.flatMap(({ resolved }) => resolved.subnets)) {
    if (zoneId !== "") here.set(zone, zoneId);
  }
  const known = new Set(here.values());
  const rest = catalog.zones.filter(({ name, id }) => !here.has(name) && !known.has(id));
  return [...[...here].map(([name, id]) => ({ name, id })), ...rest];
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
    if (sold !== undefined && !sold.includes(zone.listedAs)) continue;
    const offer = (capacityType: CapacityType, usd: number): Offering => ({
      zone: zone.name,
      zoneId: zone.id,
      capacityType,
      priceMicroUsd: microUsd(usd),
      available: unavailable.size === 0 || !unavailable.has(offeringKey(name, zone.listedAs, capacityType)),
    });
    if (onDemand !== undefined) offerings.push(offer("on-demand", onDemand));
    if (reservedCapacity) {
      for (const reservation of catalog.reserved) {
        if (reservation.instanceType !== name || reservation.zone !== zone.listedAs) continue;
        const reserved = offer("reserved", 0);
        const { id: reservationId, count: reservationCount } = reservation;
        const available = reserved.available && reservationCount > 0;
        offerings.push({ ...reserved, available, reservationId, reservationCount });
      }
    }
    const spotUsd = own(spot ?? {}, zone.listedAs);
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
