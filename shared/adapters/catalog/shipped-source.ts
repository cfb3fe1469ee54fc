import type { Catalog } from "../../core/model/index.ts";
import { type CatalogSource, OperationError } from "../../ports/index.ts";

const region = "us-east-1";

/**
 * The shipped catalog as a source, loaded when it is read. Other regions are refused: zones of one say nothing about
 * another.
 */
export const defaultCatalogSource: CatalogSource = {
  async read(asked: string): Promise<Catalog> {
    if (asked !== region) {
      throw new OperationError(
        `there is no catalog of ${asked} yet, and the shipped one covers ${region} only: run refresh-catalog`,
        { retry: "later", code: "not-found" },
      );
    }
    const { readDefaultCatalog } = await import("./default-catalog.ts");
    return readDefaultCatalog();
  },
};
