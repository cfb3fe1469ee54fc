import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, gunzip, gzip } from "node:zlib";
import type { Catalog } from "../../core/model/index.ts";
import { type CatalogPointer, type CatalogShelf, OperationError } from "../../ports/index.ts";
import type { CatalogPointers } from "../dynamodb/index.ts";
import type { Objects } from "../s3/index.ts";
import { parseCatalog } from "./catalog-file.ts";

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** The bucket clears catalogs away after a month: one that still holds is written anew each day. */
const rewriteAfterMs = 24 * 60 * 60_000;
const hashLength = 32;

export interface CatalogShelfOptions {
  /** Loaded when a catalog is read or written, which is seldom. */
  objects(): Promise<Objects>;
  readonly pointers: CatalogPointers;
}

/** Catalogs as compressed files named by their content, and for each region a pointer to the one that holds. */
export function createCatalogShelf({ objects, pointers }: CatalogShelfOptions): CatalogShelf {
  return {
    // A pointer to another region's catalog is none: prices and zones would be wrong without a sign of it.
    async find(region) {
      const pointer = await pointers.find(region);
      return pointer?.key.startsWith(`catalog/${region}/`) ? pointer : undefined;
    },
    async load(key) {
      const bytes = await (await objects()).get(key);
      let text: string;
      try {
        text = (await expand(bytes)).toString("utf8");
      } catch (cause) {
        const message = `${key} is no compressed file (${(cause as Error).message}): run refresh-catalog`;
        throw new OperationError(message, { retry: "later", code: "not-found", cause });
      }
      return soundCatalog(text, key);
    },
    async put(catalog, last, nowMs) {
      const text = JSON.stringify(catalog);
      const key = `catalog/${catalog.region}/${createHash("sha256").update(text).digest("hex").slice(0, hashLength)}.json.gz`;
      const isWritten = last?.key === key && nowMs - last.writtenAtMs < rewriteAfterMs;
      if (!isWritten) {
        const bytes = await compress(text, { level: constants.Z_BEST_COMPRESSION });
        await (await objects()).put(key, bytes, { type: "application/json", encoding: "gzip" });
      }
      const pointer: CatalogPointer = { key, atMs: nowMs, writtenAtMs: isWritten ? last.writtenAtMs : nowMs };
      await pointers.put(catalog.region, pointer);
      return pointer;
    },
  };
}

/** Rejects (later) as if there were no such object: it is of no more use, and refresh-catalog writes it anew. */
function soundCatalog(text: string, key: string): Catalog {
  let catalog: Catalog;
  try {
    catalog = parseCatalog(text, key);
  } catch (cause) {
    if (!(cause instanceof OperationError)) throw cause;
    const message = `${key} is no catalog (${cause.message}): run refresh-catalog`;
    throw new OperationError(message, { retry: "later", code: "not-found", cause });
  }
  if (key.startsWith(`catalog/${catalog.region}/`)) return catalog;
  const message = `${key} is the catalog of ${catalog.region}: run refresh-catalog`;
  throw new OperationError(message, { retry: "later", code: "not-found" });
}
