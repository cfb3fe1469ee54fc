// What any shelf of catalogs does.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Catalog } from "../../../shared/core/model/index.ts";
import type { CatalogShelf } from "../../../shared/ports/index.ts";

export interface ShelfUnderTest {
  readonly shelf: CatalogShelf;
  stop(): Promise<void>;
}

export const t0 = 1_760_000_000_000;
const hourMs = 3_600_000;

export function catalogOf(region: string, spotUsd: number): Catalog {
  return {
    region,
    zones: [{ name: `${region}a`, id: "az1" }],
    instanceTypes: [
      {
        InstanceType: "m5.large",
        ProcessorInfo: { SupportedArchitectures: ["x86_64"] },
        VCpuInfo: { DefaultVCpus: 2 },
        MemoryInfo: { SizeInMiB: 8192 },
        NetworkInfo: { Ipv4AddressesPerInterface: 10, MaximumNetworkInterfaces: 3 },
      },
    ],
    offerings: { "m5.large": [`${region}a`] },
    onDemand: { "m5.large": 0.096 },
    spot: { "m5.large": { [`${region}a`]: spotUsd } },
    unavailable: [],
    reserved: [],
  };
}

export function runCatalogShelfSuite(name: string, make: () => Promise<ShelfUnderTest>, skip = false): void {
  describe.skipIf(skip)(`a shelf of catalogs: ${name}`, () => {
    let subject: ShelfUnderTest;
    beforeAll(async () => {
      subject = await make();
    });
    afterAll(() => subject?.stop());

    it("has nothing for a region for which none was made", async () => {
      expect(await subject.shelf.find("eu-west-3")).toBeUndefined();
    });

    it("gives back what was put, by region", async () => {
      const { shelf } = subject;
      for (const region of ["us-east-1", "us-gov-west-1"]) {
        const put = await shelf.put(catalogOf(region, 0.04), undefined, t0);
        expect(await shelf.find(region)).toEqual(put);
        expect(put).toMatchObject({ atMs: t0, writtenAtMs: t0 });
        expect(await shelf.load(put.key)).toEqual(catalogOf(region, 0.04));
      }
    });

    it("names equal catalogs alike and others otherwise, and keeps those that were pointed to before", async () => {
      const { shelf } = subject;
      const first = await shelf.put(catalogOf("eu-west-1", 0.04), undefined, t0);
      const same = await shelf.put(catalogOf("eu-west-1", 0.04), first, t0 + hourMs);
      expect(same).toEqual({ key: first.key, atMs: t0 + hourMs, writtenAtMs: t0 });
      const other = await shelf.put(catalogOf("eu-west-1", 0.05), same, t0 + 2 * hourMs);
      expect(other.key).not.toBe(first.key);
      expect(await shelf.find("eu-west-1")).toEqual(other);
      expect(await shelf.load(first.key)).toEqual(catalogOf("eu-west-1", 0.04));
    });

    it("says of one that is gone that it may come", async () => {
      const gone = subject.shelf.load("catalog/us-east-1/0123.json.gz");
      await expect(gone).rejects.toMatchObject({ code: "not-found", retry: "later" });
    });
  });
}
