import { describe, expect, it } from "vitest";
import { parseCatalog } from "../../../shared/adapters/catalog/catalog-file.ts";
import {
  defaultCatalogSource,
  estimateSpotUsd,
  readCatalogFile,
  readDefaultCatalog,
} from "../../../shared/adapters/catalog/index.ts";

const small = {
  region: "us-east-1",
  zones: [{ name: "us-east-1a", id: "use1-az1" }],
  instanceTypes: [
    {
      InstanceType: "m5.large",
      ProcessorInfo: { SupportedArchitectures: ["x86_64"] },
      VCpuInfo: { DefaultVCpus: 2 },
      MemoryInfo: { SizeInMiB: 8192 },
      NetworkInfo: { Ipv4AddressesPerInterface: 10, MaximumNetworkInterfaces: 3 },
    },
  ],
  onDemand: { "m5.large": 0.096 },
};

describe("a catalog file", () => {
  it("needs region, zones and types; the rest may be absent", () => {
    expect(parseCatalog(JSON.stringify(small), "c.json")).toEqual({
      ...small,
      offerings: {},
      spot: {},
      unavailable: [],
      reserved: [],
    });
  });

  it("may begin with a mark of the byte order", () => {
    expect(parseCatalog(`\uFEFF${JSON.stringify(small)}`, "c.json").region).toBe("us-east-1");
  });

  it.each([
    ["[]", "document: expected an object"],
    ["{", "not JSON"],
    [{ ...small, region: 1 }, "region: expected a region's name"],
    [{ ...small, zones: {} }, "zones: expected a list"],
    [{ ...small, zones: [{ name: "a" }] }, "zones[0].id: expected a text"],
    [{ ...small, instanceTypes: undefined }, "instanceTypes: expected a list of DescribeInstanceTypes objects"],
    [{ ...small, instanceTypes: [1] }, "instanceTypes[0].InstanceType: expected"],
    [
      { ...small, instanceTypes: [{ ...small.instanceTypes[0], MemoryInfo: { SizeInMiB: "8" } }] },
      "instanceTypes[0].MemoryInfo.SizeInMiB: expected",
    ],
    [{ ...small, onDemand: { "m5.large": "0.1" } }, 'onDemand["m5.large"]: expected a price in USD an hour'],
    [{ ...small, onDemand: { "m5.large": -1 } }, 'onDemand["m5.large"]: expected a price in USD an hour'],
    [{ ...small, spot: { "m5.large": 1 } }, 'spot["m5.large"]: expected a price by zone'],
    [{ ...small, offerings: { "m5.large": "a" } }, 'offerings["m5.large"]: expected zones'],
    [{ ...small, unavailable: [{}] }, "unavailable[0].instanceType: expected a text"],
    [
      { ...small, reserved: [{ id: "cr-1", instanceType: "m5.large", zone: "us-east-1a", count: "2" }] },
      "reserved[0].count: expected a count",
    ],
  ])("that is wrong is refused with the field's name: %#", (content, message) => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    expect(() => parseCatalog(text, "c.json")).toThrow(`c.json: ${message}`);
  });

  it("that is absent is refused with its path", () => {
    expect(() => readCatalogFile("/nowhere/catalog.json")).toThrow("/nowhere/catalog.json: cannot be read");
  });
});

describe("the default catalog", () => {
  const catalog = readDefaultCatalog();

  it("covers us-east-1 and is one object, so that what is derived from it can be kept", async () => {
    expect(await defaultCatalogSource.read("us-east-1")).toBe(catalog);
    expect(catalog.zones.map((zone) => zone.name).join()).toBe(
      "us-east-1a,us-east-1b,us-east-1c,us-east-1d,us-east-1e,us-east-1f",
    );
    expect(catalog.instanceTypes.length).toBe(1334);
    expect(catalog.onDemand["m5.large"]).toBe(0.096);
  });

  it("is a right catalog file itself", () => {
    expect(parseCatalog(JSON.stringify(catalog), "default")).toEqual(catalog);
  });

  it("says nothing about other regions", async () => {
    await expect(defaultCatalogSource.read("eu-west-1")).rejects.toMatchObject({ retry: "later", code: "not-found" });
  });

  it("has spot estimates by the documented rule, below on demand", () => {
    expect(estimateSpotUsd("m5.large", "us-east-1a", 0.096)).toBe(catalog.spot["m5.large"]!["us-east-1a"]);
    for (const [type, zones] of Object.entries(catalog.spot)) {
      for (const [zone, usd] of Object.entries(zones)) {
        const share = usd / catalog.onDemand[type]!;
        expect(share > 0.26 && share < 0.54, `${type} in ${zone} costs ${share} of on demand`).toBe(true);
      }
    }
  });
});
