// One deployment with one cluster, whole: the exported handlers and the relay with their real adapters, on loopback and in
// virtual time, everything that AWS bills counted.
import { createHash } from "node:crypto";
import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { handler as collectGarbage } from "../../functions/collect-garbage/handler.ts";
import { handler as disrupt } from "../../functions/disrupt/handler.ts";
import { handler as interrupt } from "../../functions/interrupt/handler.ts";
import { handler as lifecycle } from "../../functions/lifecycle/handler.ts";
import { handler as provision } from "../../functions/provision/handler.ts";
import { handler as refreshCatalog } from "../../functions/refresh-catalog/handler.ts";
import { handler as resolveNodeClasses } from "../../functions/resolve-node-classes/handler.ts";
import { handler as tick } from "../../functions/tick/handler.ts";
import { createTable, startDynoxide } from "../../local/aws/dynamodb.ts";
import { invoke, type LocalFunction } from "../../local/aws/event-source.ts";
import { clusterName, createCloud } from "../../local/cloud.ts";
import { startCloudHost } from "../../local/cloud-host.ts";
import { startControlPlane } from "../../local/cluster/control-plane.ts";
import type { Ec2 } from "../../local/ec2/ec2.ts";
import { toEventBridge } from "../../local/ec2/events.ts";
import { createSeededIds } from "../../local/kube/ids.ts";
import { createApiServer } from "../../local/kube/server.ts";
import type { ApiServer } from "../../local/kube/types.ts";
import { connectKubelets } from "../../local/kubelet/api-client.ts";
import { defaultTiming, startKubelets } from "../../local/kubelet/kubelets.ts";
import { applyManifest, readManifests } from "../../local/manifests.ts";
import { heartbeatInTable, startWorldRelay } from "../../local/relay.ts";
import { readDefaultCatalog } from "../../shared/adapters/catalog/index.ts";
import { createDynamoClient } from "../../shared/adapters/dynamodb/index.ts";
import { createSqsClient, createSqsWakes } from "../../shared/adapters/sqs/index.ts";
import { composeFrom, composition } from "../../shared/runtime/index.ts";
import { type FunctionName, functionNames, type QueueName, queueNames, queueVariable } from "../../stacks/names.ts";
import { startHttpDouble } from "../adapters/http-double.ts";
import { startS3Double } from "../adapters/s3/s3-double.ts";
import { type Counts, type CustomMetrics, type Meter, noCounts, relaySpender, startMeter } from "./meter.ts";
import { startCountedQueues } from "./queues.ts";
import { startTableMeter } from "./table-meter.ts";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";

const region = "us-east-1";
const credentials = { accessKeyId: "local", secretAccessKey: "local" };
const tableName = "timmerman";
const startMs = Date.UTC(2026, 0, 15, 12);
const minuteMs = 60_000;
const microUsd = 1_000_000;
const hourMs = 60 * minuteMs;
/** EC2 and its nodes are looked at this often. */
const hostLookMs = 2_000;

/** What was billed in a while. */
export interface Bill {
  readonly functions: Readonly<Record<FunctionName, Counts>>;
  readonly relay: Counts;
  /** Decisions that were published. */
  readonly busEvents: number;
  /** Messages that EventBridge delivered to the queue of interruptions. */
  readonly deliveries: number;
  readonly metrics: CustomMetrics;
  /** What the nodes that were there would have cost on demand, in micro-USD. */
  readonly nodesMicroUsd: number;
  /** Batches that event sources took: two requests each. */
  readonly batches: number;
}

export interface CostWorld {
  readonly clock: VirtualClock;
  readonly kube: ApiServer;
  readonly ec2: Ec2;
  /** Everything that a deployment's people or its cluster did not expect. */
  readonly problems: readonly string[];
  /** Every invocation but the tick's finds a new process, as after a long pause. */
  startCold(cold: boolean): void;
  pass(ms: number): Promise<void>;
  /** What that time costs. */
  measure(ms: number): Promise<Bill>;
  stop(): Promise<void>;
}

/** Numbers that look like chance and are the same each time. */
function seeded(): (bound: number) => number {
  let count = 0;
  return (bound) => createHash("sha256").update(String(count++)).digest().readUInt32BE(0) % bound;
}

