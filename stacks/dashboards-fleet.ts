import { activity, byLabel, goingAway, holdings, latency, standing, type Whose, waiting } from "./dashboards-parts.ts";
import {
  type Cell,
  formula,
  gaugePeriod,
  type Line,
  minutePeriod,
  overClusters,
  own,
  topClusters,
} from "./dashboards-widgets.ts";
import type { Monitored } from "./metrics.ts";
import { batched, capacityTypes, controllers, phases } from "./metrics-labels.ts";

const microUsdPerUsd = 1_000_000;
const fiveMinutes = 300;

/** All clusters of a deployment: sums, the ones that stand out, and the functions and queues behind them. */
export function fleetCells<Name>(input: Monitored<Name>): Cell<Name>[] {
  const whose = { service: input.deployment };
  const sums = input.metricsPerCluster !== false;
  return [
    {
      markdown: `# ${input.deployment}: all clusters\nAlarms and metrics are explained in docs/monitoring.md. One cluster: dashboard ${clusterDashboard(input)}.`,
    },
    ...numbers(input, whose, sums),
    { markdown: "## Capacity and cost" },
    ...(sums ? summed<Name>(input.deployment) : [...holdings<Name>(whose), standing<Name>(whose)]),
    { markdown: "## Pods and claims" },
    waiting(whose),
    ...(sums ? [top<Name>(input, "Pending pods, clusters with the most", "karpenter_scheduler_queue_depth")] : []),
    ...activity<Name>(whose),
    ...goingAway<Name>(whose),
    { markdown: "## Latency" },
    ...latency<Name>(whose),
    { markdown: "## Functions and queues" },
    ...health<Name>(input, whose),
  ];
}

export function clusterDashboard({ deployment }: Pick<Monitored, "deployment">): string {
  return `${deployment}-cluster`;
}

function top<Name>({ deployment }: Monitored<Name>, title: string, name: string, period = minutePeriod): Cell<Name> {
  return { title, period, lines: [topClusters(name, deployment, period, "MAX")] };
}

function numbers<Name>(input: Monitored<Name>, whose: Whose, sums: boolean): Cell<Name>[] {
  const { deployment, queues } = input;
  const cost = overClusters("timmerman_hourly_cost_micro_usd", deployment);
  const ages = Object.entries(queues).map(
    ([queue, name]): Line<Name> => ["AWS/SQS", "ApproximateAgeOfOldestMessage", "QueueName", name, { label: queue }],
  );
  const number = (title: string, lines: readonly Line<Name>[], period: number): Cell<Name> => ({
    title,
    lines,
    period,
    view: "singleValue",
    stat: "Maximum",
    width: 6,
    height: 4,
  });
  return [
    number(
      "Dollars an hour",
      sums
        ? [formula(`${cost} / ${microUsdPerUsd}`, "all clusters", gaugePeriod)]
        : [
            own("timmerman_hourly_cost_micro_usd", { ...whose }, { id: "cost", visible: false }),
            formula(`cost / ${microUsdPerUsd}`, "dearest cluster"),
          ],
      gaugePeriod,
    ),
    number(
      "Pending pods, cluster with the most",
      [own("karpenter_scheduler_queue_depth", { ...whose }, { label: "pods" })],
      minutePeriod,
    ),
    number("Silent relays", [own("timmerman_silent_relays", { ...whose }, { label: "clusters" })], minutePeriod),
    number("Oldest wake, seconds", ages, minutePeriod),
  ];
}

