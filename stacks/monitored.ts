import type { Given } from "./cluster-spec.ts";
import type { Functions } from "./functions.ts";
import type { Monitored } from "./metrics.ts";
import { functionNames } from "./names.ts";
import type { Queues } from "./queues.ts";

type Text = $util.Output<string>;

/** What alarms and dashboards look at. */
export function monitoredOf(
  { deployment, clusters }: Given,
  prefix: string,
  functions: Functions,
  { queues, deadLetters }: Queues,
): Monitored<Text> {
  const namesOf = (parts: Readonly<Record<string, { readonly name: Text }>>): Record<string, Text> =>
    Object.fromEntries(Object.entries(parts).map(([folder, { name }]) => [folder, name]));
  return {
    deployment: prefix,
    region: deployment.region,
    queues: namesOf(queues),
    deadLetterQueues: namesOf(deadLetters),
    functions: Object.fromEntries(functionNames.map((folder) => [folder, functions[folder].name])),
    clusters: clusters.map(({ name }) => name),
    ...(deployment.alarmTopic === undefined ? {} : { topicArn: $output(deployment.alarmTopic) }),
    ...(deployment.metricsPerCluster === undefined ? {} : { metricsPerCluster: deployment.metricsPerCluster }),
    ...(deployment.alarmsPerCluster === undefined ? {} : { alarmsPerCluster: deployment.alarmsPerCluster }),
  };
}
