import type { Catalog, MarketReading, PriceList } from "../core/model/index.ts";

/** Instance types, offerings and prices of a region. */
export interface CatalogSource {
  /**
   * The same object as long as nothing changed, so that what is derived from it can be kept. Rejects with an
   * OperationError (later) where no catalog of that region has been made yet.
   */
  read(region: string): Promise<Catalog>;
}

/** Where what a region sells is asked for: EC2 and the price list. Rejects with an OperationError if any page failed. */
export interface Market {
  describe(region: string): Promise<MarketReading>;
  /** On-demand prices (Linux, shared tenancy); undefined where the region's partition publishes no list. */
  listPrices(region: string): Promise<PriceList | undefined>;
}

/** Which catalog of a region holds. */
export interface CatalogPointer {
  /** Named by its content: another key is another catalog. */
  readonly key: string;
  /** When what it says was last found to be true. */
  readonly atMs: number;
  /** When it was written. Older files are cleared away. */
  readonly writtenAtMs: number;
}

/** Catalogs that were made from the market, kept for all functions. */
export interface CatalogShelf {
  /** What holds; undefined: nothing was ever made for that region. */
  find(region: string): Promise<CatalogPointer | undefined>;
  /** Rejects with an OperationError (later) if it isn't there. */
  load(key: string): Promise<Catalog>;
  /** Makes it the one that holds; writes nothing but the pointer where `last` points to the same, written lately. */
  put(catalog: Catalog, last: CatalogPointer | undefined, nowMs: number): Promise<CatalogPointer>;
}
