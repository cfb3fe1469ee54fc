import { beforeEach, describe, expect, it } from "vitest";
import { createMemoryCatalogShelf, type MemoryCatalogShelf } from "../../shared/adapters/memory/catalog-shelf.ts";
import { createMemoryTelemetry } from "../../shared/adapters/memory/telemetry.ts";
import { createRefreshCatalog } from "../../shared/controllers/refresh-catalog.ts";
import type { MarketReading, PriceList } from "../../shared/core/model/index.ts";
import { OperationError } from "../../shared/ports/index.ts";

const t0 = 1_760_000_000_000;
const hourMs = 3_600_000;

const described = (InstanceType: string) => ({
  InstanceType,
  ProcessorInfo: { SupportedArchitectures: ["x86_64"] },
  VCpuInfo: { DefaultVCpus: 2 },
  MemoryInfo: { SizeInMiB: 8192 },
  NetworkInfo: { Ipv4AddressesPerInterface: 10, MaximumNetworkInterfaces: 3 },
});

/** A region with one zone and so many types, `t0.large` and on, with spot prices. */
function market(region: string, types: number, spotUsd = 0.04): MarketReading {
  const names = Array.from({ length: types }, (_, at) => `t${at}.large`);
  const zone = `${region}a`;
  return {
    zones: [{ name: zone, id: `${region}-az1` }],
    instanceTypes: names.map(described),
    offerings: names.map((instanceType) => ({ instanceType, zone })),
    spotPrices: names.map((instanceType) => ({ instanceType, zone, price: spotUsd, atMs: 1 })),
  };
}

