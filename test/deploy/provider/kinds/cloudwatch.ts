import { type Aws, unlessGone, type Values } from "../aws.ts";
import { given, type Kind, list, tagList, text, values } from "../kind.ts";

const logGroup: Kind = {
  named: { property: "name", maxLength: 512 },
  fixed: ["name", "logGroupClass"],
  tagged: true,
  async create(inputs, around) {
    const name = text(inputs.name);
    await around.aws("logs", "CreateLogGroup", {
      logGroupName: name,
      tags: values(inputs.tagsAll),
      ...given({ kmsKeyId: inputs.kmsKeyId, logGroupClass: inputs.logGroupClass }),
    });
    await retention(name, inputs, around.aws);
    const arn = `arn:${around.partition}:logs:${around.region}:${around.account}:log-group:${name}`;
    return { id: name, outputs: { arn } };
  },
  async update(id, inputs, _olds, { aws }) {
    await retention(id, inputs, aws);
    return {};
  },
  async remove(id, _state, { aws }) {
    await unlessGone(aws("logs", "DeleteLogGroup", { logGroupName: id }));
  },
};

async function retention(logGroupName: string, inputs: Values, aws: Aws): Promise<void> {
  const days = inputs.retentionInDays;
  await (days === undefined || days === 0
    ? unlessGone(aws("logs", "DeleteRetentionPolicy", { logGroupName }))
    : aws("logs", "PutRetentionPolicy", { logGroupName, retentionInDays: days }));
}

function filter(inputs: Values): Values {
  const change = values(inputs.metricTransformation);
  return {
    filterName: inputs.name,
    filterPattern: inputs.pattern,
    logGroupName: inputs.logGroupName,
    metricTransformations: [
      given({
        metricName: change.name,
        metricNamespace: change.namespace,
        metricValue: change.value,
        defaultValue: change.defaultValue === undefined ? undefined : Number(change.defaultValue),
        dimensions: change.dimensions,
        unit: change.unit,
      }),
    ],
  };
}

const logMetricFilter: Kind = {
  named: { property: "name", maxLength: 512 },
  fixed: ["name", "logGroupName"],
  async create(inputs, { aws }) {
    await aws("logs", "PutMetricFilter", filter(inputs));
    return { id: text(inputs.name) };
  },
  async update(_id, inputs, _olds, { aws }) {
    await aws("logs", "PutMetricFilter", filter(inputs));
    return {};
  },
  async remove(id, state, { aws }) {
    await unlessGone(aws("logs", "DeleteMetricFilter", { filterName: id, logGroupName: state.logGroupName }));
  },
};

const dashboard: Kind = {
  named: { property: "dashboardName", maxLength: 255 },
  fixed: ["dashboardName"],
  async create(inputs, around) {
    const name = text(inputs.dashboardName);
    await put(inputs, around.aws);
    return {
      id: name,
      outputs: { dashboardArn: `arn:${around.partition}:cloudwatch::${around.account}:dashboard/${name}` },
    };
  },
  async update(_id, inputs, _olds, { aws }) {
    await put(inputs, aws);
    return {};
  },
  async remove(id, _state, { aws }) {
    await unlessGone(aws("cloudwatch", "DeleteDashboards", { DashboardNames: [id] }));
  },
};

/** CloudWatch answers what it did not understand of a body without an error: here it is one. */
async function put(inputs: Values, aws: Aws): Promise<void> {
  const answer = await aws("cloudwatch", "PutDashboard", {
    DashboardName: inputs.dashboardName,
    DashboardBody: inputs.dashboardBody,
  });
  const messages = list(answer.DashboardValidationMessages);
  if (messages.length > 0) throw new Error(`dashboard ${inputs.dashboardName}: ${JSON.stringify(messages)}`);
}

function alarm(inputs: Values): Values {
  return given({
    AlarmName: inputs.name,
    AlarmDescription: inputs.alarmDescription,
    ActionsEnabled: inputs.actionsEnabled ?? true,
    AlarmActions: inputs.alarmActions,
    OKActions: inputs.okActions,
    InsufficientDataActions: inputs.insufficientDataActions,
    ComparisonOperator: inputs.comparisonOperator,
    EvaluationPeriods: inputs.evaluationPeriods,
    DatapointsToAlarm: inputs.datapointsToAlarm,
    Threshold: inputs.threshold,
    TreatMissingData: inputs.treatMissingData ?? "missing",
    MetricName: inputs.metricName,
    Namespace: inputs.namespace,
    Period: inputs.period,
    Statistic: inputs.statistic,
    ExtendedStatistic: inputs.extendedStatistic,
    Unit: inputs.unit,
    Dimensions: inputs.dimensions === undefined ? undefined : dimensions(inputs.dimensions),
    Metrics: inputs.metricQueries === undefined ? undefined : list(inputs.metricQueries).map(query),
  });
}

function dimensions(given: unknown): Values[] {
  return Object.entries(values(given)).map(([Name, Value]) => ({ Name, Value }));
}

function query(inputs: Values): Values {
  const metric = inputs.metric === undefined ? undefined : values(inputs.metric);
  return given({
    Id: inputs.id,
    Expression: inputs.expression,
    Label: inputs.label,
    ReturnData: inputs.returnData ?? false,
    Period: inputs.period,
    AccountId: inputs.accountId,
    MetricStat:
      metric === undefined
        ? undefined
        : given({
            Metric: {
              Namespace: metric.namespace,
              MetricName: metric.metricName,
              Dimensions: dimensions(metric.dimensions),
            },
            Period: metric.period,
            Stat: metric.stat,
            Unit: metric.unit,
          }),
  });
}

const metricAlarm: Kind = {
  named: { property: "name", maxLength: 255 },
  fixed: ["name"],
  tagged: true,
  async create(inputs, around) {
    const name = text(inputs.name);
    await around.aws("cloudwatch", "PutMetricAlarm", { ...alarm(inputs), Tags: tagList(inputs.tagsAll) });
    return {
      id: name,
      outputs: { arn: `arn:${around.partition}:cloudwatch:${around.region}:${around.account}:alarm:${name}` },
    };
  },
  async update(_id, inputs, _olds, { aws }) {
    await aws("cloudwatch", "PutMetricAlarm", alarm(inputs));
    return {};
  },
  async remove(id, _state, { aws }) {
    await unlessGone(aws("cloudwatch", "DeleteAlarms", { AlarmNames: [id] }));
  },
};

export const cloudwatchKinds: Readonly<Record<string, Kind>> = {
  "aws:cloudwatch/logGroup:LogGroup": logGroup,
  "aws:cloudwatch/logMetricFilter:LogMetricFilter": logMetricFilter,
  "aws:cloudwatch/dashboard:Dashboard": dashboard,
  "aws:cloudwatch/metricAlarm:MetricAlarm": metricAlarm,
};
