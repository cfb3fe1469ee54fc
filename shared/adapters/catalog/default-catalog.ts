import { brotliDecompressSync } from "node:zlib";
import type { Catalog } from "../../core/model/index.ts";
import compressed from "./default-catalog/us-east-1.generated.json" with { type: "json" };

let shipped: Catalog | undefined;

/** The catalog that the product ships (default-catalog/PROVENANCE.md). Always the same object; its spot prices are estimates. */
export function readDefaultCatalog(): Catalog {
  shipped ??= JSON.parse(brotliDecompressSync(Buffer.from(compressed.brotli, "base64")).toString("utf8")) as Catalog;
  return shipped;
}