describe("refreshing catalogs", () => {
  let shelf: MemoryCatalogShelf;
  let telemetry: ReturnType<typeof createMemoryTelemetry>;
  let nowMs: number;
  let asked: string[];
  let readings: Record<string, MarketReading | OperationError | TypeError>;
  let lists: Record<string, PriceList | OperationError>;

  beforeEach(() => {
    shelf = createMemoryCatalogShelf();
    telemetry = createMemoryTelemetry();
    nowMs = t0;
    asked = [];
    readings = { "eu-west-1": market("eu-west-1", 20), "us-gov-west-1": market("us-gov-west-1", 10) };
    lists = { "eu-west-1": Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`t${at}.large`, 0.1])) };
  });

  const given = async <T>(value: T): Promise<Exclude<T, Error>> => {
    if (value instanceof Error) throw value;
    return value as Exclude<T, Error>;
  };
  const run = (...regions: string[]) =>
    createRefreshCatalog({
      clusters: {
        open: () => Promise.reject(new Error("no cluster is needed")),
        list: async () => regions.map((region, at) => ({ name: `c${at}`, region })),
      },
      clock: { now: () => nowMs, sleep: async () => {} },
      telemetry,
      shelf,
      market: {
        async describe(region) {
          asked.push(region);
          return await given(readings[region]!);
        },
        listPrices: (region) => given(lists[region]!),
      },
      shippedPrices: async () => ({ "t0.large": 0.2, "t1.large": 0.2 }),
    }).run();
  const held = async (region: string) => await shelf.load((await shelf.find(region))!.key);
  const failed = (message: string) => new OperationError(message, { retry: "later", code: "throttled" });

  it("reads each region once, however many clusters there are in it, and says what it holds", async () => {
    expect(await run("eu-west-1", "us-gov-west-1", "eu-west-1")).toEqual({
      regions: [
        { region: "eu-west-1", outcome: "changed", instanceTypes: 20, offerings: 20, leftOut: 0 },
        { region: "us-gov-west-1", outcome: "changed", instanceTypes: 10, offerings: 10, leftOut: 0 },
      ],
    });
    expect(asked).toEqual(["eu-west-1", "us-gov-west-1"]);
    const gauge = (name: string) => telemetry.gauged(name, { region: "eu-west-1" });
    expect(gauge("timmerman_catalog_instance_types")).toBe(20);
    expect(gauge("timmerman_catalog_offerings")).toBe(20);
    expect(gauge("timmerman_catalog_types_left_out")).toBe(0);
    expect(gauge("timmerman_catalog_age_seconds")).toBe(0);
    expect(telemetry.counted("timmerman_catalog_refreshes_total")).toBe(2);
  });

  it("estimates by shipped prices where a partition has no list, and says how many", async () => {
    await run("us-gov-west-1");
    expect((await held("us-gov-west-1")).onDemand).toEqual({ "t0.large": 0.2, "t1.large": 0.2 });
    expect(telemetry.gauged("timmerman_catalog_estimated_prices", { region: "us-gov-west-1" })).toBe(2);
  });

  it("keeps the last prices while the list cannot be had", async () => {
    await run("eu-west-1");
    lists["eu-west-1"] = failed("reading the on-demand prices of eu-west-1: Throttling: slow down");
    expect((await run("eu-west-1")).regions).toMatchObject([{ outcome: "unchanged" }]);
    expect((await held("eu-west-1")).onDemand["t5.large"]).toBe(0.1);
    expect(telemetry.counted("timmerman_catalog_price_list_failures_total")).toBe(1);
  });

  it("says when the market was last found as it is, though nothing changed", async () => {
    await run("eu-west-1");
    nowMs += hourMs;
    expect((await run("eu-west-1")).regions).toMatchObject([{ outcome: "unchanged" }]);
    expect(await shelf.find("eu-west-1")).toMatchObject({ atMs: t0 + hourMs, writtenAtMs: t0 });
    readings["eu-west-1"] = market("eu-west-1", 20, 0.05);
    expect((await run("eu-west-1")).regions).toMatchObject([{ outcome: "changed" }]);
    expect((await held("eu-west-1")).spot["t0.large"]).toEqual({ "eu-west-1a": 0.05 });
  });

  it("lets regions fail alone, rejects in the end, and keeps the last catalog meanwhile", async () => {
    await run("eu-west-1");
    nowMs += 2 * hourMs;
    readings["eu-west-1"] = failed("reading what the region sells: RequestLimitExceeded: slow down");
    await expect(run("eu-west-1", "us-gov-west-1")).rejects.toMatchObject({
      message:
        "1 of 2 catalogs were not refreshed: eu-west-1: reading what the region sells: RequestLimitExceeded: slow down",
      retry: "later",
      code: "throttled",
    });
    expect((await held("eu-west-1")).instanceTypes).toHaveLength(20);
    expect((await held("us-gov-west-1")).instanceTypes).toHaveLength(10);
    expect(telemetry.counted("timmerman_catalog_refresh_failures_total", { region: "eu-west-1" })).toBe(1);
    expect(telemetry.gauged("timmerman_catalog_age_seconds", { region: "eu-west-1" })).toBe(7_200);
  });

  it("refuses a catalog that lost too much, with an alarm and the way out", async () => {
    await run("eu-west-1");
    readings["eu-west-1"] = market("eu-west-1", 17);
    nowMs += hourMs;
    expect(await run("eu-west-1")).toEqual({
      regions: [{ region: "eu-west-1", outcome: "refused", fault: "17 instance types instead of 20" }],
    });
    expect(telemetry.counted("timmerman_catalog_refusals_total", { region: "eu-west-1" })).toBe(1);
    expect(telemetry.lines.at(-1)!.message).toBe(
      "the new catalog of eu-west-1 is refused and the last one kept: it has 17 instance types instead of 20. If that is true, delete the region's pointer (docs/catalog.md)",
    );
    expect(await shelf.find("eu-west-1")).toMatchObject({ atMs: t0 });
    expect((await held("eu-west-1")).instanceTypes).toHaveLength(20);
  });

  it("makes a catalog that was lost anew", async () => {
    await run("eu-west-1");
    shelf.clear();
    readings["eu-west-1"] = market("eu-west-1", 5);
    expect((await run("eu-west-1")).regions).toMatchObject([{ outcome: "changed", instanceTypes: 5 }]);
  });

  it("crashes on a mistake of its own", async () => {
    readings["eu-west-1"] = new TypeError("undefined is not a function");
    await expect(run("eu-west-1")).rejects.toThrow(TypeError);
  });

  it("has nothing to do where no cluster is served", async () => {
    expect(await run()).toEqual({ regions: [] });
  });
});
