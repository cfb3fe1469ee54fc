// What the region sells: instance types, where they are offered, and their prices. Input is the catalog file of `timmerman plan`.
import type { InstanceTypeInfo } from "@aws-sdk/client-ec2";
import type { Catalog as CatalogModel } from "../../shared/core/model/index.ts";

/** The catalog file of `timmerman plan`; what it leaves out is absent. Prices are in USD an hour. */
export type CatalogFile = Pick<CatalogModel, "region" | "zones" | "instanceTypes"> & Partial<CatalogModel>;

export type CapacityType = "spot" | "on-demand";

/** A capacity pool's name: what EC2 has, or has not, capacity for. */
export interface PoolName {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: CapacityType;
}

export interface SpotPricePoint {
  readonly at: number;
  readonly usd: number;
}

/** The region's catalog. Spot prices move; everything else stands. */
export interface Catalog {
  readonly region: string;
  readonly zones: readonly { readonly name: string; readonly id: string }[];
  readonly types: ReadonlyMap<string, InstanceTypeInfo>;
  /** Zones in which the type is sold at all; empty for a type that doesn't exist. */
  zonesOf(instanceType: string): readonly string[];
  /** USD an hour now, or undefined where the pool doesn't exist. */
  priceOf(pool: PoolName): number | undefined;
  /** Spot prices of a pool with the moment each began to hold, oldest first. */
  spotHistoryOf(instanceType: string, zone: string): readonly SpotPricePoint[];
  /** A new spot price from `at` on. Throws if the pool has no spot offering. */
  setSpotPrice(instanceType: string, zone: string, usd: number, at: number): void;
}

/** Makes the catalog; the prices of the file hold since `since` (epoch milliseconds). */
export function createCatalog(file: CatalogFile, since: number): Catalog {
  const types = new Map(
    file.instanceTypes
      .map((type) => [type.InstanceType, type as unknown as InstanceTypeInfo] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const everyZone = file.zones.map((zone) => zone.name);
  const zonesOf = (instanceType: string): readonly string[] =>
    types.has(instanceType) ? (file.offerings?.[instanceType] ?? everyZone) : [];
  const history = readSpotPrices(file, zonesOf, since);

  return {
    region: file.region,
    zones: file.zones,
    types,
    zonesOf,
    priceOf({ instanceType, zone, capacityType }) {
      if (capacityType === "spot") return history.get(`${instanceType}/${zone}`)?.at(-1)?.usd;
      return zonesOf(instanceType).includes(zone) ? file.onDemand?.[instanceType] : undefined;
    },
    spotHistoryOf: (instanceType, zone) => history.get(`${instanceType}/${zone}`) ?? [],
    setSpotPrice(instanceType, zone, usd, at) {
      const points = history.get(`${instanceType}/${zone}`);
      if (points === undefined) throw new Error(`${instanceType} has no spot offering in ${zone}`);
      points.push({ at, usd });
    },
  };
}

function readSpotPrices(
  file: CatalogFile,
  zonesOf: (instanceType: string) => readonly string[],
  since: number,
): Map<string, SpotPricePoint[]> {
  const history = new Map<string, SpotPricePoint[]>();
  for (const [instanceType, prices] of Object.entries(file.spot ?? {})) {
    for (const [zone, usd] of Object.entries(prices)) {
      if (zonesOf(instanceType).includes(zone)) history.set(`${instanceType}/${zone}`, [{ at: since, usd }]);
    }
  }
  return history;
}
