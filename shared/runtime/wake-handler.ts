import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { parseWake, WakeError } from "../adapters/sqs/index.ts";
import type { Controller, CreateController, RunReport } from "../controllers/index.ts";
import type { Wake, WakeTarget } from "../ports/index.ts";
import { processRecords } from "./batch.ts";
import type { Composition } from "./composition.ts";
import { sqsEvent } from "./event-schemas.ts";
import { annotateClusters } from "./tracing.ts";
import { type LambdaHandler, wrap } from "./wrap.ts";

/**
 * A batch of wakes → runs of one controller, one for each cluster that is named: wakes carry no facts, so those of a
 * cluster are one. A run that fails gives back its cluster's messages and nobody else's.
 */
export function wakeHandler(target: WakeTarget, create: CreateController): LambdaHandler<SQSEvent, SQSBatchResponse> {
  const controllers = new WeakMap<Composition, Controller>();
  return wrap(sqsEvent, async (event: SQSEvent, context: Context, made) => {
    const controller = controllers.get(made) ?? create(made.ports, made.settings);
    controllers.set(made, controller);
    const wakes = new Map<string, Wake>();
    for (const { body } of event.Records) merge(wakes, body, target);
    await annotateClusters(made, [...wakes.keys()]);
    const runs = new Map<string, Promise<RunReport>>();
    const runOnce = (cluster: string) => {
      const run = runs.get(cluster) ?? reported(made, controller.run(wakes.get(cluster)!));
      runs.set(cluster, run);
      return run;
    };
    const work = async ({ body }: SQSRecord) => void (await runOnce(wakeFor(target, body).cluster));
    return await processRecords(event, context, made, target, work, ({ body }) => keysOf(target, body));
  });
}

/** A run that did something is told of; of one that found nothing to do only those who debug hear. */
async function reported({ logger }: Composition, run: Promise<RunReport>): Promise<RunReport> {
  const report = await run;
  const { controller, cluster, counts, failures, nextDueAtMs } = report;
  const isNews = Object.keys(counts).length > 0 || failures.length > 0;
  logger[isNews ? "info" : "debug"]("the run is done", { controller, cluster, counts, nextDueAtMs });
  return report;
}

function keysOf(target: WakeTarget, body: string): { readonly cluster?: string } {
  try {
    return { cluster: wakeFor(target, body).cluster };
  } catch (error) {
    if (error instanceof WakeError) return {};
    throw error;
  }
}

function wakeFor(target: WakeTarget, body: string): Wake {
  const wake = parseWake(body);
  if (wake.target !== target) throw new WakeError(`the wake is for ${wake.target} and came to ${target}'s queue`);
  return wake;
}

/** Keeps the wake that asks for the freshest state; what is no wake is left to its own record's failure. */
function merge(wakes: Map<string, Wake>, body: string, target: WakeTarget): void {
  let wake: Wake;
  try {
    wake = wakeFor(target, body);
  } catch (error) {
    if (error instanceof WakeError) return;
    throw error;
  }
  const there = wakes.get(wake.cluster);
  if (there === undefined || isFresher(wake.atLeast, there.atLeast)) wakes.set(wake.cluster, wake);
}

/** resourceVersions are whole numbers that may be compared (KEP-5504); the longer one is larger. */
function isFresher(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return b === undefined;
  return a.length === b.length ? a > b : a.length > b.length;
}
