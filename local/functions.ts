// What a deployment wires around the functions: queues and events to the exported handlers, as event source mappings, rules
// and schedules would bring them.
import { handler as collectGarbage } from "../functions/collect-garbage/handler.ts";
import { handler as disrupt } from "../functions/disrupt/handler.ts";
import { handler as interrupt } from "../functions/interrupt/handler.ts";
import { handler as lifecycle } from "../functions/lifecycle/handler.ts";
import { handler as provision } from "../functions/provision/handler.ts";
import { handler as resolveNodeClasses } from "../functions/resolve-node-classes/handler.ts";
import { handler as tick } from "../functions/tick/handler.ts";
import { type Bus, queueRule, startBus } from "./aws/bus.ts";
import { type EventSourceOptions, startEventSource } from "./aws/event-source.ts";
import { type QueueName, type Queues, queueRetries } from "./aws/queues.ts";
import type { WorldClock } from "./clock.ts";
import type { Ec2 } from "./ec2/ec2.ts";
import { toEventBridge } from "./ec2/events.ts";

type QueueHandler = EventSourceOptions["to"]["handler"];

export interface FunctionsInput {
  readonly clock: WorldClock;
  readonly queues: Pick<Queues, "url" | "urlOf" | "onSent">;
  readonly region: string;
  readonly ec2: Ec2;
  /** How often the tick runs, in the clock's time; a deployment's every minute. */
  readonly tickEveryMs: number;
  onError(component: string, key: string, error: unknown): void;
}

/** Starts it; returns what stops it, which resolves when the running invocations are done. */
export function startFunctions({
  clock,
  queues,
  region,
  ec2,
  tickEveryMs,
  onError,
}: FunctionsInput): () => Promise<void> {
  const stops: (() => unknown)[] = [];
  const failed = (name: string, error: unknown) => onError("function", name, error);
  const sources: readonly (readonly [QueueName, QueueHandler, number])[] = [
    ["provision", provision, 1],
    ["lifecycle", lifecycle, 2],
    ["disrupt", disrupt, 1],
    ["resolve-node-classes", resolveNodeClasses, 1],
    ["collect-garbage", collectGarbage, 1],
    ["interruption", interrupt, 2],
  ];
  for (const [name, handler, maxConcurrency] of sources) {
    const to = { name, handler };
    const source = startEventSource({
      endpoint: queues.url,
      queueUrl: queues.urlOf(name),
      region,
      to,
      maxConcurrency,
      retryMs: queueRetries[name].visibilityMs / clock.speed,
      onSent: (callback) => queues.onSent(name, callback),
      onError: failed,
    });
    stops.push(() => source.stop());
  }
  const rule = queueRule({ endpoint: queues.url, queueUrl: queues.urlOf("interruption"), region });
  const bus = startBus({
    clock,
    region,
    rules: [rule],
    schedules: [{ everyMs: tickEveryMs, to: { name: "tick", handler: tick } }],
    onError: failed,
  });
  stops.push(() => rule.close());
  stops.push(() => bus.stop());
  stops.push(publishEc2Events(ec2, bus, region, failed));
  return async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
}

function publishEc2Events(
  ec2: Ec2,
  bus: Bus,
  region: string,
  failed: (name: string, error: unknown) => void,
): () => void {
  let count = 0;
  return ec2.onEvent((event) => {
    const id = `00000000-0000-4000-8000-${(++count).toString(16).padStart(12, "0")}`;
    bus
      .put({ ...toEventBridge(event, { region, accountId: "123456789012", id }) })
      .catch((error: unknown) => failed("bus", error));
  });
}
