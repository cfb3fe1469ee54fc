// The embedded world put together: the real functions behind their middy stack, the real adapters, and everything they
// talk to on loopback in this process. What a deployment's stacks would wire, is wired here.
import { createHash } from "node:crypto";
import { readDefaultCatalog } from "../shared/adapters/catalog/index.ts";
import { createDynamoClient } from "../shared/adapters/dynamodb/index.ts";
import { createMemoryClaimStore } from "../shared/adapters/memory/claim-store.ts";
import { createSqsClient, createSqsWakes } from "../shared/adapters/sqs/index.ts";
import type { Catalog } from "../shared/core/model/index.ts";
import type { ClaimStore, WakeTarget } from "../shared/ports/index.ts";
import { composeFrom, composition } from "../shared/runtime/index.ts";
import { createTable, dynoxideAvailable, startDynoxide } from "./aws/dynamodb.ts";
import { type Queues, startQueues } from "./aws/queues.ts";
import { delayInWorldTime, type WorldWakes } from "./aws/world-wakes.ts";
import { createScaledClock, type WorldClock } from "./clock.ts";
import { clusterName, createCloud, kubernetesVersion } from "./cloud.ts";
import { startCloudHost } from "./cloud-host.ts";
import { startControlPlane } from "./cluster/control-plane.ts";
import type { Ec2 } from "./ec2/ec2.ts";
import { startFunctions } from "./functions.ts";
import { createSeededIds } from "./kube/ids.ts";
import { createApiServer } from "./kube/server.ts";
import type { ApiServer } from "./kube/types.ts";
import { connectKubelets } from "./kubelet/api-client.ts";
import { defaultTiming, startKubelets } from "./kubelet/kubelets.ts";
import { applyManifest, readManifests } from "./manifests.ts";
import { heartbeatInMemory, heartbeatInTable, startWorldRelay } from "./relay.ts";

const deployment = "local";
const tableName = "timmerman";
const credentials = { accessKeyId: "local", secretAccessKey: "local" };
const minuteMs = 60_000;

export interface WorldOptions {
  readonly speed: number;
  readonly seed: number;
  /** Port of the Kubernetes API; 0 picks a free one. Rejects if it is in use. */
  readonly port: number;
  onError(component: string, key: string, error: unknown): void;
  onPodsLost(node: string, pods: readonly string[]): void;
  /** Something that the user should know about this machine. */
  onNotice(text: string): void;
}

export interface World {
  readonly clock: WorldClock;
  readonly kube: ApiServer;
  readonly ec2: Ec2;
  readonly catalog: Catalog;
  readonly store: ClaimStore;
  stop(): Promise<void>;
}

/** Ids of the functions, from the seed. */
function seededTokens(seed: number): { next(): string } {
  let count = 0;
  return { next: () => createHash("sha256").update(`${seed}/${count++}`).digest("hex").slice(0, 24) };
}

/** The environment that a deployment's stacks would give the functions. */
function environmentOf(kube: ApiServer, region: string, queues: Queues, urls: { ec2: string; dynamodb?: string }) {
  const { server, token, ca } = kube.kubeconfig();
  const cluster = {
    name: clusterName,
    endpoint: server,
    caBundle: Buffer.from(ca).toString("base64"),
    token,
    kubernetesVersion,
  };
  return {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_EC2: urls.ec2,
    AWS_ENDPOINT_URL_SQS: queues.url,
    AWS_ENDPOINT_URL_DYNAMODB: urls.dynamodb ?? urls.ec2,
    TIMMERMAN_DEPLOYMENT: deployment,
    TIMMERMAN_TABLE: tableName,
    ...Object.fromEntries(
      wakeTargets.map((target) => [
        `TIMMERMAN_QUEUE_${target.toUpperCase().replaceAll("-", "_")}`,
        queues.urlOf(target),
      ]),
    ),
    TIMMERMAN_CLUSTERS: JSON.stringify([cluster]),
    LOG_LEVEL: "SILENT",
    ...chosenSettings(process.env),
  };
}

/** Settings that the user's environment may change in the world, as it would in a deployment. */
const settingNames = [
  "BATCH_IDLE_DURATION",
  "BATCH_MAX_DURATION",
  "FEATURE_GATES",
  "IGNORE_DRA_REQUESTS",
  "LOG_LEVEL",
  "MIN_VALUES_POLICY",
  "PREFERENCE_POLICY",
  "RESERVED_ENIS",
  "VM_MEMORY_OVERHEAD_PERCENT",
];

function chosenSettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    settingNames.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

/** Brings everything up. What was started is stopped again if a part fails. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    return await assemble(options, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The functions load these when first used: seconds that would be minutes in a fast world. */
async function loadClients(): Promise<void> {
  await Promise.all([import("../shared/adapters/ec2/index.ts"), import("../shared/adapters/kube/index.ts")]);
}

