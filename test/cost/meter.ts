// Counts what AWS would bill, on the wire and by function: every HTTP request of this process is seen below all clients.
import { AsyncLocalStorage } from "node:async_hooks";
import { type Channel, channel } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";

/** Who is billed: a function by its folder, or the relay. */
export type Spender = string;

export interface Counts {
  invocations: number;
  /** DynamoDB's units as it reports them, eventually consistent reads at a half. */
  readUnits: number;
  writeUnits: number;
  dynamodb: number;
  /** Requests that senders make; those of the event source are not among them. */
  sqs: number;
  ec2: number;
  kube: number;
  s3Get: number;
  s3Put: number;
  pricing: number;
  /** Requests to EventBridge. */
  bus: number;
  logBytes: number;
  /** Real milliseconds of all invocations: with everything on loopback, so mostly computing. */
  wallMs: number;
}

export type Service = "dynamodb" | "sqs" | "ec2" | "kube" | "s3" | "bus" | "pricing";

export function noCounts(): Counts {
  return {
    invocations: 0,
    readUnits: 0,
    writeUnits: 0,
    dynamodb: 0,
    sqs: 0,
    ec2: 0,
    kube: 0,
    s3Get: 0,
    s3Put: 0,
    pricing: 0,
    bus: 0,
    logBytes: 0,
    wallMs: 0,
  };
}

/** A request's header that says whose it is, for endpoints that count themselves. */
export const spenderHeader = "x-spender";
export const relaySpender: Spender = "relay";

/** CloudWatch's own metrics that lines told of, each once: those of a cluster, and the others. */
export interface CustomMetrics {
  readonly cluster: number;
  readonly deployment: number;
}

export interface Meter {
  /** What was counted since the last call, by spender. */
  take(): ReadonlyMap<Spender, Counts>;
  of(spender: Spender): Counts;
  takeMetrics(): CustomMetrics;
  /** Which service listens on that port. */
  watch(url: string, service: Service): void;
  /** Requests that have no answer yet, without watches. */
  inFlight(): number;
  /** Within an invocation of a function. */
  isInvoked(): boolean;
  stop(): void;
}

export function startMeter(): Meter {
  let counts = new Map<Spender, Counts>();
  const services = new Map<string, Service>();
  const storage = new AsyncLocalStorage<string>();
  const invocations = channel("timmerman:invocation") as Channel<string, { name: string }>;
  invocations.bindStore(storage, ({ name }) => name);
  let inFlight = 0;

  const of = (spender: Spender): Counts => {
    const there = counts.get(spender) ?? noCounts();
    counts.set(spender, there);
    return there;
  };

  let metrics = new Set<string>();

  const onRequest = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    if (!request.path.includes("watch=")) {
      inFlight += 1;
      request.once("close", () => {
        inFlight -= 1;
      });
    }
    const invoked = storage.getStore();
    const service = services.get(portOf(request));
    if (service === undefined) return;
    const target = String(request.getHeader("x-amz-target") ?? "");
    // Hosts and nodes of the world talk to Kubernetes too: nobody bills them.
    if (invoked === undefined && service !== "dynamodb" && service !== "sqs") return;
    const spender = invoked ?? relaySpender;
    request.setHeader(spenderHeader, spender);
    note(of(spender), service, request.method, target);
  };
  const created = channel("http.client.request.created");
  created.subscribe(onRequest);

  const write = process.stdout.write;
  process.stdout.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    const invoked = storage.getStore();
    if (invoked === undefined) return (write as (...args: unknown[]) => boolean).call(process.stdout, chunk, ...rest);
    of(invoked).logBytes += Buffer.byteLength(chunk) + logEventBytes;
    for (const metric of metricsIn(String(chunk))) metrics.add(metric);
    return true;
  }) as typeof write;

  return {
    take() {
      const taken = counts;
      counts = new Map();
      return taken;
    },
    of,
    takeMetrics() {
      const ofClusters = [...metrics].filter((metric) => metric.includes('"cluster"')).length;
      const taken = { cluster: ofClusters, deployment: metrics.size - ofClusters };
      metrics = new Set();
      return taken;
    },
    watch: (url, service) => void services.set(new URL(url).port, service),
    inFlight: () => inFlight,
    isInvoked: () => storage.getStore() !== undefined,
    stop() {
      created.unsubscribe(onRequest);
      invocations.unbindStore(storage);
      process.stdout.write = write;
    },
  };
}

/** CloudWatch adds this to each event's size (its documented quota for batches of events, taken for what it ingests). */
const logEventBytes = 26;

interface EmfLine extends Readonly<Record<string, unknown>> {
  readonly _aws?: {
    readonly CloudWatchMetrics: readonly {
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string }[];
    }[];
  };
}

/** What CloudWatch makes of a line in EMF: each name with each of its dimension sets' values is a metric that is billed. */
function metricsIn(text: string): readonly string[] {
  const line = JSON.parse(text) as EmfLine;
  return (line._aws?.CloudWatchMetrics ?? []).flatMap(({ Dimensions, Metrics }) =>
    Dimensions.flatMap((set) =>
      Metrics.map(({ Name }) => JSON.stringify([Name, ...set.map((name) => [name, line[name]])])),
    ),
  );
}

function portOf(request: ClientRequest): string {
  return /:(\d+)$/.exec(String(request.getHeader("host") ?? ""))?.[1] ?? "";
}

function note(counts: Counts, service: Service, method: string, target: string): void {
  if (service === "s3") counts[method === "PUT" ? "s3Put" : "s3Get"] += 1;
  else if (service === "sqs")
    counts.sqs += target.endsWith("SendMessage") || target.endsWith("SendMessageBatch") ? 1 : 0;
  else counts[service] += 1;
}
