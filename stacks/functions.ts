import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ClusterSpec, type Given, isPrivate, nodeRolesOf } from "./cluster-spec.ts";
import { functionSettings, queueConcurrency, queueSettings } from "./function-settings.ts";
import { attachable } from "./managed-policies.ts";
import {
  accountRoleArn,
  type FunctionName,
  functionNames,
  metricsNamespace,
  pascal,
  queueNames,
  queueVariable,
  wakeQueueNames,
} from "./names.ts";
import { type Places, roleStatements } from "./policies.ts";
import { planDocuments, statementsIn } from "./policy-documents.ts";
import { isPutIntoNetwork, placesAhead } from "./policy-sizes.ts";
import { trustOf } from "./policy-text.ts";
import type { Queues } from "./queues.ts";
import { foreignAccounts, type Home, type Site } from "./sites.ts";
import type { Storage } from "./storage.ts";

// The Lambdas: one folder of functions/ each, with a role of its own, fed by its queue.

export type Functions = Readonly<Record<FunctionName, sst.aws.Function>>;

export interface FunctionsOptions {
  readonly given: Given;
  readonly prefix: string;
  readonly home: Home;
  readonly sites: readonly Site[];
  readonly storage: Storage;
  readonly queues: Queues;
  readonly bus: sst.aws.Bus;
}

export function createFunctions(options: FunctionsOptions): Functions {
  const made = functionNames.map((name) => [name, createFunction(name, options)] as const);
  return Object.fromEntries(made) as unknown as Functions;
}

function createFunction(name: FunctionName, options: FunctionsOptions): sst.aws.Function {
  const settings = functionSettings[name];
  const functionName = `${options.prefix}-${name}`;
  const vpc = networkOf(name, options.given.clusters);
  const { deployment } = options.given;
  const statements = placesOf(options, vpc !== undefined).apply((places) => roleStatements(name, places));
  const [inline, ...beyond] = planDocuments(roleStatements(name, placesAhead(options.given, options.prefix, name)));
  const attached = attachable(pascal(`${name}-function`), functionName, statements, beyond, {});
  return new sst.aws.Function(pascal(`${name}-function`), {
    name: functionName,
    description: settings.description,
    handler: `functions/${name}/handler.handler`,
    runtime: "nodejs24.x",
    architecture: "arm64",
    memory: `${settings.memoryMb} MB`,
    timeout: `${settings.timeoutS} seconds`,
    // What is loaded late (EC2's client, X-Ray, the shipped catalog) is a file of its own.
    // Source maps are asked for, so that SST leaves them in the folder, and taken out there: otherwise it uploads the map of
    // each such file, some forty for a function, to where nobody but its console reads them.
    nodejs: { format: "esm", minify: true, splitting: true, sourcemap: true },
    hook: { postbuild: dropSourceMaps },
    logging: { format: "text", retention: deployment.logRetention ?? "1 month" },
    environment: environmentOf(options),
    permissions: statements.apply((all) =>
      statementsIn(inline, all).map(({ actions, resources, conditions }) => ({
        actions: [...actions],
        resources: [...resources],
        ...(conditions === undefined ? {} : { conditions: conditions.map((c) => ({ ...c, values: [...c.values] })) }),
      })),
    ),
    // A tick or a catalog that failed is made up for by the next: Lambda need not repeat it.
    ...(name === "tick" || name === "refresh-catalog" ? { retries: 0 } : {}),
    ...(name === "tick" && deployment.reserveConcurrency !== false ? { concurrency: { reserved: 1 } } : {}),
    ...(vpc === undefined ? {} : { vpc }),
    transform: {
      function: (args) => {
        args.tracingConfig = { mode: (deployment.tracing ?? true) ? "Active" : "PassThrough" };
      },
      role: (args) => {
        // Lambda alone: in dev mode SST lets the whole account take it. The managed policies that SST adds allow logs and
        // interfaces everywhere; `runtimeStatements` has what is needed of them. What does not fit into the role is attached.
        args.assumeRolePolicy = trustOf("lambda.amazonaws.com");
        args.managedPolicyArns = attached;
      },
      eventInvokeConfig: (args) => {
        args.maximumEventAgeInSeconds = 60;
      },
    },
  });
}

function networkOf(
  name: FunctionName,
  clusters: readonly ClusterSpec[],
): { privateSubnets: string[]; securityGroups: string[] } | undefined {
  const within = clusters.find(isPrivate);
  if (within?.vpc === undefined || !isPutIntoNetwork(name, clusters)) return undefined;
  return { privateSubnets: [...within.vpc.subnets], securityGroups: [...within.vpc.securityGroups] };
}

/** As docs/configuration.md has it. Clusters are not here: they come from the registry in the table. */
function environmentOf(options: FunctionsOptions): Record<string, $util.Input<string>> {
  const { given, prefix, storage, queues, bus } = options;
  const { deployment } = given;
  return {
    TIMMERMAN_DEPLOYMENT: prefix,
    TIMMERMAN_TABLE: storage.table.name,
    ...Object.fromEntries(wakeQueueNames.map((name) => [queueVariable(name), queues.queues[name].url])),
    TIMMERMAN_EVENT_BUS: bus.name,
    TIMMERMAN_CATALOG_BUCKET: storage.bucket.name,
    TIMMERMAN_METRICS_PER_CLUSTER: String(deployment.metricsPerCluster ?? true),
    LOG_LEVEL: deployment.logLevel ?? "INFO",
    // The dimension that tells the deployments of an account apart.
    POWERTOOLS_SERVICE_NAME: prefix,
    POWERTOOLS_METRICS_NAMESPACE: metricsNamespace,
    POWERTOOLS_TRACE_ENABLED: String(deployment.tracing ?? true),
  };
}

async function dropSourceMaps(folder: string): Promise<void> {
  const maps = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".map"));
  await Promise.all(maps.map((file) => rm(join(folder, file))));
}

function placesOf(options: FunctionsOptions, isInVpc: boolean): $util.Output<Places> {
  const { prefix, home, sites, storage, queues, bus } = options;
  const own = sites.filter((site) => site.account === undefined);
  return $util
    .output({
      partition: home.partition,
      account: home.account,
      tableArn: storage.table.arn,
      bucketArn: storage.bucket.arn,
      busArn: bus.arn,
      queueArns: Object.fromEntries(queueNames.map((name) => [name, queues.queues[name].arn])),
    })
    .apply((known) => ({
      ...known,
      queueArns: known.queueArns as Places["queueArns"],
      region: home.region,
      deployment: prefix,
      clusterRegions: own.map((site) => site.region),
      catalogRegions: [...new Set(sites.map((site) => site.region))],
      nodeRoles: nodeRolesOf(own.flatMap((site) => site.clusters)),
      accountRoleArns: [...foreignAccounts(sites).keys()].map((account) =>
        accountRoleArn(known.partition, account, prefix),
      ),
      isInVpc,
    }));
}

/** Queues feed their functions: at once, bounded, and a message that fails does not bring back its neighbours. */
export function subscribeFunctions(functions: Functions, queues: Queues, clusters: readonly ClusterSpec[]): void {
  for (const name of queueNames) {
    queues.components[name].subscribe(functions[name].arn, {
      batch: { size: queueSettings[name].batchSize, window: "0 seconds", partialResponses: true },
      transform: {
        eventSourceMapping: (args) => {
          args.scalingConfig = { maximumConcurrency: queueConcurrency(name, clusters.length) };
        },
      },
    });
  }
}
