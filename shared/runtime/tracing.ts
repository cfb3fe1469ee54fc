import type { Tracer } from "@aws-lambda-powertools/tracer";
import type { MiddlewareObj } from "@middy/core";
import { type Composition, composition } from "./composition.ts";

interface Tracing {
  readonly tracer: Tracer;
  readonly middleware: MiddlewareObj;
}

/** X-Ray's SDK takes longer to load than everything else here: it is loaded where tracing is on. */
export const traced: MiddlewareObj = {
  before: async (request) => (await tracing(composition()))?.middleware.before?.(request),
  after: async (request) => (await tracing(composition()))?.middleware.after?.(request),
  onError: async (request) => (await tracing(composition()))?.middleware.onError?.(request),
};

let loaded: Promise<Tracing> | undefined;

async function tracing({ config }: Composition): Promise<Tracing | undefined> {
  const { tracing: isOn, serviceName } = config;
  if (!isOn) return undefined;
  loaded ??= Promise.all([
    import("@aws-lambda-powertools/tracer"),
    import("@aws-lambda-powertools/tracer/middleware"),
  ]).then(([{ Tracer }, { captureLambdaHandler }]) => {
    const tracer = new Tracer({ serviceName });
    return { tracer, middleware: captureLambdaHandler(tracer) as MiddlewareObj };
  });
  return await loaded;
}

/** An annotation holds one value, of at most this many characters (X-Ray's figure). */
const maxAnnotationLength = 1_000;

/** Which clusters an invocation is about, so that traces can be searched: `annotation.cluster CONTAINS "production"`. */
export async function annotateClusters(made: Composition, clusters: readonly string[]): Promise<void> {
  const on = await tracing(made);
  on?.tracer.putAnnotation("cluster", clusters.join(" ").slice(0, maxAnnotationLength));
}
