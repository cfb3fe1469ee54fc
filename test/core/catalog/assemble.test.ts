import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assembleCatalog, shrinkage } from "../../../shared/core/catalog/index.ts";
import type { Catalog, MarketReading } from "../../../shared/core/model/index.ts";

const described = (InstanceType: string) => ({
  InstanceType,
  CurrentGeneration: true,
  ProcessorInfo: { SupportedArchitectures: ["x86_64"], SupportedFeatures: ["amd-sev-snp"] },
  VCpuInfo: { DefaultVCpus: 2, DefaultCores: 1 },
  MemoryInfo: { SizeInMiB: 8192 },
  EbsInfo: { EbsOptimizedSupport: "default", EbsOptimizedInfo: { BaselineIops: 3600, MaximumBandwidthInMbps: 4750 } },
  NetworkInfo: {
    Ipv4AddressesPerInterface: 10,
    MaximumNetworkInterfaces: 3,
    Ipv6Supported: true,
    NetworkCards: [{ NetworkCardIndex: 0, MaximumNetworkInterfaces: 3, PeakBandwidthInGbps: 10 }],
  },
});

const reading: MarketReading = {
  zones: [
    { name: "eu-west-1b", id: "euw1-az2" },
    { name: "eu-west-1a", id: "euw1-az1" },
  ],
  instanceTypes: [described("m5.large"), described("c5.large"), described("x1.old")],
  offerings: [
    { instanceType: "m5.large", zone: "eu-west-1b" },
    { instanceType: "m5.large", zone: "eu-west-1a" },
    { instanceType: "m5.large", zone: "eu-west-1z" },
    { instanceType: "c5.large", zone: "eu-west-1a" },
  ],
  spotPrices: [
    { instanceType: "m5.large", zone: "eu-west-1a", price: 0.05, atMs: 2 },
    { instanceType: "m5.large", zone: "eu-west-1a", price: 0.04, atMs: 1 },
    { instanceType: "c5.large", zone: "eu-west-1b", price: 0.03, atMs: 1 },
  ],
};
const prices = { listed: { "m5.large": 0.107, "c5.large": 0.096 }, known: {}, shipped: {} };

