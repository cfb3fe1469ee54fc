import type { Catalog } from "../../core/model/index.ts";
import {
  type CatalogPointer,
  type CatalogShelf,
  type CatalogSource,
  type Clock,
  OperationError,
  type Telemetry,
} from "../../ports/index.ts";

const lookAgainAfterMs = 60_000;
/** Prices that are older than this are told of. They are used all the same: an old price still orders well. */
const staleAfterMs = 24 * 60 * 60_000;
const tellAgainAfterMs = 60 * 60_000;

export interface ShelfSourceOptions {
  readonly shelf: Pick<CatalogShelf, "find" | "load">;
  /** What is read where no catalog was ever made, or the one that was cannot be loaded. */
  readonly otherwise: CatalogSource;
  readonly clock: Pick<Clock, "now">;
  readonly telemetry: Telemetry;
}

interface Kept {
  /** Undefined: it stands in for one that could not be loaded. */
  readonly key: string | undefined;
  readonly catalog: Catalog;
}

/**
 * The catalogs that refresh-catalog made. Which one holds is looked up at most once a minute; a catalog is loaded when
 * the pointer has moved, and stays one object until then. A pointer or file that cannot be read now leaves the catalog
 * that is at hand in use. If none is at hand and the file is broken or gone, the other source stands in, if it has one.
 */
export function createShelfSource({ shelf, otherwise, clock, telemetry }: ShelfSourceOptions): CatalogSource {
  const kept = new Map<string, Kept>();
  const lookedAtMs = new Map<string, number>();
  const underWay = new Map<string, Promise<Catalog>>();
  const toldAtMs = new Map<string, number>();

  function tellAge(region: string, pointer: CatalogPointer): void {
    const nowMs = clock.now();
    const ageMs = Math.max(0, nowMs - pointer.atMs);
    telemetry.gauge("timmerman_catalog_age_seconds", ageMs / 1_000, { region });
    const told = toldAtMs.get(region);
    if (ageMs <= staleAfterMs || (told !== undefined && nowMs - told < tellAgainAfterMs)) return;
    toldAtMs.set(region, nowMs);
    const hours = Math.floor(ageMs / 3_600_000);
    const message = `the catalog of ${region} is ${hours} hours old: refresh-catalog has failed since then; prices may be wrong`;
    telemetry.log("warn", message, { region });
  }

  async function look(region: string): Promise<Catalog> {
    const atHand = kept.get(region);
    try {
      const pointer = await shelf.find(region);
      if (pointer === undefined) return atHand?.catalog ?? (await otherwise.read(region));
      tellAge(region, pointer);
      if (pointer.key !== atHand?.key) kept.set(region, await load(region, pointer.key, atHand));
      lookedAtMs.set(region, clock.now());
      return kept.get(region)!.catalog;
    } catch (cause) {
      if (atHand === undefined || !(cause instanceof OperationError)) throw cause;
      lookedAtMs.set(region, clock.now());
      telemetry.log("warn", `the catalog of ${region} at hand is used on: ${cause.message}`, { region });
      return atHand.catalog;
    }
  }

  async function load(region: string, key: string, atHand: Kept | undefined): Promise<Kept> {
    try {
      return { key, catalog: await shelf.load(key) };
    } catch (cause) {
      const isOurs = atHand !== undefined && atHand.key !== undefined;
      if (isOurs || !(cause instanceof OperationError) || !isLost(cause)) throw cause;
      // What is wrong is the file: that the other source has nothing for this region is how it was made.
      const catalog = await otherwise.read(region).catch((error: unknown) => {
        throw error instanceof OperationError ? cause : error;
      });
      const message = `the shipped catalog stands in for that of ${region}, with estimates for spot prices: ${cause.message}`;
      telemetry.log("warn", message, { region });
      telemetry.count("timmerman_catalog_fallbacks_total", 1, { region });
      return { key: undefined, catalog };
    }
  }

  return {
    async read(region) {
      const atHand = kept.get(region);
      const looked = lookedAtMs.get(region);
      if (atHand !== undefined && looked !== undefined && clock.now() - looked < lookAgainAfterMs)
        return atHand.catalog;
      const running = underWay.get(region) ?? look(region).finally(() => underWay.delete(region));
      underWay.set(region, running);
      return await running;
    },
  };
}

/** It is not there, or not what it should be. S3 says of a missing object that access is denied, where listing is not allowed. */
function isLost({ code }: OperationError): boolean {
  return code === "not-found" || code === "unauthorized";
}
