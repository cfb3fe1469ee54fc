// Everything of a deployment on loopback, around a real control plane on which the chart is installed: queues, table and EC2,
// the exported handlers fed by them, kubelets for what EC2 launches, and relays as programs of their own. Functions and
// relays have no other rights in the cluster than the chart gives them.
import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { createTable, startDynoxide } from "../../local/aws/dynamodb.ts";
import { type QueueName, queueNames, startQueues } from "../../local/aws/queues.ts";
import { createScaledClock, type WorldClock } from "../../local/clock.ts";
import { clusterName, createCloud } from "../../local/cloud.ts";
import { startCloudHost } from "../../local/cloud-host.ts";
import type { Ec2 } from "../../local/ec2/ec2.ts";
import { startFunctions } from "../../local/functions.ts";
import { connectKubelets } from "../../local/kubelet/api-client.ts";
import { startKubelets } from "../../local/kubelet/kubelets.ts";
import { readDefaultCatalog } from "../../shared/adapters/catalog/index.ts";
import { createDynamoClient } from "../../shared/adapters/dynamodb/index.ts";
import { createMemoryTelemetry, type MemoryTelemetry } from "../../shared/adapters/memory/telemetry.ts";
import type { Catalog } from "../../shared/core/model/index.ts";
import { composeFrom, composition } from "../../shared/runtime/index.ts";
import { type RecordedCall, recordCalls } from "../world/recorder.ts";
import { type ChartPlane, startChartPlane } from "./chart-plane.ts";
import { type RelayProcess, startRelayProcess } from "./chart-relay.ts";
import { type ControlPlane, workloadControllers } from "./control-plane.ts";
import { type Gate, startGate } from "./end-to-end-gate.ts";
import { send } from "./http.ts";

const tableName = "timmerman";
const credentials = { accessKeyId: "local", secretAccessKey: "local" };
const targets = ["provision", "disrupt", "lifecycle", "resolve-node-classes", "collect-garbage"] as const;
/** A deployment's tick comes every minute; a faster one finds a silent relay no sooner than its heartbeat runs out. */
const tickEveryMs = 5_000;

export interface EndToEndWorld {
  readonly plane: ControlPlane;
  readonly ec2: Ec2;
  /** Where everybody reaches SQS. */
  readonly sqs: Gate;
  /** What the functions asked AWS for, in order. */
  readonly calls: readonly RecordedCall[];
  readonly telemetry: MemoryTelemetry;
  /** What went wrong on the way, and how often. */
  readonly notes: ReadonlyMap<string, number>;
  /** Messages that nobody could deal with. */
  deadLetters(): Promise<number>;
  startRelay(podName: string): Promise<RelayProcess>;
  stop(): Promise<void>;
}

