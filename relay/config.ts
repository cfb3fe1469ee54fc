import { parseGoDurationMs } from "../shared/core/resources/index.ts";
import { type Level, levels } from "./log.ts";
import { type RelayTarget, relayTargets } from "./wakes/rules.ts";

/** The environment as found; tests bring their own. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface RelayConfig {
  readonly cluster: string;
  readonly region: string;
  readonly table: string;
  readonly queueUrls: Readonly<Record<RelayTarget, string>>;
  /** Undefined: AWS's own. */
  readonly sqsEndpoint: string | undefined;
  readonly dynamodbEndpoint: string | undefined;
  readonly batchIdleMs: number;
  readonly batchMaxMs: number;
  readonly logLevel: Level;
  readonly bindAddress: string;
  readonly port: number;
  /** False: without the series that grow with pods, nodes and claims (Karpenter's DISABLE_CLUSTER_STATE_OBSERVABILITY). */
  readonly observeClusterState: boolean;
  /** Undefined: leader election is off. */
  readonly election: { readonly namespace: string; readonly name: string } | undefined;
  /** This replica's name. */
  readonly identity: string;
}

/** What is wrong with the environment: every variable at once, each with its fix. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration has ${problems.length} problem(s):\n${problems.map((one) => `- ${one}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** EKS: 1 to 100 letters, digits, hyphens and underscores, beginning with a letter or digit. */
const clusterPattern = /^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$/;
/** DynamoDB's rule for names of tables, or a table's ARN. */
const tablePattern = /^([a-zA-Z0-9_.-]{3,255}|arn:[^:]+:dynamodb:.+)$/;
/** Pods that wait for longer than this before anybody looks have been forgotten. */
const longestBatchMs = 5 * 60_000;
/** Kubernetes' rule for names of most objects. */
const objectName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Reads variables and gathers what is wrong with them. */
function createReader(env: Environment) {
  const problems: string[] = [];

  function wrong<T>(name: string, wanted: string, empty: T): T {
    const found = env[name];
    problems.push(`${name} is ${found === undefined ? "not set" : JSON.stringify(found)}: set it to ${wanted}`);
    return empty;
  }

  function optional<T>(name: string, ifAbsent: T, wanted: string, parse: (text: string) => T | undefined): T {
    const text = env[name];
    if (text === undefined || text === "") return ifAbsent;
    return parse(text) ?? wrong(name, wanted, ifAbsent);
  }

  function text(name: string, wanted: string, pattern: RegExp, ifAbsent?: string): string {
    const found = env[name] || ifAbsent;
    return found !== undefined && pattern.test(found) ? found : wrong(name, wanted, "");
  }

  return { problems, wrong, optional, text };
}

/** Throws a ConfigError that lists everything that is wrong. */
export function readConfig(env: Environment): RelayConfig {
  const { problems, optional, text } = createReader(env);
  const url = (value: string) => (/^https?:/.test(value) && URL.canParse(value) ? value : undefined);
  const endpoint = (name: string) => optional<string | undefined>(name, undefined, "a URL, or remove it", url);
  const duration = (name: string, ifAbsent: number) =>
    optional(name, ifAbsent, "a duration such as 10s, five minutes at most", (value) => {
      const ms = parseGoDurationMs(value);
      return ms === undefined || ms > longestBatchMs ? undefined : ms;
    });
  const flag = (name: string) =>
    optional(name, false, "true or false", (value) =>
      /^(true|false)$/i.test(value) ? /^true$/i.test(value) : undefined,
    );
  const isOff = flag("DISABLE_LEADER_ELECTION");
  const electionName = text("LEADER_ELECTION_NAME", "the name of a Lease", objectName, "timmerman-relay");
  const config: RelayConfig = {
    cluster: text("CLUSTER_NAME", "the EKS cluster's name", clusterPattern),
    region: text("AWS_REGION", "the region of the deployment, such as eu-west-1", /^[a-z]{2,}(-[a-z]+)+-\d+$/),
    table: text("TIMMERMAN_TABLE", "the name of the deployment's table", tablePattern),
    queueUrls: Object.fromEntries(
      relayTargets.map((target) => {
        const name = `TIMMERMAN_QUEUE_${target.toUpperCase().replaceAll("-", "_")}`;
        return [target, text(name, `the URL of the ${target} queue`, /^https?:\/\/[^/\s]+\/\S+$/)];
      }),
    ) as Record<RelayTarget, string>,
    sqsEndpoint: endpoint("AWS_ENDPOINT_URL_SQS"),
    dynamodbEndpoint: endpoint("AWS_ENDPOINT_URL_DYNAMODB"),
    batchIdleMs: duration("BATCH_IDLE_DURATION", 1_000),
    batchMaxMs: duration("BATCH_MAX_DURATION", 10_000),
    logLevel: optional<Level>("LOG_LEVEL", "info", `one of ${levels.join(", ")}`, (value) =>
      levels.find((level) => level === value.toLowerCase()),
    ),
    bindAddress: text("BIND_ADDRESS", "an IP address to listen on", /^[0-9A-Fa-f:.]+$/, "127.0.0.1"),
    port: optional("METRICS_PORT", 8080, "a port from 0 to 65535", (value) =>
      /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined,
    ),
    observeClusterState: !flag("DISABLE_CLUSTER_STATE_OBSERVABILITY"),
    election: isOff
      ? undefined
      : {
          namespace: text("POD_NAMESPACE", "the namespace of this pod, for its Lease", objectName),
          name: electionName,
        },
    identity: text("POD_NAME", "this pod's name", objectName, isOff ? "relay" : undefined),
  };
  if (config.batchMaxMs < config.batchIdleMs) {
    problems.push("BATCH_MAX_DURATION is shorter than BATCH_IDLE_DURATION: make it at least as long");
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}
