import type { Catalog } from "../../core/model/index.ts";
import { type CatalogPointer, type CatalogShelf, OperationError } from "../../ports/index.ts";

export interface MemoryCatalogShelf extends CatalogShelf {
  /** Catalogs were cleared away: what is pointed to may be gone. */
  clear(): void;
}

/** A shelf in memory. What is put is copied, as on any other. */
export function createMemoryCatalogShelf(): MemoryCatalogShelf {
  const pointers = new Map<string, CatalogPointer>();
  const files = new Map<string, string>();
  let made = 0;
  return {
    find: async (region) => pointers.get(region),
    async load(key) {
      const text = files.get(key);
      if (text !== undefined) return JSON.parse(text) as Catalog;
      throw new OperationError(`${key}: there is no such catalog`, { retry: "later", code: "not-found" });
    },
    async put(catalog, last, nowMs) {
      const text = JSON.stringify(catalog);
      const known = [...files].find(([, other]) => other === text)?.[0];
      const key = known ?? `catalog/${catalog.region}/${made++}`;
      files.set(key, text);
      const writtenAtMs = last?.key === key ? last.writtenAtMs : nowMs;
      const pointer = { key, atMs: nowMs, writtenAtMs };
      pointers.set(catalog.region, pointer);
      return pointer;
    },
    clear: () => files.clear(),
  };
}
