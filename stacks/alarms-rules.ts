import type { AlarmQuery, AlarmRule } from "./alarms.ts";
import { type Monitored, metricNamed, namespace } from "./metrics.ts";

/** Whose alarm: of all clusters together, or of one. */
interface Scope {
  readonly service: string;
  readonly cluster?: string;
}

const minuteSeconds = 60;
/** CloudWatch takes ten metrics in the formula of an alarm. */
const maxMetricsPerFormula = 10;

type Stat = "Maximum" | "Sum" | "p95";

function ours<Name>(
  id: string,
  name: string,
  stat: Stat,
  period: number,
  { service, cluster }: Scope,
): AlarmQuery<Name> {
  const dimensions = { service, ...(cluster === undefined ? {} : { cluster }) };
  const metric = { namespace, metricName: metricNamed(name).name, dimensions, period, stat };
  return { id, returnData: true, label: name, metric };
}

type Rule<Name> = Omit<AlarmRule<Name>, "comparison"> & { readonly comparison?: AlarmRule<Name>["comparison"] };

function rule<Name>(given: Rule<Name>): AlarmRule<Name> {
  return { comparison: "GreaterThanThreshold", ...given };
}

const nothingHappened = { as: "notBreaching", because: "a count is written only when something happened" } as const;
const zeroIsSilent = {
  as: "notBreaching",
  because: "a gauge of a cluster is not written while it is zero, and runs that do not come have alarms of their own",
} as const;

/** The four alerts that users of Karpenter know, and a termination that does not end, and so is in no duration. */
export function clusterRules<Name>(scope: Scope): readonly AlarmRule<Name>[] {
  const of = scope.cluster === undefined ? {} : { of: scope.cluster };
  return [
    rule({
      ...of,
      id: "queue-depth",
      meaning: "More than 5 pods of a cluster have waited for a node for two minutes.",
      remedy:
        "Read the pods' FailedScheduling events; look at the NodePools' limits, at refused launches and at the role's permissions.",
      queries: [ours("pods", "karpenter_scheduler_queue_depth", "Maximum", minuteSeconds, scope)],
      threshold: 5,
      periods: 2,
      periodsOver: 2,
      missing: zeroIsSilent,
    }),
    rule({
      ...of,
      id: "termination-slow",
      meaning: "Nodes take longer than 10 minutes to go (95th percentile).",
      remedy:
        "Look for budgets that allow no eviction, for do-not-disrupt pods, and set terminationGracePeriod on the pool.",
      queries: [ours("seconds", "karpenter_nodes_termination_duration_seconds", "p95", 5 * minuteSeconds, scope)],
      threshold: 600,
      periods: 1,
      periodsOver: 1,
      missing: nothingHappened,
    }),
    rule({
      ...of,
      id: "termination-stuck",
      meaning: "A node has been on its way out for longer than 10 minutes and is still there.",
      remedy: "Find the claim with kubectl get nodeclaims; its FailedDraining event names the pods that hold it.",
      queries: [ours("seconds", "timmerman_oldest_termination_seconds", "Maximum", minuteSeconds, scope)],
      threshold: 600,
      periods: 5,
      periodsOver: 3,
      missing: zeroIsSilent,
    }),
    rule({
      ...of,
      id: "created-surge",
      meaning: "More than 100 claims were made in five minutes.",
      remedy: "Look for a Deployment or autoscaler that runs away; lower the NodePools' limits to stop it.",
      queries: [ours("claims", "karpenter_nodeclaims_created_total", "Sum", 5 * minuteSeconds, scope)],
      threshold: 100,
      periods: 1,
      periodsOver: 1,
      missing: nothingHappened,
    }),
    rule({
      ...of,
      id: "disruption-blocked",
      meaning: "More than 3 nodes of a cluster could go, and for an hour none was chosen.",
      remedy: "Look at the NodePools' disruption budgets and at their schedules.",
      queries: [
        {
          ...ours<Name>("nodes", "karpenter_voluntary_disruption_eligible_nodes", "Maximum", 15 * minuteSeconds, scope),
          returnData: false,
        },
        {
          ...ours<Name>(
            "decisions",
            "karpenter_voluntary_disruption_decisions_total",
            "Sum",
            15 * minuteSeconds,
            scope,
          ),
          returnData: false,
        },
        {
          id: "blocked",
          returnData: true,
          label: "eligible and not chosen",
          expression: "IF(FILL(decisions, 0) > 0, 0, nodes)",
        },
      ],
      threshold: 3,
      periods: 4,
      periodsOver: 4,
      missing: zeroIsSilent,
    }),
  ];
}

