// Alarms as data, then as CloudWatch alarms. One set for a deployment however many clusters it serves: a gauge's maximum
// over all clusters says that some cluster is in need, and the cluster dashboard says which. Answers to the four alerts
// that users of Karpenter know, and adds what only functions and queues can have.
import { clusterRules, deploymentRules } from "./alarms-rules.ts";
import type { Monitored } from "./metrics.ts";

/** One metric of an alarm, or a formula over the others. */
export interface AlarmQuery<Name> {
  id: string;
  /** True for the one that is compared. */
  returnData: boolean;
  label?: string;
  expression?: string;
  metric?: {
    namespace: string;
    metricName: string;
    dimensions: Record<string, Name | string>;
    /** Seconds. */
    period: number;
    stat: string;
  };
}

export type Comparison = "GreaterThanThreshold" | "GreaterThanOrEqualToThreshold";

/** What no value means: all well, or that whoever should write it does not run. */
export type MissingValues = "notBreaching" | "breaching";

export interface AlarmRule<Name = string> {
  /** Its heading in docs/monitoring.md too. */
  readonly id: string;
  readonly meaning: string;
  /** What to do, in a line. */
  readonly remedy: string;
  readonly queries: readonly AlarmQuery<Name>[];
  readonly comparison: Comparison;
  readonly threshold: number;
  /** So many periods, and in how many of them it must hold. */
  readonly periods: number;
  readonly periodsOver: number;
  readonly missing: { readonly as: MissingValues; readonly because: string };
  /** Set where the alarm is of one cluster, queue or function. */
  readonly of?: string;
}

/** As `aws.cloudwatch.MetricAlarm` takes it. */
export interface AlarmArgs<Name = string> {
  name: string;
  alarmDescription: string;
  comparisonOperator: Comparison;
  threshold: number;
  evaluationPeriods: number;
  datapointsToAlarm: number;
  treatMissingData: MissingValues;
  metricQueries: AlarmQuery<Name>[];
  alarmActions?: Name[];
  okActions?: Name[];
}

/** All alarms of a deployment; with `alarmsPerCluster` those that can name a cluster also for each. */
export function alarmRules<Name>(input: Monitored<Name>): readonly AlarmRule<Name>[] {
  const clusters = input.alarmsPerCluster === true ? input.clusters : [];
  return [
    ...deploymentRules(input),
    ...clusters.flatMap((cluster) => clusterRules<Name>({ service: input.deployment, cluster })),
  ];
}

/** CloudWatch's bound for a description. */
const maxDescriptionLength = 1024;

export function alarmArgs<Name>(input: Monitored<Name>): readonly AlarmArgs<Name>[] {
  return alarmRules(input).map((rule) => {
    const actions = input.topicArn === undefined ? [] : [input.topicArn];
    return {
      name: [input.deployment, rule.id, ...(rule.of === undefined ? [] : [rule.of])].join("-"),
      alarmDescription: `${rule.meaning} ${rule.remedy} See docs/monitoring.md#${rule.id}`.slice(
        0,
        maxDescriptionLength,
      ),
      comparisonOperator: rule.comparison,
      threshold: rule.threshold,
      evaluationPeriods: rule.periods,
      datapointsToAlarm: rule.periodsOver,
      treatMissingData: rule.missing.as,
      metricQueries: [...rule.queries],
      ...(actions.length === 0 ? {} : { alarmActions: actions, okActions: actions }),
    };
  });
}

/** CloudWatch bills an alarm for each metric that it looks at (us-east-1, standard resolution, a month). */
export const alarmMetricMicroUsdPerMonth = 100_000;

export function alarmMetrics(rules: readonly AlarmRule<unknown>[]): number {
  return rules.reduce((sum, { queries }) => sum + queries.filter(({ metric }) => metric !== undefined).length, 0);
}

/** Makes the alarms: give it `aws.cloudwatch.MetricAlarm`. Their names in the stack are those in CloudWatch. */
export function createAlarms<Name, Made>(
  input: Monitored<Name>,
  MetricAlarm: new (name: string, args: AlarmArgs<Name>) => Made,
): readonly Made[] {
  return alarmArgs(input).map((args) => new MetricAlarm(args.name, args));
}
