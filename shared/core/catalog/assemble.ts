import type { Catalog, InstanceTypeDescription, MarketReading, PriceList, SpotQuote } from "../model/index.ts";
import { descriptionFault } from "./description.ts";
import { trimDescription } from "./trim-description.ts";

/** On-demand prices by where they come from, best first. */
export interface PriceSources {
  /** The region's price list as it is now; undefined: it could not be had. */
  readonly listed: PriceList | undefined;
  /** The prices of the region's last catalog. */
  readonly known: PriceList;
  /** A table that ships with the product, be it another region's: an estimate is better than no launch. */
  readonly shipped: PriceList;
}

export interface Assembled {
  readonly catalog: Catalog;
  /** Types left out: nowhere a price, or a description that lacks what is needed. */
  readonly leftOut: readonly string[];
  /** How many types have their on-demand price from where. */
  readonly pricesFrom: Readonly<Record<keyof PriceSources, number>>;
}

/**
 * One catalog from what EC2 and the price list say. Equal readings give equal catalogs, text and all: types, zones and
 * fields are sorted. Of a description is kept what is read of it.
 */
export function assembleCatalog(region: string, reading: MarketReading, prices: PriceSources): Assembled {
  const zones = [...reading.zones].sort((a, b) => compare(a.name, b.name));
  const sold = offeringsByType(reading, new Set(zones.map((zone) => zone.name)));
  const quotes = latestQuotes(reading.spotPrices);
  const counts = { listed: 0, known: 0, shipped: 0 };
  const leftOut: string[] = [];
  const instanceTypes: InstanceTypeDescription[] = [];
  const offerings: Record<string, readonly string[]> = {};
  const onDemand: Record<string, number> = {};
  const spot: Record<string, Readonly<Record<string, number>>> = {};
  for (const described of [...reading.instanceTypes].sort((a, b) => compare(a.InstanceType, b.InstanceType))) {
    const name = described.InstanceType;
    const soldIn = sold.get(name);
    if (soldIn === undefined) continue;
    const source = sourceOf(name, prices);
    const quoted = soldIn.flatMap((zone) => {
      const quote = quotes.get(`${name}/${zone}`);
      return quote === undefined ? [] : [[zone, quote.price] as const];
    });
    if (descriptionFault(described) !== undefined || (source === undefined && quoted.length === 0)) {
      leftOut.push(name);
      continue;
    }
    instanceTypes.push(trimDescription(described));
    offerings[name] = soldIn;
    if (quoted.length > 0) spot[name] = Object.fromEntries(quoted);
    if (source === undefined) continue;
    onDemand[name] = prices[source]![name]!;
    counts[source] += 1;
  }
  const catalog: Catalog = { region, zones, instanceTypes, offerings, onDemand, spot, unavailable: [], reserved: [] };
  return { catalog, leftOut, pricesFrom: counts };
}

function offeringsByType({ offerings }: MarketReading, zones: ReadonlySet<string>): Map<string, string[]> {
  const sold = new Map<string, string[]>();
  for (const { instanceType, zone } of offerings) {
    if (!zones.has(zone)) continue;
    const soldIn = sold.get(instanceType);
    if (soldIn === undefined) sold.set(instanceType, [zone]);
    else if (!soldIn.includes(zone)) soldIn.push(zone);
  }
  for (const soldIn of sold.values()) soldIn.sort(compare);
  return sold;
}

function latestQuotes(quotes: readonly SpotQuote[]): Map<string, SpotQuote> {
  const latest = new Map<string, SpotQuote>();
  for (const quote of quotes) {
    const key = `${quote.instanceType}/${quote.zone}`;
    const before = latest.get(key);
    if (before === undefined || quote.atMs > before.atMs) latest.set(key, quote);
  }
  return latest;
}

function sourceOf(name: string, prices: PriceSources): keyof PriceSources | undefined {
  for (const source of ["listed", "known", "shipped"] as const) {
    const list = prices[source];
    if (list !== undefined && Object.hasOwn(list, name)) return source;
  }
  return undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Zones, types and their offerings never go away by the tenth from one hour to the next; an answer that was cut does. */
const leastPartKept = 0.9;
/** Spot prices come and go with the market's zones, but not by halves. */
const leastPartOfSpotKept = 0.5;

/**
 * Why a catalog must not take the place of the last one: it is empty, or so much smaller that the reading was not whole.
 * Undefined: it may.
 */
export function shrinkage(next: Catalog, last: Catalog | undefined): string | undefined {
  if (next.zones.length === 0) return "no zone";
  if (next.instanceTypes.length === 0) return "no instance type that is sold at a price";
  if (last === undefined) return undefined;
  const compared: readonly (readonly [string, (catalog: Catalog) => number, number])[] = [
    ["zones", (catalog) => catalog.zones.length, leastPartKept],
    ["instance types", (catalog) => catalog.instanceTypes.length, leastPartKept],
    ["offerings", countOfferings, leastPartKept],
    ["spot prices", countSpotPrices, leastPartOfSpotKept],
  ];
  for (const [what, count, least] of compared) {
    const [before, now] = [count(last), count(next)];
    if (now < before * least) return `${now} ${what} instead of ${before}`;
  }
  return undefined;
}

/** Types times the zones that sell them. */
export function countOfferings(catalog: Catalog): number {
  return Object.values(catalog.offerings).reduce((sum, zones) => sum + zones.length, 0);
}

function countSpotPrices(catalog: Catalog): number {
  return Object.values(catalog.spot).reduce((sum, zones) => sum + Object.keys(zones).length, 0);
}
