import type { InstanceTypeDescription } from "./instance-type.ts";

/** What EC2 says of a region at one moment, all pages of it. Prices in USD an hour (CNY in China's partition). */
export interface MarketReading {
  /** Names are the asking account's: in another account the same id may have another name. */
  readonly zones: readonly { readonly name: string; readonly id: string }[];
  readonly instanceTypes: readonly InstanceTypeDescription[];
  readonly offerings: readonly { readonly instanceType: string; readonly zone: string }[];
  /** In any order; the latest of a type and zone counts. */
  readonly spotPrices: readonly SpotQuote[];
}

export interface SpotQuote {
  readonly instanceType: string;
  readonly zone: string;
  readonly price: number;
  readonly atMs: number;
}

/** Prices an hour, by instance type. */
export type PriceList = Readonly<Record<string, number>>;
