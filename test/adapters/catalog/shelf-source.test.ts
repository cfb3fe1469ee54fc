import { beforeEach, describe, expect, it } from "vitest";
import { createShelfSource, defaultCatalogSource } from "../../../shared/adapters/catalog/index.ts";
import { createMemoryCatalogShelf, type MemoryCatalogShelf } from "../../../shared/adapters/memory/catalog-shelf.ts";
import { createMemoryTelemetry } from "../../../shared/adapters/memory/telemetry.ts";
import { OperationError } from "../../../shared/ports/index.ts";
import { catalogOf, t0 } from "../../contracts/catalog-shelf/suite.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe("catalogs from the shelf", () => {
  let shelf: MemoryCatalogShelf;
  let looks: number;
  let failure: OperationError | undefined;
  let nowMs: number;
  let telemetry: ReturnType<typeof createMemoryTelemetry>;

  beforeEach(() => {
    shelf = createMemoryCatalogShelf();
    looks = 0;
    failure = undefined;
    nowMs = t0;
    telemetry = createMemoryTelemetry();
  });

  function source() {
    const watched = {
      load: shelf.load,
      async find(region: string) {
        looks += 1;
        if (failure !== undefined) throw failure;
        return await shelf.find(region);
      },
    };
    return createShelfSource({
      shelf: watched,
      otherwise: defaultCatalogSource,
      clock: { now: () => nowMs },
      telemetry,
    });
  }

  it("stay one object and are looked for once a minute, until another holds", async () => {
    const catalogs = source();
    const pointer = await shelf.put(catalogOf("eu-west-1", 0.04), undefined, t0);
    const first = await catalogs.read("eu-west-1");
    nowMs += minuteMs - 1;
    expect(await catalogs.read("eu-west-1")).toBe(first);
    expect(looks).toBe(1);
    nowMs += 1;
    expect(await catalogs.read("eu-west-1")).toBe(first);
    expect(looks).toBe(2);
    await shelf.put(catalogOf("eu-west-1", 0.05), pointer, nowMs);
    nowMs += minuteMs;
    expect(await catalogs.read("eu-west-1")).toEqual(catalogOf("eu-west-1", 0.05));
  });

  it("are looked for once by all who ask at the same time, and by region", async () => {
    const catalogs = source();
    await shelf.put(catalogOf("eu-west-1", 0.04), undefined, t0);
    await shelf.put(catalogOf("us-east-1", 0.04), undefined, t0);
    const [a, b, other] = await Promise.all(["eu-west-1", "eu-west-1", "us-east-1"].map(catalogs.read));
    expect(a).toBe(b);
    expect(other!.region).toBe("us-east-1");
    expect(looks).toBe(2);
  });

  it("give way to the shipped one only where none was made, and for its own region only", async () => {
    const catalogs = source();
    expect(await catalogs.read("us-east-1")).toBe(await defaultCatalogSource.read("us-east-1"));
    await expect(catalogs.read("eu-west-1")).rejects.toMatchObject({
      message: "there is no catalog of eu-west-1 yet, and the shipped one covers us-east-1 only: run refresh-catalog",
      retry: "later",
    });
    await shelf.put(catalogOf("us-east-1", 0.04), undefined, t0);
    expect((await catalogs.read("us-east-1")).instanceTypes).toHaveLength(1);
  });

  it("that are lost give way to the shipped one, which is said and counted each minute, until there is one again", async () => {
    const catalogs = source();
    const pointer = await shelf.put(catalogOf("us-east-1", 0.04), undefined, t0);
    shelf.clear();
    const shipped = await defaultCatalogSource.read("us-east-1");
    const counted = () => telemetry.counted("timmerman_catalog_fallbacks_total", { region: "us-east-1" });
    expect(await catalogs.read("us-east-1")).toBe(shipped);
    nowMs += minuteMs - 1;
    expect(await catalogs.read("us-east-1")).toBe(shipped);
    expect([looks, counted()]).toEqual([1, 1]);
    nowMs += 1;
    expect(await catalogs.read("us-east-1")).toBe(shipped);
    expect([looks, counted()]).toEqual([2, 2]);
    expect(telemetry.lines[0]).toMatchObject({
      level: "warn",
      message:
        "the shipped catalog stands in for that of us-east-1, with estimates for spot prices: catalog/us-east-1/0: there is no such catalog",
    });
    await shelf.put(catalogOf("us-east-1", 0.05), pointer, nowMs);
    nowMs += minuteMs;
    expect(await catalogs.read("us-east-1")).toEqual(catalogOf("us-east-1", 0.05));
  });

  it("that are lost are told of where nothing is shipped for their region", async () => {
    const catalogs = source();
    await shelf.put(catalogOf("eu-west-1", 0.04), undefined, t0);
    shelf.clear();
    await expect(catalogs.read("eu-west-1")).rejects.toMatchObject({
      message: "catalog/eu-west-1/0: there is no such catalog",
      retry: "later",
    });
    expect(telemetry.counted("timmerman_catalog_fallbacks_total", { region: "eu-west-1" })).toBe(0);
  });

  it("are waited for while it is S3 that is away", async () => {
    const away = new OperationError("S3 is away", { retry: "later", code: "unavailable" });
    await shelf.put(catalogOf("us-east-1", 0.04), undefined, t0);
    shelf.load = async () => {
      throw away;
    };
    await expect(source().read("us-east-1")).rejects.toBe(away);
  });

  it("are used on while nothing newer can be read, and never replaced by estimates", async () => {
    const catalogs = source();
    failure = new OperationError("the table is away", { retry: "later", code: "unavailable" });
    await expect(catalogs.read("us-east-1")).rejects.toBe(failure);
    failure = undefined;
    const pointer = await shelf.put(catalogOf("us-east-1", 0.04), undefined, t0);
    const first = await catalogs.read("us-east-1");
    failure = new OperationError("the table is away", { retry: "later", code: "unavailable" });
    nowMs += minuteMs;
    expect(await catalogs.read("us-east-1")).toBe(first);
    failure = undefined;
    await shelf.put(catalogOf("us-east-1", 0.05), pointer, nowMs);
    shelf.clear();
    nowMs += minuteMs;
    expect(await catalogs.read("us-east-1")).toBe(first);
    expect(telemetry.lines.map((line) => line.message)).toEqual([
      "the catalog of us-east-1 at hand is used on: the table is away",
      "the catalog of us-east-1 at hand is used on: catalog/us-east-1/1: there is no such catalog",
    ]);
  });

  it("say how old they are, and aloud after a day, once an hour", async () => {
    const catalogs = source();
    await shelf.put(catalogOf("eu-west-1", 0.04), undefined, t0);
    nowMs = t0 + 24 * hourMs;
    await catalogs.read("eu-west-1");
    expect(telemetry.gauged("timmerman_catalog_age_seconds", { region: "eu-west-1" })).toBe(86_400);
    expect(telemetry.lines).toEqual([]);
    for (let minute = 1; minute <= 61; minute += 1) {
      nowMs += minuteMs;
      await catalogs.read("eu-west-1");
    }
    expect(telemetry.lines.map((line) => line.message)).toEqual([
      "the catalog of eu-west-1 is 24 hours old: refresh-catalog has failed since then; prices may be wrong",
      "the catalog of eu-west-1 is 25 hours old: refresh-catalog has failed since then; prices may be wrong",
    ]);
  });
});