export function deploymentRules<Name>(input: Monitored<Name>): readonly AlarmRule<Name>[] {
  const scope = { service: input.deployment };
  return [...clusterRules<Name>(scope), ...knowledgeRules<Name>(scope), ...queueRules(input), ...functionRules(input)];
}

/** What says that records, relays or runs are not what they should be. */
function knowledgeRules<Name>(scope: Scope): readonly AlarmRule<Name>[] {
  return [
    rule({
      id: "silent-relays",
      meaning: "A cluster's relay has been silent for five minutes, or the tick does not run.",
      remedy:
        "The tick looks in its place every minute. Look at the relay's pods in kube-system; if no value comes at all, at the tick function.",
      queries: [ours("relays", "timmerman_silent_relays", "Maximum", minuteSeconds, scope)],
      threshold: 0,
      periods: 5,
      periodsOver: 5,
      missing: {
        as: "breaching",
        because: "the tick writes it every minute, zero too: no value means that the tick does not run",
      },
    }),
    rule({
      id: "lost-commits",
      meaning: "Commits lose against others again and again.",
      remedy:
        "Planning is repeated and nothing is wrong yet; look whether two deployments serve one cluster, or raise nothing and wait.",
      queries: [ours("commits", "timmerman_commits_lost_total", "Sum", 5 * minuteSeconds, scope)],
      threshold: 50,
      periods: 3,
      periodsOver: 3,
      missing: nothingHappened,
    }),
    rule({
      id: "orphans-refused",
      meaning:
        "Garbage collection found instances without a claim and terminates none, as it looks like missing records.",
      remedy:
        "Compare the instances' tags with the table before anything else; then restore the table, or take off the tags that are wrong.",
      queries: [ours("runs", "timmerman_garbage_refusals_total", "Sum", 15 * minuteSeconds, scope)],
      threshold: 0,
      periods: 1,
      periodsOver: 1,
      missing: nothingHappened,
    }),
    rule({
      id: "orphans-found",
      meaning: "More than 3 instances without a claim were found in an hour.",
      remedy: "They are terminated on a second look; find out from the log who lost them.",
      queries: [ours("instances", "timmerman_orphans_found_total", "Sum", 60 * minuteSeconds, scope)],
      threshold: 3,
      periods: 1,
      periodsOver: 1,
      missing: nothingHappened,
    }),
    rule({
      id: "missing-heads",
      meaning: "A cluster has no head in the table, or that of another cluster of its name: nothing is decided for it.",
      remedy:
        "Set it up with timmerman init if it is new; if its records were lost, restore the table; if it was made anew, give it another name.",
      queries: [ours("runs", "timmerman_missing_heads_total", "Sum", 5 * minuteSeconds, scope)],
      threshold: 0,
      periods: 3,
      periodsOver: 2,
      missing: nothingHappened,
    }),
    rule({
      id: "catalog-stale",
      meaning: "Instance types and prices of a region are older than six hours.",
      remedy: "Look at the log of refresh-catalog: its permissions, and the catalog's bucket.",
      queries: [ours("age", "timmerman_catalog_age_seconds", "Maximum", 15 * minuteSeconds, scope)],
      threshold: 6 * 60 * minuteSeconds,
      periods: 2,
      periodsOver: 2,
      missing: { as: "notBreaching", because: "only runs that plan write it, and an idle deployment has none" },
    }),
    rule({
      id: "messages-failed",
      meaning: "Messages are given back to their queues, more than 20 in five minutes.",
      remedy: "The functions' logs say which cluster and why; those that never succeed end among the dead letters.",
      queries: [ours("messages", "timmerman_messages_failed_total", "Sum", 5 * minuteSeconds, scope)],
      threshold: 20,
      periods: 3,
      periodsOver: 3,
      missing: nothingHappened,
    }),
  ];
}

