import { assembleCatalog, countOfferings, shrinkage } from "../core/catalog/index.ts";
import type { Catalog, PriceList } from "../core/model/index.ts";
import { type CatalogPointer, type CatalogShelf, type Market, OperationError } from "../ports/index.ts";
import type { ControllerPorts } from "./context.ts";
import type { RefreshCatalogController, RegionRefresh } from "./index.ts";

export interface RefreshCatalogPorts extends Pick<ControllerPorts, "clusters" | "clock" | "telemetry"> {
  readonly market: Market;
  readonly shelf: CatalogShelf;
  /** On-demand prices that the product ships, as estimates for what has no price otherwise. */
  shippedPrices(): Promise<PriceList>;
}

/**
 * Every hour, each region of the served clusters once: what EC2 and the price list say becomes the catalog that holds.
 * Regions fail alone, and the last catalog stays where the new one cannot be had or cannot be true; `run` rejects in
 * the end if any failed, so that the invocation counts as failed. The next hour tries again.
 */
export function createRefreshCatalog(ports: RefreshCatalogPorts): RefreshCatalogController {
  return {
    async run() {
      const regions = [...new Set((await ports.clusters.list()).map((cluster) => cluster.region))].sort();
      const refreshed: RegionRefresh[] = [];
      const failures: { readonly region: string; readonly cause: OperationError }[] = [];
      for (const region of regions) {
        try {
          refreshed.push(await refresh(ports, region));
        } catch (cause) {
          if (!(cause instanceof OperationError)) throw cause;
          ports.telemetry.count("timmerman_catalog_refresh_failures_total", 1, { region });
          ports.telemetry.log("error", `the catalog of ${region} was not refreshed: ${cause.message}`, { region });
          failures.push({ region, cause });
        }
      }
      if (failures.length > 0) throw failureOf(failures, regions.length);
      return { regions: refreshed };
    },
  };
}

async function refresh(ports: RefreshCatalogPorts, region: string): Promise<RegionRefresh> {
  const { market, shelf, clock, telemetry } = ports;
  const last = await shelf.find(region);
  const lastCatalog = last === undefined ? undefined : await loadIfThere(ports, region, last);
  if (last !== undefined) tellAge(ports, region, clock.now() - last.atMs);
  const reading = await market.describe(region);
  const sources = {
    listed: await listPrices(ports, region),
    known: lastCatalog?.onDemand ?? {},
    shipped: await ports.shippedPrices(),
  };
  const { catalog, leftOut, pricesFrom } = assembleCatalog(region, reading, sources);
  const fault = shrinkage(catalog, lastCatalog);
  if (fault !== undefined) return refuse(ports, region, fault);
  // Of a file that is gone nothing is known: it is written again, be it the same.
  const pointer = await shelf.put(catalog, lastCatalog === undefined ? undefined : last, clock.now());
  const offerings = countOfferings(catalog);
  telemetry.count("timmerman_catalog_refreshes_total", 1, { region });
  telemetry.gauge("timmerman_catalog_instance_types", catalog.instanceTypes.length, { region });
  telemetry.gauge("timmerman_catalog_offerings", offerings, { region });
  telemetry.gauge("timmerman_catalog_types_left_out", leftOut.length, { region });
  telemetry.gauge("timmerman_catalog_estimated_prices", pricesFrom.shipped, { region });
  tellAge(ports, region, 0);
  if (leftOut.length > 0) {
    const message = `${leftOut.length} instance types of ${region} have no price or no usable description and are left out`;
    telemetry.log("warn", message, { region, instanceTypes: leftOut.slice(0, 20) });
  }
  const outcome = pointer.key === last?.key ? "unchanged" : "changed";
  return { region, outcome, instanceTypes: catalog.instanceTypes.length, offerings, leftOut: leftOut.length };
}

/** The price list is the one thing that can be done without: the last prices are as good for a while. */
async function listPrices({ market, telemetry }: RefreshCatalogPorts, region: string): Promise<PriceList | undefined> {
  try {
    return await market.listPrices(region);
  } catch (cause) {
    if (!(cause instanceof OperationError)) throw cause;
    telemetry.count("timmerman_catalog_price_list_failures_total", 1, { region });
    telemetry.log("warn", `${cause.message}; the last known on-demand prices are kept`, { region });
    return undefined;
  }
}

/** S3 says either of a file that is gone. If access is really denied, the new one cannot be written, which fails aloud. */
const meansGone = ["not-found", "unauthorized"];

/** A catalog that holds but is gone is made anew, without what it could have been compared with. */
async function loadIfThere(
  { shelf, telemetry }: RefreshCatalogPorts,
  region: string,
  pointer: CatalogPointer,
): Promise<Catalog | undefined> {
  try {
    return await shelf.load(pointer.key);
  } catch (cause) {
    if (!(cause instanceof OperationError) || !meansGone.includes(cause.code)) throw cause;
    telemetry.log("warn", `the last catalog of ${region} is gone: ${cause.message}`, { region });
    return undefined;
  }
}

function refuse({ telemetry }: RefreshCatalogPorts, region: string, fault: string): RegionRefresh {
  telemetry.count("timmerman_catalog_refusals_total", 1, { region });
  const message = `the new catalog of ${region} is refused and the last one kept: it has ${fault}. If that is true, delete the region's pointer (docs/catalog.md)`;
  telemetry.log("error", message, { region });
  return { region, outcome: "refused", fault };
}

function tellAge({ telemetry }: RefreshCatalogPorts, region: string, ageMs: number): void {
  telemetry.gauge("timmerman_catalog_age_seconds", Math.max(0, ageMs) / 1_000, { region });
}

function failureOf(
  failures: readonly { readonly region: string; readonly cause: OperationError }[],
  regions: number,
): OperationError {
  const said = failures.map(({ region, cause }) => `${region}: ${cause.message}`).join("; ");
  const { cause } = failures[0]!;
  return new OperationError(`${failures.length} of ${regions} catalogs were not refreshed: ${said}`, {
    retry: "later",
    code: cause.code,
    cause,
  });
}