async function assemble(options: WorldOptions, stops: (() => unknown)[], stop: () => Promise<void>): Promise<World> {
  const { speed, seed, onError } = options;
  await loadClients();
  const clock = createScaledClock({ speed, startMs: Date.now() });
  const catalog = readDefaultCatalog();

  const kube = createApiServer({ clock, ids: createSeededIds(seed) });
  await kube.listen(options.port);
  stops.push(() => kube.close());
  const crds = new URL("../charts/timmerman/files/crds", import.meta.url).pathname;
  for (const manifest of readManifests([crds])) applyManifest(kube.store, manifest);

  const ec2 = createCloud(clock, catalog, seed);
  const ec2Url = await ec2.listen();
  stops.push(() => ec2.close());
  const queues = await startQueues();
  stops.push(() => queues.stop());
  const dynamodb = await startStore(catalog.region, options, stops);

  const wakes = startWakes(queues, catalog.region, clock, onError);
  stops.push(() => wakes.stop());
  composeFrom({
    env: environmentOf(kube, catalog.region, queues, { ec2: ec2Url, ...(dynamodb === undefined ? {} : { dynamodb }) }),
    clock,
    ids: seededTokens(seed),
    instead: { wakes, ...(dynamodb === undefined ? { store: createMemoryClaimStore() } : {}) },
  });
  const { ports, config } = composition();
  await ports.store.createHead(clusterName, {
    seq: 0,
    epoch: "e1",
    clusterUid: kube.store.get("namespaces", { name: "kube-system" }).metadata.uid!,
  });

  stops.push(startControlPlane({ store: kube.store, clock, onError }));
  stops.push(startFunctions({ clock, queues, region: catalog.region, ec2, tickEveryMs: minuteMs, onError }));
  startHosts({ kube, ec2, clock, catalog, options }, stops);
  const heartbeat =
    dynamodb === undefined
      ? heartbeatInMemory(ports.store, clusterName)
      : heartbeatInTable({ region: catalog.region, endpoint: dynamodb, credentials, tableName, cluster: clusterName });
  stops.push(() => heartbeat.stop());
  const settings = config.clusters?.[0]?.settings ?? config.defaults;
  const relay = startWorldRelay({
    cluster: clusterName,
    kube,
    clock,
    wakes: ports.wakes,
    heartbeat,
    settings,
    onError,
  });
  stops.push(() => relay.stop());
  return { clock, kube, ec2, catalog, store: ports.store, stop };
}

/** The real adapter on the queues, with its delays in the world's time. */
function startWakes(queues: Queues, region: string, clock: WorldClock, onError: WorldOptions["onError"]): WorldWakes {
  const client = createSqsClient({ region, endpoint: queues.url, credentials });
  const wakes = createSqsWakes({ client, queueUrls: queueUrlsOf(queues) });
  return delayInWorldTime(wakes, clock, (error) => onError("wakes", "delayed", error));
}

const wakeTargets = ["provision", "disrupt", "lifecycle", "resolve-node-classes", "collect-garbage"] as const;

function queueUrlsOf(queues: Queues): Record<WakeTarget, string> {
  return Object.fromEntries(wakeTargets.map((target) => [target, queues.urlOf(target)])) as Record<WakeTarget, string>;
}

/** DynamoDB's address; undefined: this machine has none, and the store in memory stands in. */
async function startStore(
  region: string,
  options: WorldOptions,
  stops: (() => unknown)[],
): Promise<string | undefined> {
  if (!dynoxideAvailable()) {
    options.onNotice("no DynamoDB for this machine's platform: claims are kept in memory");
    return undefined;
  }
  const dynamodb = await startDynoxide();
  stops.push(() => dynamodb.stop());
  const client = createDynamoClient({ region, endpoint: dynamodb.url, credentials });
  await createTable(client, tableName);
  client.destroy();
  return dynamodb.url;
}

interface HostsInput {
  readonly kube: ApiServer;
  readonly ec2: Ec2;
  readonly clock: WorldClock;
  readonly catalog: Catalog;
  readonly options: WorldOptions;
}

function startHosts({ kube, ec2, clock, catalog, options }: HostsInput, stops: (() => unknown)[]): void {
  const { server, token, ca } = kube.kubeconfig();
  const api = connectKubelets({ url: server, token, ca });
  stops.push(() => api.close());
  const kubelets = startKubelets({
    api,
    clock,
    clusterName,
    timing: defaultTiming,
    heartbeatMs: 10_000,
    onError: (what, error) => options.onError("kubelet", what, error),
    onPodsLost: options.onPodsLost,
  });
  stops.push(() => kubelets.stop());
  stops.push(startCloudHost({ ec2, clock, catalog, onInstance: (instance) => kubelets.observe(instance) }));
}
