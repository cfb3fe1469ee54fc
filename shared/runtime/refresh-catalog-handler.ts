import type { RefreshCatalogController, RefreshCatalogPorts, RegionRefresh } from "../controllers/index.ts";
import { catalogPlaces, shippedPrices } from "./catalogs.ts";
import type { Composition } from "./composition.ts";
import { type ScheduledEvent, scheduledEvent } from "./event-schemas.ts";
import { type LambdaHandler, wrap } from "./wrap.ts";

/** The schedule's hour, or a deployment that has just ended → new catalogs. */
export function refreshCatalogHandler(
  create: (ports: RefreshCatalogPorts) => RefreshCatalogController,
): LambdaHandler<ScheduledEvent, { readonly regions: readonly RegionRefresh[] }> {
  const controllers = new WeakMap<Composition, RefreshCatalogController>();
  return wrap(scheduledEvent, async (_event, _context, made) => {
    const controller = controllers.get(made) ?? create(portsOf(made));
    controllers.set(made, controller);
    return await controller.run();
  });
}

function portsOf({ config, ports }: Composition): RefreshCatalogPorts {
  const { clusters, clock, telemetry } = ports;
  return { clusters, clock, telemetry, ...catalogPlaces(config, clock), shippedPrices };
}
