import { setTimeout as sleep } from "node:timers/promises";
import { Logger } from "@aws-lambda-powertools/logger";
import { createDynamoClaimStore, createDynamoClient, createRegistry } from "../adapters/dynamodb/index.ts";
import { createPowertoolsTelemetry, type PowertoolsTelemetry } from "../adapters/powertools/index.ts";
import { createSqsClient, createSqsWakes } from "../adapters/sqs/index.ts";
import type { ControllerPorts, ControllerSettings } from "../controllers/index.ts";
import { type Clock, type Ids, product, type Registry } from "../ports/index.ts";
import { announcedStore } from "./announced-store.ts";
import { cloudFinder, createAwsAccess, endpointOf } from "./aws-access.ts";
import { catalogSourceOf } from "./catalogs.ts";
import { type ClusterSource, fixedSource, registrySource } from "./cluster-source.ts";
import { createClusters } from "./clusters.ts";
import { type Config, parseConfig } from "./config.ts";
import { connectToCluster, lazyDecisions } from "./connections.ts";
import { randomIds } from "./random-ids.ts";
import type { Environment } from "./variables.ts";

/** What comes from outside the program. A world on loopback brings its own; a Lambda has the defaults. */
export interface Outside {
  readonly env: Environment;
  readonly clock: Clock;
  readonly ids: Ids;
  /** How much faster `clock` runs than the queues' clock. */
  readonly speed: number;
  /** Ports that stand in for the composed ones. */
  readonly instead: Partial<
    Pick<ControllerPorts, "store" | "wakes" | "catalog" | "telemetry"> & { readonly registry: Registry }
  >;
}

export interface Composition {
  readonly config: Config;
  readonly ports: ControllerPorts;
  readonly settings: ControllerSettings;
  readonly logger: Logger;
  /** Powertools' own, whose lines are written at the end of an invocation. */
  readonly telemetry: PowertoolsTelemetry;
  readonly invocation: Invocation;
}

/** The invocation that is under way; a Lambda's environment has one at a time. */
export interface Invocation {
  /** How long until it is cut off; outside of one there is no end. */
  remainingMs: () => number;
}

const systemClock: Clock = { now: () => Date.now(), sleep: (ms) => sleep(ms) };

const asLambda: Outside = { env: process.env, clock: systemClock, ids: randomIds, speed: 1, instead: {} };

let outside = asLambda;
let built: Composition | undefined;

/** Sets what comes from outside for all handlers of this program; the next invocation is composed from it. */
export function composeFrom(given: Partial<Outside>): void {
  outside = { ...asLambda, ...given };
  built = undefined;
}

/** Everything wired, once. Throws a ConfigError when the environment is wrong. Opens no connection. */
export function composition(): Composition {
  built ??= compose(outside);
  return built;
}

function compose({ env, clock, ids, speed, instead }: Outside): Composition {
  const config = parseConfig(env);
  const { serviceName, metricsNamespace: namespace, logLevel } = config;
  const logger = new Logger({ serviceName, logLevel });
  const ownTelemetry = createPowertoolsTelemetry({
    logger,
    namespace,
    serviceName,
    metrics: logLevel !== "SILENT",
    perCluster: config.metricsPerCluster,
    now: () => clock.now(),
  });
  const telemetry = instead.telemetry ?? ownTelemetry;
  const invocation: Invocation = { remainingMs: () => Number.POSITIVE_INFINITY };
  const access = createAwsAccess(config, env, { clock, telemetry });
  const { tableName, queueUrls } = config;
  const client = createDynamoClient(endpointOf(config, "dynamodb"));
  const store = instead.store ?? createDynamoClaimStore({ client, tableName });
  const registry = instead.registry ?? createRegistry({ client, tableName });
  const source = sourceOf(config, registry, clock);
  const userAgent = userAgentOf(config);
  const decisions = lazyDecisions(endpointOf(config, "eventbridge"), config.eventBus);
  const ports: ControllerPorts = {
    clusters: createClusters({
      source,
      clock,
      telemetry,
      cloudOf: ({ region, roleArn }) => access.cloudOf(region, roleArn),
      connect: (cluster) =>
        connectToCluster(cluster, {
          keysOf: access.keysOf,
          clock,
          telemetry,
          userAgent,
          remainingMs: () => invocation.remainingMs(),
        }),
      headOf: (name) => store.readHead(name),
    }),
    cloudAt: cloudFinder(access, source, config.region),
    store: decisions === undefined ? store : announcedStore(store, { decisions, telemetry, clock }),
    wakes: instead.wakes ?? createSqsWakes({ client: createSqsClient(endpointOf(config, "sqs")), queueUrls, speed }),
    catalog: instead.catalog ?? catalogSourceOf(config, { client, clock, telemetry }),
    clock,
    ids,
    telemetry,
  };
  const settings: ControllerSettings = {
    deployment: config.deployment,
  };
  return { config, ports, settings, logger, telemetry: ownTelemetry, invocation };
}

function sourceOf({ clusters, region, defaults }: Config, registry: Registry, clock: Clock): ClusterSource {
  return clusters === undefined ? registrySource({ registry, region, defaults, clock }) : fixedSource(clusters);
}

/** As the API server's audit log and its priority and fairness see who asks. */
function userAgentOf({ functionName }: Config): string {
  const name = `${product.name}/${product.version}`;
  return functionName === undefined ? name : `${name} (${functionName})`;
}