describe("a catalog from a reading of the market", () => {
  it("has what is sold in the zones, at the latest prices, sorted and trimmed", () => {
    const trimmed = (InstanceType: string) => ({
      InstanceType,
      ProcessorInfo: { SupportedArchitectures: ["x86_64"] },
      VCpuInfo: { DefaultVCpus: 2 },
      MemoryInfo: { SizeInMiB: 8192 },
      EbsInfo: { EbsOptimizedSupport: "default", EbsOptimizedInfo: { MaximumBandwidthInMbps: 4750 } },
      NetworkInfo: {
        Ipv4AddressesPerInterface: 10,
        MaximumNetworkInterfaces: 3,
        NetworkCards: [{ NetworkCardIndex: 0, MaximumNetworkInterfaces: 3 }],
      },
    });
    expect(assembleCatalog("eu-west-1", reading, prices)).toEqual({
      catalog: {
        region: "eu-west-1",
        zones: [
          { name: "eu-west-1a", id: "euw1-az1" },
          { name: "eu-west-1b", id: "euw1-az2" },
        ],
        instanceTypes: [trimmed("c5.large"), trimmed("m5.large")],
        offerings: { "c5.large": ["eu-west-1a"], "m5.large": ["eu-west-1a", "eu-west-1b"] },
        onDemand: { "c5.large": 0.096, "m5.large": 0.107 },
        spot: { "m5.large": { "eu-west-1a": 0.05 } },
        unavailable: [],
        reserved: [],
      },
      leftOut: [],
      pricesFrom: { listed: 2, known: 0, shipped: 0 },
    });
  });

  it("takes a price from the list, else the last known, else the shipped one, and leaves out what has none", () => {
    const many: MarketReading = {
      ...reading,
      instanceTypes: ["a.x", "b.x", "c.x", "d.x", "e.x"].map(described),
      offerings: ["a.x", "b.x", "c.x", "d.x", "e.x"].map((instanceType) => ({ instanceType, zone: "eu-west-1a" })),
      spotPrices: [{ instanceType: "e.x", zone: "eu-west-1a", price: 0.01, atMs: 1 }],
    };
    const sources = {
      listed: { "a.x": 1 },
      known: { "a.x": 2, "b.x": 2 },
      shipped: { "a.x": 3, "b.x": 3, "c.x": 3 },
    };
    const { catalog, leftOut, pricesFrom } = assembleCatalog("eu-west-1", many, sources);
    expect(catalog.onDemand).toEqual({ "a.x": 1, "b.x": 2, "c.x": 3 });
    expect(leftOut).toEqual(["d.x"]);
    expect(catalog.spot).toEqual({ "e.x": { "eu-west-1a": 0.01 } });
    expect(pricesFrom).toEqual({ listed: 1, known: 1, shipped: 1 });
    const withoutList = assembleCatalog("eu-west-1", many, { ...sources, listed: undefined });
    expect(withoutList.catalog.onDemand).toEqual({ "a.x": 2, "b.x": 2, "c.x": 3 });
  });

  it("leaves out a description without what a node's size needs", () => {
    const { MemoryInfo: _, ...bare } = described("m5.large");
    const { catalog, leftOut } = assembleCatalog("eu-west-1", { ...reading, instanceTypes: [bare] }, prices);
    expect(catalog.instanceTypes).toEqual([]);
    expect(leftOut).toEqual(["m5.large"]);
  });

  it("is the same text in whatever order EC2 answers", () => {
    const text = JSON.stringify(assembleCatalog("eu-west-1", reading, prices).catalog);
    const shuffled = fc.record({
      zones: fc.shuffledSubarray([...reading.zones], { minLength: reading.zones.length }),
      instanceTypes: fc.shuffledSubarray([...reading.instanceTypes], { minLength: reading.instanceTypes.length }),
      offerings: fc.shuffledSubarray([...reading.offerings], { minLength: reading.offerings.length }),
      spotPrices: fc.shuffledSubarray([...reading.spotPrices], { minLength: reading.spotPrices.length }),
    });
    fc.assert(
      fc.property(shuffled, (other) => {
        expect(JSON.stringify(assembleCatalog("eu-west-1", other, prices).catalog)).toBe(text);
      }),
      { numRuns: 50 },
    );
  });
});

describe("a smaller catalog", () => {
  const zones = ["a", "b"].map((letter) => ({ name: `eu-west-1${letter}`, id: `euw1-${letter}` }));
  function sized(types: number, offered = types, spot = types): Catalog {
    const names = Array.from({ length: types }, (_, at) => `t${at}.x`);
    return {
      region: "eu-west-1",
      zones,
      instanceTypes: names.map(described),
      offerings: Object.fromEntries(names.map((name, at) => [name, at < offered ? ["eu-west-1a"] : []])),
      onDemand: {},
      spot: Object.fromEntries(names.slice(0, spot).map((name) => [name, { "eu-west-1a": 0.1 }])),
      unavailable: [],
      reserved: [],
    };
  }

  it.each([
    [sized(100), undefined, undefined],
    [sized(100), sized(100), undefined],
    [sized(90), sized(100), undefined],
    [sized(89), sized(100), "89 instance types instead of 100"],
    [sized(100, 89), sized(100), "89 offerings instead of 100"],
    [sized(100, 100, 50), sized(100), undefined],
    [sized(100, 100, 49), sized(100), "49 spot prices instead of 100"],
    [{ ...sized(100), zones: zones.slice(0, 1) }, sized(100), "1 zones instead of 2"],
    [{ ...sized(100), zones: [] }, undefined, "no zone"],
    [sized(0), undefined, "no instance type that is sold at a price"],
  ])("is suspicious by its size: %#", (next, last, fault) => {
    expect(shrinkage(next, last)).toBe(fault);
  });
});