export async function startCostWorld(): Promise<CostWorld> {
  const stops: (() => unknown)[] = [];
  const problems: string[] = [];
  const complain = (...what: unknown[]) =>
    problems.push(what.map((part) => (part instanceof Error ? (part.stack ?? part.message) : String(part))).join(" "));
  const meter = startMeter();
  stops.push(() => meter.stop());
  let running = 0;
  const clock: VirtualClock = createVirtualClock({
    startMs,
    isCounted: () => meter.isInvoked(),
    rest: () => rest(meter, () => running > clock.sleeping()),
  });
  const chance = seeded();

  const catalog = readDefaultCatalog();
  const kube = createApiServer({ clock, ids: createSeededIds(1) });
  await kube.listen(0);
  stops.push(() => kube.close());
  const { server, token, ca } = kube.kubeconfig();
  meter.watch(server, "kube");
  for (const manifest of readManifests([new URL("../../charts/timmerman/files/crds", import.meta.url).pathname]))
    applyManifest(kube.store, manifest);

  const ec2 = createCloud(clock, catalog, 1);
  const ec2Url = await ec2.listen();
  stops.push(() => ec2.close());
  meter.watch(ec2Url, "ec2");
  const table = await startTable(meter, stops);
  const s3 = await startS3Double();
  stops.push(() => s3.stop());
  meter.watch(s3.url, "s3");
  const bus = await startHttpDouble((_target, body) => {
    const entries = body.Entries as readonly { readonly Detail: string }[];
    for (const { Detail } of entries) {
      const { cluster } = JSON.parse(Detail) as { readonly cluster?: string };
      if (cluster !== clusterName) complain("an event of another cluster", Detail);
    }
    published += entries.length;
    return { FailedEntryCount: 0, Entries: entries.map((_, at) => ({ EventId: String(at) })) };
  });
  let published = 0;
  stops.push(() => bus.stop());
  meter.watch(bus.url, "bus");
  const pricing = await startHttpDouble(() => ({
    PriceList: Object.entries(catalog.onDemand).map(([instanceType, usd]) => priced(instanceType, usd)),
  }));
  stops.push(() => pricing.stop());
  meter.watch(pricing.url, "pricing");

  const handlers: Readonly<Record<QueueName, (event: SQSEvent, context: never) => Promise<SQSBatchResponse>>> = {
    provision,
    disrupt,
    lifecycle,
    "resolve-node-classes": resolveNodeClasses,
    "collect-garbage": collectGarbage,
    interrupt,
  };
  let cold = false;
  const counted = <Event, Result>(name: FunctionName, handler: LocalFunction<Event, Result>["handler"]) => ({
    name,
    handler: async (event: Event, context: Parameters<typeof handler>[1]) => {
      if (cold && name !== "tick") compose();
      const counts = meter.of(name);
      counts.invocations += 1;
      running += 1;
      const before = performance.now();
      try {
        return await handler(event, context);
      } finally {
        counts.wallMs += performance.now() - before;
        running -= 1;
      }
    },
  });
  const functions = Object.fromEntries(
    queueNames.map((name) => [name, counted(name, handlers[name] as never)]),
  ) as never;
  const queues = await startCountedQueues({ clock, region, functions, chance, onError: complain });
  stops.push(() => queues.stop());
  meter.watch(queues.url, "sqs");

  let ids = 0;
  function compose(): void {
    composeFrom({
      env: {
        AWS_REGION: region,
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        AWS_ENDPOINT_URL_DYNAMODB: table.url,
        AWS_ENDPOINT_URL_SQS: queues.url,
        AWS_ENDPOINT_URL_EC2: ec2Url,
        AWS_ENDPOINT_URL_S3: s3.url,
        AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
        AWS_ENDPOINT_URL_PRICING: pricing.url,
        TIMMERMAN_DEPLOYMENT: "timmerman-production",
        TIMMERMAN_TABLE: tableName,
        TIMMERMAN_EVENT_BUS: "timmerman-production-decisions",
        TIMMERMAN_CATALOG_BUCKET: "timmerman-production-store",
        POWERTOOLS_SERVICE_NAME: "timmerman-production",
        ...Object.fromEntries(
          queueNames.filter((name) => name !== "interrupt").map((name) => [queueVariable(name), queues.urlOf(name)]),
        ),
      },
      clock,
      ids: { next: () => createHash("sha256").update(`id ${++ids}`).digest("hex").slice(0, 24) },
    });
  }
  compose();
  await registerCluster(table.client, { server, token, ca });
  const clusterUid = kube.store.get("namespaces", { name: "kube-system" }).metadata.uid!;
  await composition().ports.store.createHead(clusterName, { seq: 0, epoch: "e1", clusterUid });

  stops.push(startControlPlane({ store: kube.store, clock, onError: complain }));
  startHosts({ kube, ec2, clock, catalog, complain }, stops);
  let deliveries = 0;
  let events = 0;
  stops.push(
    ec2.onEvent((event) => {
      const id = `00000000-0000-4000-8000-${String(++events).padStart(12, "0")}`;
      const carried = toEventBridge(event, { region, accountId: "123456789012", id });
      if (!isInterruption(carried)) return;
      deliveries += 1;
      queues.put("interrupt", JSON.stringify(carried));
    }),
  );
  const schedule = (
    name: "tick" | "refresh-catalog",
    everyMs: number,
    handler: LocalFunction<never, unknown>["handler"],
  ) => {
    const to = counted(name, handler);
    const again = () => {
      clock.after(everyMs, again);
      invoke(to, scheduledEvent as never, region).catch((error: unknown) => complain(name, error));
    };
    again();
  };
  schedule("refresh-catalog", hourMs, refreshCatalog as never);
  await clock.runUntil(startMs + 10_000);
  schedule("tick", minuteMs, tick as never);

  const relaysQueues = Object.fromEntries(queueNames.map((name) => [name, queues.urlOf(name)])) as never;
  const client = createSqsClient({ region, endpoint: queues.url, credentials });
  const heartbeat = heartbeatInTable({ region, endpoint: table.url, credentials, tableName, cluster: clusterName });
  stops.push(() => heartbeat.stop());
  const relay = startWorldRelay({
    cluster: clusterName,
    kube,
    clock,
    wakes: createSqsWakes({ client, queueUrls: relaysQueues }),
    heartbeat,
    settings: { batchIdleMs: 1_000, batchMaxMs: 10_000 },
    onError: complain,
  });
  stops.push(() => {
    // Its goodbye may wait for time that no longer passes.
    void relay.stop();
  });

  let nodesMicroUsd = 0;
  const lookAtNodes = () => {
    for (const { state, pool } of ec2.instances()) {
      if (state === "running") nodesMicroUsd += ((catalog.onDemand[pool.instanceType] ?? 0) * microUsd) / 60;
    }
    clock.after(minuteMs, lookAtNodes);
  };
  lookAtNodes();

  const takeBill = (): Bill => {
    const counts = meter.take();
    const bill: Bill = {
      functions: Object.fromEntries(
        functionNames.map((name) => [name, counts.get(name) ?? noCounts()]),
      ) as Bill["functions"],
      relay: counts.get(relaySpender) ?? noCounts(),
      busEvents: published,
      deliveries,
      batches: queues.takeBatches(),
      metrics: meter.takeMetrics(),
      nodesMicroUsd: Math.round(nodesMicroUsd),
    };
    nodesMicroUsd = 0;
    published = 0;
    deliveries = 0;
    return bill;
  };
  return {
    clock,
    kube,
    ec2,
    problems,
    startCold(wanted) {
      cold = wanted;
      if (!wanted) compose();
    },
    pass: (ms) => clock.runUntil(clock.now() + ms),
    async measure(ms) {
      takeBill();
      await clock.runUntil(clock.now() + ms);
      return takeBill();
    },
    async stop() {
      for (const stop of stops.reverse()) await stop();
    },
  };
}

