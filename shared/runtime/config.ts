import type { WakeTarget } from "../ports/index.ts";
import { isOnLoopback } from "./loopback.ts";
import { clustersFrom, type ServedCluster } from "./served-clusters.ts";
import { defaultSettings, type GeneralSettings } from "./settings.ts";
import { createReader, type Environment } from "./variables.ts";

/** Where a service of AWS is; undefined: where the SDK finds it. */
export interface Endpoints {
  readonly dynamodb?: string;
  readonly sqs?: string;
  readonly ec2?: string;
  readonly eventbridge?: string;
  readonly sts?: string;
  readonly s3?: string;
  readonly pricing?: string;
}

/** Everything that a function is told from outside, parsed and checked once. */
export interface Config {
  /** Names this deployment in EC2 tags. */
  readonly deployment: string;
  readonly region: string;
  readonly tableName: string;
  readonly queueUrls: Readonly<Record<WakeTarget, string>>;
  /** The clusters that are served; undefined: those in the table's registry. */
  readonly clusters?: readonly ServedCluster[];
  /** Settings of clusters that have none of their own. */
  readonly defaults: GeneralSettings;
  readonly endpoints: Endpoints;
  /** Only beside endpoints on loopback; in a Lambda the SDK asks for the role's. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Name or ARN of the bus that decisions are published to; undefined: they are not. */
  readonly eventBus?: string;
  /** S3 bucket of the catalogs; undefined: only the catalog that is shipped. */
  readonly catalogBucket?: string;
  /** The Lambda that this is, where it is one: names sessions and user agents. */
  readonly functionName?: string;
  readonly logLevel: LogLevel;
  readonly serviceName: string;
  readonly metricsNamespace: string;
  /** False: metrics are those of the deployment only, whatever clusters it serves. */
  readonly metricsPerCluster: boolean;
  readonly tracing: boolean;
}

export type LogLevel = "DEBUG" | "INFO" | "WARN" | "ERROR" | "SILENT";

const queueVariables: Readonly<Record<WakeTarget, string>> = {
  provision: "TIMMERMAN_QUEUE_PROVISION",
  disrupt: "TIMMERMAN_QUEUE_DISRUPT",
  lifecycle: "TIMMERMAN_QUEUE_LIFECYCLE",
  "resolve-node-classes": "TIMMERMAN_QUEUE_RESOLVE_NODE_CLASSES",
  "collect-garbage": "TIMMERMAN_QUEUE_COLLECT_GARBAGE",
};

const logLevels = ["DEBUG", "INFO", "WARN", "ERROR", "SILENT"] as const;

/**
 * Reads the environment. Throws a ConfigError that lists every variable that is missing or wrong, with what it should be.
 * Settings that change decisions have Karpenter's names and defaults (facts §3.3); a cluster may have its own.
 */
export function parseConfig(env: Environment): Config {
  const read = createReader(env);
  const region = read.text("AWS_REGION", "the region of this deployment, e.g. us-east-1", /^[a-z]{2,}(-[a-z]+)+-\d+$/);
  const defaults = settingsFrom(read);
  const config: Config = {
    deployment: read.text(
      "TIMMERMAN_DEPLOYMENT",
      "a name for this deployment, e.g. production",
      /^[A-Za-z0-9._-]{1,64}$/,
    ),
    region,
    tableName: read.text("TIMMERMAN_TABLE", "the name of the DynamoDB table", /^[A-Za-z0-9._-]{3,255}$/),
    queueUrls: mapValues(queueVariables, (variable) => read.url(variable, "the URL of that controller's queue")),
    ...clustersIn(env, read, { region, defaults }),
    defaults,
    endpoints: defined({
      dynamodb: read.optionalUrl("AWS_ENDPOINT_URL_DYNAMODB"),
      sqs: read.optionalUrl("AWS_ENDPOINT_URL_SQS"),
      ec2: read.optionalUrl("AWS_ENDPOINT_URL_EC2"),
      eventbridge: read.optionalUrl("AWS_ENDPOINT_URL_EVENTBRIDGE"),
      sts: read.optionalUrl("AWS_ENDPOINT_URL_STS"),
      s3: read.optionalUrl("AWS_ENDPOINT_URL_S3"),
      pricing: read.optionalUrl("AWS_ENDPOINT_URL_PRICING"),
    }),
    ...credentialsFrom(env),
    ...(env.TIMMERMAN_EVENT_BUS ? { eventBus: env.TIMMERMAN_EVENT_BUS } : {}),
    ...(env.TIMMERMAN_CATALOG_BUCKET ? { catalogBucket: env.TIMMERMAN_CATALOG_BUCKET } : {}),
    ...(env.AWS_LAMBDA_FUNCTION_NAME ? { functionName: env.AWS_LAMBDA_FUNCTION_NAME } : {}),
    logLevel: read.oneOf("LOG_LEVEL", logLevels, "INFO"),
    serviceName: env.POWERTOOLS_SERVICE_NAME ?? "timmerman",
    metricsNamespace: env.POWERTOOLS_METRICS_NAMESPACE ?? "Timmerman",
    metricsPerCluster: read.flag("TIMMERMAN_METRICS_PER_CLUSTER", true),
    tracing: read.flag("POWERTOOLS_TRACE_ENABLED", false),
  };
  read.finish();
  return config;
}