/** Sums over clusters of what is a gauge of each. */
function summed<Name>(deployment: string): Cell<Name>[] {
  const by = (title: string, name: string, label: string, values: readonly string[], unit?: string): Cell<Name> => ({
    title,
    period: gaugePeriod,
    stacked: true,
    ...(unit === undefined ? {} : { unit }),
    lines: values.map((value) => formula(overClusters(name, deployment, { [label]: value }), value, gaugePeriod)),
  });
  const cost = overClusters("timmerman_hourly_cost_micro_usd", deployment);
  return [
    by("Nodes, by capacity type", "timmerman_nodes", "capacity_type", capacityTypes),
    by("vCPUs, by capacity type", "timmerman_vcpus", "capacity_type", capacityTypes),
    by("Memory, by capacity type", "timmerman_memory_bytes", "capacity_type", capacityTypes, "bytes"),
    by("Claims, by phase", "timmerman_nodeclaims", "phase", phases),
    {
      title: "Dollars an hour",
      period: gaugePeriod,
      unit: "USD/h",
      lines: [formula(`${cost} / ${microUsdPerUsd}`, "all clusters", gaugePeriod)],
    },
    {
      title: "Cost, clusters with the highest (millionths of a dollar an hour)",
      period: gaugePeriod,
      lines: [topClusters("timmerman_hourly_cost_micro_usd", deployment, gaugePeriod, "MAX")],
    },
  ];
}

function health<Name>({ queues, deadLetterQueues, functions }: Monitored<Name>, whose: Whose): Cell<Name>[] {
  const sqs = (names: Readonly<Record<string, Name>>, metric: string): Line<Name>[] =>
    Object.entries(names).map(([queue, name]) => ["AWS/SQS", metric, "QueueName", name, { label: queue }]);
  const lambda = (metric: string, stat: string): Line<Name>[] =>
    Object.entries(functions).map(([label, name]) => ["AWS/Lambda", metric, "FunctionName", name, { label, stat }]);
  return [
    {
      title: "Age of the oldest wake",
      unit: "seconds",
      stat: "Maximum",
      lines: sqs(queues, "ApproximateAgeOfOldestMessage"),
    },
    { title: "Messages waiting", stat: "Maximum", lines: sqs(queues, "ApproximateNumberOfMessagesVisible") },
    {
      title: "Dead letters",
      stat: "Maximum",
      period: fiveMinutes,
      lines: sqs(deadLetterQueues, "ApproximateNumberOfMessagesVisible"),
    },
    { title: "Invocations that failed", period: fiveMinutes, lines: lambda("Errors", "Sum") },
    { title: "Invocations throttled", period: fiveMinutes, lines: lambda("Throttles", "Sum") },
    { title: "Invocations", period: fiveMinutes, lines: lambda("Invocations", "Sum") },
    {
      title: "Messages given back, by controller",
      period: fiveMinutes,
      lines: byLabel("timmerman_messages_failed_total", whose, "controller", batched),
    },
    {
      title: "Objects that failed alone, by controller",
      period: fiveMinutes,
      lines: byLabel("timmerman_object_failures_total", whose, "controller", controllers),
    },
    {
      title: "Duration of runs, 95th percentile",
      unit: "seconds",
      period: fiveMinutes,
      lines: byLabel("timmerman_run_duration_seconds", whose, "controller", controllers, { stat: "p95" }),
    },
    {
      title: "Lost commits, orphans, missing heads, lost events",
      period: fiveMinutes,
      lines: [
        own("timmerman_commits_lost_total", { ...whose }, { label: "commits lost" }),
        own("timmerman_orphans_found_total", { ...whose }, { label: "orphans found" }),
        own("timmerman_orphans_terminated_total", { ...whose }, { label: "orphans terminated" }),
        own("timmerman_garbage_refusals_total", { ...whose }, { label: "garbage collections refused" }),
        own("timmerman_missing_heads_total", { ...whose }, { label: "runs without a head" }),
        own("timmerman_decisions_lost_total", { ...whose }, { label: "decision events lost" }),
        own("timmerman_messages_unreadable_total", { ...whose }, { label: "unreadable messages" }),
      ],
    },
    {
      title: "Interruptions",
      period: fiveMinutes,
      lines: [
        own("karpenter_interruption_received_messages_total", { ...whose }, { label: "received" }),
        own("timmerman_foreign_interruptions_total", { ...whose }, { label: "of others' instances" }),
        own("karpenter_interruption_deleted_messages_total", { ...whose }, { label: "dealt with" }),
      ],
    },
    {
      title: "Interruption to its handling",
      unit: "seconds",
      period: fiveMinutes,
      lines: ["p50", "p95"].map((stat) =>
        own("karpenter_interruption_message_queue_duration_seconds", { ...whose }, { stat, label: stat }),
      ),
    },
  ];
}
