// The process of the in-cluster relay. Answers to Karpenter's controller process, as far as being in the cluster goes.
import packageFile from "../package.json" with { type: "json" };
import { createDynamoClient, createHeartbeat } from "../shared/adapters/dynamodb/index.ts";
import { createSqsClient, createSqsWakes } from "../shared/adapters/sqs/index.ts";
import { systemClock } from "./clock.ts";
import { ConfigError, type RelayConfig, readConfig } from "./config.ts";
import { connect } from "./connection.ts";
import { keepHeapSmall } from "./heap.ts";
import { startServer } from "./http/server.ts";
import { createLog, type Log, textOf } from "./log.ts";
import { type Relay, startRelay } from "./relay.ts";

/** A pod has 30 s to end unless its spec says otherwise; what isn't done by then is left. */
const stopWithinMs = 10_000;

function clientsOf(config: RelayConfig) {
  const at = (endpoint: string | undefined) => ({
    region: config.region,
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  return {
    sqs: createSqsClient(at(config.sqsEndpoint)),
    dynamodb: createDynamoClient(at(config.dynamodbEndpoint)),
  };
}

async function* nothing(): AsyncGenerator<string> {}

async function run(config: RelayConfig, log: Log): Promise<void> {
  keepHeapSmall();
  const clock = systemClock();
  const connection = connect(process.env);
  const { sqs, dynamodb } = clientsOf(config);
  // First of all the port: a relay that acted without it could be neither probed nor measured.
  let relay: Relay | undefined;
  const server = await startServer({
    address: config.bindAddress,
    port: config.port,
    notReady: () => (relay === undefined ? "everything" : relay.notReady()),
    metrics: () => relay?.metrics() ?? nothing(),
    onError: (error) => log.error("metrics not written", { error: textOf(error) }),
  });
  relay = startRelay({
    cluster: config.cluster,
    connection,
    // Garbage collection is woken by the clock alone: its queue is none of the relay's.
    wakes: createSqsWakes({ client: sqs, queueUrls: { ...config.queueUrls, "collect-garbage": "" } }),
    heartbeat: createHeartbeat({ client: dynamodb, tableName: config.table, cluster: config.cluster }),
    clock,
    random: Math.random,
    log,
    version: packageFile.version,
    observeClusterState: config.observeClusterState,
    batch: { idleMs: config.batchIdleMs, longestMs: config.batchMaxMs },
    ...(config.election === undefined ? {} : { election: { ...config.election, identity: config.identity } }),
  });
  const running = relay;
  log.info("controller started", {
    cluster: config.cluster,
    region: config.region,
    identity: config.identity,
    server: connection.getCurrentCluster()?.server,
    port: server.port,
    leaderElection: config.election !== undefined,
  });

  const stop = async (signal: string) => {
    log.info("stopping", { signal });
    clock.after(stopWithinMs, () => process.exit(0));
    await running.stop().catch((error: unknown) => log.warn("stopped with work left", { error: textOf(error) }));
    await server.close();
    sqs.destroy();
    dynamodb.destroy();
    log.info("stopped");
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(signal));
}

const write = (line: string) => process.stdout.write(`${line}\n`);
const log = (level: RelayConfig["logLevel"]) => createLog({ level, now: Date.now, write });
try {
  const config = readConfig(process.env);
  await run(config, log(config.logLevel));
} catch (error) {
  const problems = error instanceof ConfigError ? { problems: error.problems } : {};
  log("info").error("controller not started", { error: textOf(error), ...problems });
  process.exit(1);
}