/** Turns of the event loop in which nothing happens before everything counts as at rest: sockets on loopback take two. */
const calmTurns = 8;

async function rest(meter: Meter, isWorking: () => boolean): Promise<void> {
  for (let calm = 0; calm < calmTurns; calm++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (meter.inFlight() > 0 || isWorking()) calm = -1;
  }
}

async function startTable(meter: Meter, stops: (() => unknown)[]) {
  const dynamodb = await startDynoxide();
  stops.push(() => dynamodb.stop());
  const client = createDynamoClient({ region, endpoint: dynamodb.url, credentials });
  stops.push(() => client.destroy());
  await createTable(client, tableName);
  const { url, stop } = await startTableMeter(dynamodb.url, meter);
  stops.push(stop);
  meter.watch(url, "dynamodb");
  return { url, client };
}

/** As the stacks register it: with a CA of the size that EKS has. */
async function registerCluster(
  client: ReturnType<typeof createDynamoClient>,
  { server, token, ca }: { readonly server: string; readonly token: string; readonly ca: string },
): Promise<void> {
  const caBundle = Buffer.from(ca).toString("base64");
  const cluster = { name: clusterName, region, endpoint: server, caBundle, serviceCidr: "10.100.0.0/16", token };
  const Item = {
    pk: { S: "registry" },
    sk: { S: clusterName },
    region: { S: region },
    document: { S: JSON.stringify(cluster) },
  };
  await client.send(new PutItemCommand({ TableName: tableName, Item }));
}

interface Hosted {
  readonly kube: ApiServer;
  readonly ec2: Ec2;
  readonly clock: VirtualClock;
  readonly catalog: ReturnType<typeof readDefaultCatalog>;
  complain(...what: unknown[]): void;
}

function startHosts({ kube, ec2, clock, catalog, complain }: Hosted, stops: (() => unknown)[]): void {
  const { server, token, ca } = kube.kubeconfig();
  const api = connectKubelets({ url: server, token, ca });
  stops.push(() => api.close());
  const kubelets = startKubelets({
    api,
    clock,
    clusterName,
    timing: defaultTiming,
    onError: complain,
    onPodsLost: () => {},
  });
  stops.push(() => kubelets.stop());
  const seldom = { ...clock, after: (_ms: number, callback: () => void) => clock.after(hostLookMs, callback) };
  stops.push(startCloudHost({ ec2, clock: seldom, catalog, onInstance: (instance) => kubelets.observe(instance) }));
}

/** What the rules of stacks/interruption.ts let through. */
function isInterruption(event: ReturnType<typeof toEventBridge>): boolean {
  if (event["detail-type"] !== "EC2 Instance State-change Notification") return true;
  return ["stopping", "stopped", "shutting-down", "terminated"].includes(event.detail.state ?? "");
}

const scheduledEvent = {
  version: "0",
  source: "timmerman.schedule",
  "detail-type": "Scheduled Event",
  time: "2026-01-15T12:00:00Z",
};

function priced(instanceType: string, usd: number): string {
  return JSON.stringify({
    product: { attributes: { instanceType } },
    terms: { OnDemand: { a: { priceDimensions: { b: { unit: "Hrs", pricePerUnit: { USD: String(usd) } } } } } },
  });
}
