import type { CreateTickController, TickController } from "../controllers/index.ts";
import type { Composition } from "./composition.ts";
import { type ScheduledEvent, scheduledEvent } from "./event-schemas.ts";
import { type LambdaHandler, wrap } from "./wrap.ts";

/** The schedule's minute → wakes for what is due. A tick that fails is made up for by the next. */
export function tickHandler(
  create: CreateTickController,
): LambdaHandler<ScheduledEvent, { readonly wakesSent: number }> {
  const controllers = new WeakMap<Composition, TickController>();
  return wrap(scheduledEvent, async (_event, _context, made) => {
    const controller = controllers.get(made) ?? create(made.ports, made.settings);
    controllers.set(made, controller);
    return await controller.run();
  });
}
