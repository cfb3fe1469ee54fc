import { readFileSync } from "node:fs";
import type { Catalog } from "../../core/model/index.ts";
import { type CatalogSource, OperationError } from "../../ports/index.ts";

const region = "us-east-1";
let shipped: Catalog | undefined;

/** The catalog that the product ships (default-catalog/PROVENANCE.md). Always the same object; its spot prices are estimates. */
export function readDefaultCatalog(): Catalog {
  if (shipped === undefined) {
    const file = new URL(`./default-catalog/${region}.generated.json`, import.meta.url);
    shipped = JSON.parse(readFileSync(file, "utf8")) as Catalog;
  }
  return shipped;
}

/** The shipped catalog as a source. Other regions are refused: prices and zones of one say nothing about another. */
export const defaultCatalogSource: CatalogSource = {
  async read(asked: string): Promise<Catalog> {
    if (asked !== region) {
      throw new OperationError(`the default catalog covers ${region} only, not ${asked}`, {
        retry: "never",
        code: "not-found",
      });
    }
    return readDefaultCatalog();
  },
};
