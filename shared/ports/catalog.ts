import type { Catalog } from "../core/model/index.ts";

/** Instance types, offerings and prices of a region. */
export interface CatalogSource {
  /** The same object as long as nothing changed, so that what is derived from it can be kept. */
  read(region: string): Promise<Catalog>;
}
