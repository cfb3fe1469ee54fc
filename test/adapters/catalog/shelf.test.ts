import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createCatalogShelf } from "../../../shared/adapters/catalog/shelf.ts";
import type { CatalogPointer } from "../../../shared/ports/index.ts";

const key = "catalog/eu-west-1/00.json.gz";

function shelfWith(bytes: Uint8Array, pointer: CatalogPointer = { key, atMs: 1, writtenAtMs: 1 }) {
  return createCatalogShelf({
    objects: async () => ({ get: async () => bytes, put: async () => {} }),
    pointers: { find: async () => pointer, put: async () => {} },
  });
}

describe("a catalog that is broken", () => {
  const elsewhere = { region: "us-east-1", zones: [], instanceTypes: [], offerings: [] };
  it.each<[string, Uint8Array]>([
    ["cut off", gzipSync('{"region":"eu-west-1"}').subarray(0, 12)],
    ["not JSON", gzipSync('{"region":')],
    ["without its fields", gzipSync('{"region":"eu-west-1","zones":5}')],
    ["another region's", gzipSync(JSON.stringify(elsewhere))],
  ])("counts as gone, so that it is made anew: %s", async (_what, bytes) => {
    const refusal = { code: "not-found", retry: "later", message: expect.stringContaining(key) };
    await expect(shelfWith(bytes).load(key)).rejects.toMatchObject(refusal);
  });

  it("is not pointed to from another region", async () => {
    const shelf = shelfWith(new Uint8Array());
    expect(await shelf.find("eu-west-1")).toMatchObject({ key });
    expect(await shelf.find("eu-west-2")).toBeUndefined();
  });
});