/** Starts everything but relays. What was started is stopped again if a part fails. */
export async function startEndToEndWorld(helmPath: string): Promise<EndToEndWorld> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    return await assemble(helmPath, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function assemble(helmPath: string, stops: (() => unknown)[], stop: () => Promise<void>): Promise<EndToEndWorld> {
  const clock = createScaledClock({ speed: 1, startMs: Date.now() });
  const catalog = readDefaultCatalog();
  const notes = new Map<string, number>();
  const onError = (component: string, key: string, error: unknown) => {
    const note = `${component}: ${key}: ${error instanceof Error ? error.message : String(error)}`;
    notes.set(note, (notes.get(note) ?? 0) + 1);
  };

  const chart = await startChartPlane(helmPath, { scheduler: true, controllers: workloadControllers });
  stops.push(() => chart.stop());
  const { plane } = chart;
  const dynamodb = await startDynoxide();
  stops.push(() => dynamodb.stop());
  const queues = await startQueues({ region: catalog.region });
  stops.push(() => queues.stop());
  const sqs = await startGate(queues.url);
  stops.push(() => sqs.stop());
  const urlOf = (queue: QueueName) => `${sqs.url}${new URL(queues.urlOf(queue)).pathname}`;
  await chart.install(valuesOf(catalog, urlOf));

  const ec2 = createCloud(clock, catalog, 1, { pendingMs: 500, shuttingDownMs: 500 });
  const ec2Url = await ec2.listen();
  stops.push(() => ec2.close());
  await makeTable(dynamodb.url, catalog.region, chart);
  const telemetry = createMemoryTelemetry();
  composeFrom({
    clock,
    instead: { telemetry },
    env: {
      AWS_REGION: catalog.region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_EC2: ec2Url,
      AWS_ENDPOINT_URL_SQS: sqs.url,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
      TIMMERMAN_DEPLOYMENT: "end-to-end",
      TIMMERMAN_TABLE: tableName,
      ...Object.fromEntries(targets.map((target) => [queueVariable(target), urlOf(target)])),
      LOG_LEVEL: "SILENT",
    },
  });
  stops.push(() => composeFrom({}));
  const { body } = await send(plane, "GET", "/api/v1/namespaces/kube-system");
  await composition().ports.store.createHead(clusterName, { seq: 0, epoch: "e1", clusterUid: body.metadata.uid });

  const recorder = recordCalls();
  stops.push(() => recorder.stop());
  const through = { ...queues, url: sqs.url, urlOf };
  stops.push(startFunctions({ clock, queues: through, region: catalog.region, ec2, tickEveryMs, onError }));
  startHosts({ plane, ec2, clock, catalog, onError }, stops);
  return {
    plane,
    ec2,
    sqs,
    calls: recorder.calls,
    telemetry,
    notes,
    deadLetters: () => countMessages(queues.url, catalog.region, queueNames.map(queues.deadLettersOf)),
    startRelay: (podName) =>
      startRelayProcess(plane, podName, {
        AWS_ENDPOINT_URL_SQS: sqs.url,
        AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
      }),
    stop,
  };
}

const queueVariable = (target: string) => `TIMMERMAN_QUEUE_${target.toUpperCase().replaceAll("-", "_")}`;

/** What the stacks hand over. No pod of the chart's runs here: its relays are programs of this test. */
function valuesOf({ region }: Catalog, urlOf: (queue: QueueName) => string): object {
  return {
    settings: { clusterName },
    aws: { region },
    timmerman: {
      table: tableName,
      queues: {
        provision: urlOf("provision"),
        disrupt: urlOf("disrupt"),
        lifecycle: urlOf("lifecycle"),
        resolveNodeClasses: urlOf("resolve-node-classes"),
      },
    },
    controller: { image: { repository: "registry.example/timmerman-relay" } },
    replicas: 0,
  };
}

/** The table, with the cluster registered in it as the stacks do. Its version is left to the API server to say. */
async function makeTable(endpoint: string, region: string, { plane, functionsToken }: ChartPlane): Promise<void> {
  const client = createDynamoClient({ region, endpoint, credentials });
  await createTable(client, tableName);
  const document = {
    name: clusterName,
    region,
    endpoint: plane.url,
    caBundle: Buffer.from(plane.ca).toString("base64"),
    serviceCidr: "10.96.0.0/16",
    token: functionsToken,
  };
  await client.send(
    new PutItemCommand({
      TableName: tableName,
      Item: {
        pk: { S: "registry" },
        sk: { S: clusterName },
        region: { S: region },
        document: { S: JSON.stringify(document) },
      },
    }),
  );
  client.destroy();
}

interface HostsInput {
  readonly plane: ControlPlane;
  readonly ec2: Ec2;
  readonly clock: WorldClock;
  readonly catalog: Catalog;
  onError(component: string, key: string, error: unknown): void;
}

function startHosts({ plane, ec2, clock, catalog, onError }: HostsInput, stops: (() => unknown)[]): void {
  const api = connectKubelets(plane);
  stops.push(() => api.close());
  const kubelets = startKubelets({
    api,
    clock,
    clusterName,
    timing: { joinMs: 1_000, readyMs: 500, podStartMs: 200, podStopMs: 200 },
    heartbeatMs: 10_000,
    onError: (what, error) => onError("kubelet", what, error),
    onPodsLost: (node, pods) => onError("kubelet", node, `lost ${pods.join(", ")}`),
  });
  stops.push(() => kubelets.stop());
  stops.push(startCloudHost({ ec2, clock, catalog, onInstance: kubelets.observe }));
}

async function countMessages(endpoint: string, region: string, queueUrls: readonly string[]): Promise<number> {
  const client = new SQSClient({ region, endpoint, credentials });
  let count = 0;
  for (const QueueUrl of queueUrls) {
    const asked = { QueueUrl, AttributeNames: ["ApproximateNumberOfMessages" as const] };
    const { Attributes } = await client.send(new GetQueueAttributesCommand(asked));
    count += Number(Attributes?.ApproximateNumberOfMessages);
  }
  client.destroy();
  return count;
}
