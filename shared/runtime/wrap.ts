import { injectLambdaContext } from "@aws-lambda-powertools/logger/middleware";
import { parser } from "@aws-lambda-powertools/parser/middleware";
import middy, { type MiddlewareObj } from "@middy/core";
import type { Context } from "aws-lambda";
import { type Composition, composition } from "./composition.ts";
import type { EventSchema } from "./event-schemas.ts";
import { traced } from "./tracing.ts";

/** A Lambda's handler as it is exported: what Lambda, the local world and tests invoke. */
export type LambdaHandler<Event, Result> = (event: Event, context: Context) => Promise<Result>;

/**
 * The one middy stack. Outermost first: traces, log context, metrics that are written at the end whatever happens, then
 * the event's shape. What comes out is what is exported; there is no other way to a handler.
 */
export function wrap<Event, Result>(
  schema: EventSchema<Event>,
  handle: (event: Event, context: Context, made: Composition) => Promise<Result>,
): LambdaHandler<Event, Result> {
  const wrapped = middy<Event, Result>()
    .use(traced)
    .use(fromComposition(({ logger }) => injectLambdaContext(logger, { resetKeys: true })))
    .use(timeKnown)
    .use(metricsWritten)
    .use(failureLogged)
    .use(parser({ schema }) as MiddlewareObj)
    .handler((event, context) => handle(event, context, composition()));
  return wrapped as unknown as LambdaHandler<Event, Result>;
}

/** A middleware of what is composed at the first invocation, when the environment is known. */
function fromComposition(make: (made: Composition) => MiddlewareObj): MiddlewareObj {
  const kept = new WeakMap<Composition, MiddlewareObj>();
  const inner = () => {
    const made = composition();
    const middleware = kept.get(made) ?? make(made);
    kept.set(made, middleware);
    return middleware;
  };
  return {
    before: (request) => inner().before?.(request),
    after: (request) => inner().after?.(request),
    onError: (request) => inner().onError?.(request),
  };
}

/** Waits end before Lambda ends the invocation. */
const timeKnown = fromComposition(({ invocation }) => {
  const end = () => {
    invocation.remainingMs = () => Number.POSITIVE_INFINITY;
  };
  return {
    before: ({ context }) => {
      invocation.remainingMs = () => context.getRemainingTimeInMillis();
    },
    after: end,
    onError: end,
  };
});

const metricsWritten = fromComposition(({ telemetry }) => {
  const write = () => telemetry.flush();
  return { after: write, onError: write };
});

const failureLogged = fromComposition(({ logger }) => ({
  onError: ({ error }) => {
    logger.error("the invocation failed", error as Error);
  },
}));