/** Where the list is absent, the registry's clusters are served; an empty list serves none. */
function clustersIn(
  env: Environment,
  read: ReturnType<typeof createReader>,
  given: { readonly region: string; readonly defaults: GeneralSettings },
): Pick<Config, "clusters"> {
  if (!env.TIMMERMAN_CLUSTERS) return {};
  const wanted = 'a JSON list like [{"name":"…","endpoint":"https://…"}], or remove it';
  const clusters = read.json("TIMMERMAN_CLUSTERS", wanted, (value, complain) => clustersFrom(value, given, complain));
  return { clusters: clusters ?? [] };
}

function settingsFrom(read: ReturnType<typeof createReader>): GeneralSettings {
  const standard = defaultSettings;
  return {
    batchIdleMs: read.durationMs("BATCH_IDLE_DURATION", standard.batchIdleMs),
    batchMaxMs: read.durationMs("BATCH_MAX_DURATION", standard.batchMaxMs),
    preferencePolicy: read.oneOf("PREFERENCE_POLICY", ["Respect", "Ignore"], standard.preferencePolicy),
    minValuesPolicy: read.oneOf("MIN_VALUES_POLICY", ["Strict", "BestEffort"], standard.minValuesPolicy),
    vmMemoryOverheadPpm: read.millionths("VM_MEMORY_OVERHEAD_PERCENT", standard.vmMemoryOverheadPpm),
    reservedEnis: read.count("RESERVED_ENIS", standard.reservedEnis),
    ignoreDraRequests: read.flag("IGNORE_DRA_REQUESTS", standard.ignoreDraRequests),
    ...read.defaultSpread("SCHEDULER_CONFIG"),
    featureGates: read.gates("FEATURE_GATES", standard.featureGates),
  };
}

/**
 * Keys count only beside an endpoint on loopback, and only where they are nobody's role: a role's are the SDK's business,
 * with their session token and their renewal, whatever endpoint (a VPC's, say) is set beside them.
 */
function credentialsFrom(env: Environment): Pick<Config, "credentials"> {
  const [accessKeyId, secretAccessKey] = [env.AWS_ACCESS_KEY_ID, env.AWS_SECRET_ACCESS_KEY];
  const endpoint = env.AWS_ENDPOINT_URL_DYNAMODB;
  if (accessKeyId === undefined || secretAccessKey === undefined || endpoint === undefined) return {};
  if (env.AWS_SESSION_TOKEN || !isOnLoopback(endpoint)) return {};
  return { credentials: { accessKeyId, secretAccessKey } };
}

function mapValues<K extends string, V, W>(record: Readonly<Record<K, V>>, map: (value: V) => W): Record<K, W> {
  return Object.fromEntries(Object.entries<V>(record).map(([key, value]) => [key, map(value)])) as Record<K, W>;
}

function defined<T extends Record<string, unknown>>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never;
}
