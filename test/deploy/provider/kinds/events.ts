import { unlessGone, type Values } from "../aws.ts";
import { given, type Kind, pascal, tagList, text, values } from "../kind.ts";

const eventBus: Kind = {
  named: { property: "name", maxLength: 256 },
  fixed: ["name"],
  tagged: true,
  async create(inputs, { aws }) {
    const name = text(inputs.name);
    const created = await aws("events", "CreateEventBus", { Name: name, Tags: tagList(inputs.tagsAll) });
    return { id: name, outputs: { arn: created.EventBusArn } };
  },
  async update() {
    return {};
  },
  async remove(id, _state, { aws }) {
    await unlessGone(aws("events", "DeleteEventBus", { Name: id }));
  },
  async read(id, _state, { aws }) {
    const answer = await aws("events", "DescribeEventBus", { Name: id });
    return { arn: answer.Arn, name: answer.Name };
  },
};

function rule(inputs: Values): Values {
  return given({
    Name: inputs.name,
    EventBusName: inputs.eventBusName,
    EventPattern: inputs.eventPattern,
    ScheduleExpression: inputs.scheduleExpression,
    State: inputs.state ?? "ENABLED",
    Description: inputs.description,
    RoleArn: inputs.roleArn,
  });
}

const eventRule: Kind = {
  named: { property: "name", maxLength: 64 },
  fixed: ["name", "eventBusName"],
  tagged: true,
  async create(inputs, { aws }) {
    const created = await aws("events", "PutRule", { ...rule(inputs), Tags: tagList(inputs.tagsAll) });
    return { id: text(inputs.name), outputs: { arn: created.RuleArn } };
  },
  async update(_id, inputs, _olds, { aws }) {
    await aws("events", "PutRule", rule(inputs));
    return {};
  },
  async remove(id, state, { aws }) {
    await unlessGone(aws("events", "DeleteRule", given({ Name: id, EventBusName: state.eventBusName })));
  },
};

function target(inputs: Values): Values {
  return given({
    Rule: inputs.rule,
    EventBusName: inputs.eventBusName,
    Targets: [
      given({
        Id: inputs.targetId,
        Arn: inputs.arn,
        Input: inputs.input,
        InputPath: inputs.inputPath,
        RoleArn: inputs.roleArn,
        InputTransformer:
          inputs.inputTransformer === undefined
            ? undefined
            : given({
                InputPathsMap: values(inputs.inputTransformer).inputPaths,
                InputTemplate: values(inputs.inputTransformer).inputTemplate,
              }),
        DeadLetterConfig: pascal(inputs.deadLetterConfig),
        RetryPolicy: pascal(inputs.retryPolicy),
      }),
    ],
  });
}

const eventTarget: Kind = {
  named: { property: "targetId", maxLength: 64 },
  fixed: ["rule", "targetId", "eventBusName"],
  async create(inputs, { aws }) {
    await aws("events", "PutTargets", target(inputs));
    return { id: `${inputs.rule}-${inputs.targetId}` };
  },
  async update(_id, inputs, _olds, { aws }) {
    await aws("events", "PutTargets", target(inputs));
    return {};
  },
  async remove(_id, state, { aws }) {
    const { rule: Rule, eventBusName: EventBusName, targetId } = state;
    await unlessGone(aws("events", "RemoveTargets", given({ Rule, EventBusName, Ids: [targetId] })));
  },
};

/** Pulumi writes times, windows and targets of a schedule as the API does, but for the case of names. */
function schedule(inputs: Values): Values {
  return given({
    Name: inputs.name,
    GroupName: inputs.groupName,
    Description: inputs.description,
    ScheduleExpression: inputs.scheduleExpression,
    ScheduleExpressionTimezone: inputs.scheduleExpressionTimezone,
    State: inputs.state ?? "ENABLED",
    FlexibleTimeWindow: pascal(inputs.flexibleTimeWindow ?? { mode: "OFF" }),
    Target: pascal(inputs.target),
    StartDate: inputs.startDate,
    EndDate: inputs.endDate,
  });
}

const scheduleKind: Kind = {
  named: { property: "name", maxLength: 64 },
  fixed: ["name", "groupName"],
  async create(inputs, { aws }) {
    const created = await aws("scheduler", "CreateSchedule", schedule(inputs));
    return { id: `${inputs.groupName ?? "default"}/${inputs.name}`, outputs: { arn: created.ScheduleArn } };
  },
  async update(_id, inputs, _olds, { aws }) {
    await aws("scheduler", "UpdateSchedule", schedule(inputs));
    return {};
  },
  async remove(_id, state, { aws }) {
    await unlessGone(aws("scheduler", "DeleteSchedule", given({ Name: state.name, GroupName: state.groupName })));
  },
};

export const eventsKinds: Readonly<Record<string, Kind>> = {
  "aws:cloudwatch/eventBus:EventBus": eventBus,
  "aws:cloudwatch/eventRule:EventRule": eventRule,
  "aws:cloudwatch/eventTarget:EventTarget": eventTarget,
  "aws:scheduler/schedule:Schedule": scheduleKind,
};
