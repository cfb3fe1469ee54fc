import { createAccessEntries, createAccountRoles, createInstanceProfiles } from "./access.ts";
import { createAlarms } from "./alarms.ts";
import { openClusters } from "./cluster-facts.ts";
import { requireSound } from "./cluster-problems.ts";
import { type Given, isProduction } from "./cluster-spec.ts";
import { createDashboards } from "./dashboards.ts";
import { createFunctions, subscribeFunctions } from "./functions.ts";
import { createInterruptionRules } from "./interruption.ts";
import { monitoredOf } from "./monitored.ts";
import { foreignersOf } from "./policies-resources.ts";
import { createQueues } from "./queues.ts";
import { createRegistry } from "./registry.ts";
import { createRelays, type RelayValues } from "./relays.ts";
import { createSchedules, refreshAtOnce } from "./schedules.ts";
import { createSites, homeOf } from "./sites.ts";
import { createStorage } from "./storage.ts";

// Everything that is deployed, in the order in which one thing needs another. Each concern has a file of its own.

export interface Outputs {
  /** Values for the chart, by cluster: `npx timmerman values CLUSTER` prints them as YAML. */
  readonly relays: Readonly<Record<string, RelayValues>>;
  /** The deployment's name in EC2 tags. */
  readonly deployment: string;
  readonly region: string;
  readonly table: $util.Output<string>;
  readonly decisions: $util.Output<string>;
  /** What to do next, by cluster. */
  readonly next: Readonly<Record<string, string>>;
}

/** Creates all resources of a stage. Throws, before any is created, what is wrong with stacks/clusters.ts. */
export function createStacks(given: Given): Outputs {
  const { deployment, clusters } = given;
  requireSound(deployment, clusters, $app.stage);
  const prefix = `${$app.name}-${$app.stage}`;
  const home = homeOf(deployment);
  const sites = createSites(given);
  const opened = openClusters(sites);
  const storage = createStorage(isProduction(deployment, $app.stage));
  const queues = createQueues();
  // Decisions, for people's own rules, and what other regions and accounts forward. It costs nothing until there are events.
  const bus = new sst.aws.Bus("Decisions");

  const functions = createFunctions({ given, prefix, home, sites, storage, queues, bus });
  subscribeFunctions(functions, queues, clusters);
  createSchedules(functions, home);
  const foreigners = foreignersOf(given, prefix);
  createInterruptionRules({ prefix, home, sites, queue: queues.queues.interrupt, bus, foreigners });

  const accessOptions = { prefix, home, sites, clusters: opened, functions };
  const accountRoles = createAccountRoles(accessOptions);
  createAccessEntries(accessOptions, accountRoles);
  createInstanceProfiles(opened);
  const relays = createRelays({ prefix, home, clusters: opened, storage, queues, foreigners });
  const registry = createRegistry(opened, storage, accountRoles);
  refreshAtOnce(functions, clusters, registry);

  const monitored = monitoredOf(given, prefix, functions, queues);
  createAlarms(monitored, aws.cloudwatch.MetricAlarm);
  createDashboards(monitored, aws.cloudwatch.Dashboard, $jsonStringify);

  return {
    relays,
    deployment: prefix,
    region: home.region,
    table: storage.table.name,
    decisions: bus.name,
    next: Object.fromEntries(clusters.map(({ name }) => [name, nextSteps(name)])),
  };
}

function nextSteps(cluster: string): string {
  return [
    `npx timmerman init ${cluster} --stage ${$app.stage}`,
    `npx timmerman values ${cluster} > values.yaml`,
    "helm upgrade --install timmerman charts/timmerman --namespace kube-system --values values.yaml",
  ].join(" && ");
}