function sqs<Name>(id: string, metricName: string, QueueName: Name, period: number): AlarmQuery<Name> {
  const metric = { namespace: "AWS/SQS", metricName, dimensions: { QueueName }, period, stat: "Maximum" };
  return { id, returnData: true, metric };
}

const idleQueue = { as: "notBreaching", because: "SQS says nothing of a queue that has been idle for hours" } as const;
/** An interruption is of use for two minutes. */
const maxAgeSeconds = (queue: string) => (queue === "interrupt" ? 2 * minuteSeconds : 5 * minuteSeconds);

function queueRules<Name>({ queues, deadLetterQueues }: Monitored<Name>): readonly AlarmRule<Name>[] {
  return [
    ...Object.entries(queues).map(([queue, name]) =>
      rule<Name>({
        id: "oldest-wake",
        of: queue,
        meaning: `The oldest message of the queue ${queue} is older than ${maxAgeSeconds(queue) / minuteSeconds} minutes.`,
        remedy: `Look at the errors and throttles of the function ${queue}, and at its concurrency.`,
        queries: [sqs("age", "ApproximateAgeOfOldestMessage", name, minuteSeconds)],
        threshold: maxAgeSeconds(queue),
        periods: 3,
        periodsOver: 3,
        missing: idleQueue,
      }),
    ),
    ...Object.entries(deadLetterQueues).map(([queue, name]) =>
      rule<Name>({
        id: "dead-letters",
        of: queue,
        meaning: `Messages of the queue ${queue} could not be dealt with and are among its dead letters.`,
        remedy: "Wakes carry no facts: find the cause in the log, then purge or redrive; an interruption may be lost.",
        queries: [sqs("letters", "ApproximateNumberOfMessagesVisible", name, 5 * minuteSeconds)],
        threshold: 0,
        periods: 1,
        periodsOver: 1,
        missing: idleQueue,
      }),
    ),
  ];
}

function functionRules<Name>({ functions }: Monitored<Name>): readonly AlarmRule<Name>[] {
  const all = Object.entries(functions);
  const parts = Array.from({ length: Math.ceil(all.length / maxMetricsPerFormula) }, (_, at) =>
    all.slice(at * maxMetricsPerFormula, (at + 1) * maxMetricsPerFormula),
  );
  const summed = (metricName: string, part: readonly (readonly [string, Name])[]): AlarmQuery<Name>[] => [
    ...part.map(([label, FunctionName], at) => ({
      id: `f${at}`,
      label,
      returnData: false,
      metric: {
        namespace: "AWS/Lambda",
        metricName,
        dimensions: { FunctionName },
        period: 5 * minuteSeconds,
        stat: "Sum",
      },
    })),
    { id: "all", label: metricName, returnData: true, expression: "SUM(METRICS())" },
  ];
  const idle = { as: "notBreaching", because: "Lambda says nothing of a function that was not invoked" } as const;
  return parts.flatMap((part, at) => {
    const of = parts.length === 1 ? {} : { of: String(at + 1) };
    return [
      rule<Name>({
        ...of,
        id: "function-errors",
        meaning: "Invocations fail, more than 5 in five minutes.",
        remedy: "Look at the log of the function that the graph names: a wrong configuration says so in one line.",
        queries: summed("Errors", part),
        threshold: 5,
        periods: 2,
        periodsOver: 2,
        missing: idle,
      }),
      rule<Name>({
        ...of,
        id: "function-throttles",
        meaning: "Lambda throttles invocations.",
        remedy: "The account's concurrency is used up: raise the quota, or keep some for these functions.",
        queries: summed("Throttles", part),
        threshold: 10,
        periods: 3,
        periodsOver: 3,
        missing: idle,
      }),
    ];
  });
}
