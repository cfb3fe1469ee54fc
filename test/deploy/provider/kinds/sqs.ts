import { unlessGone, type Values } from "../aws.ts";
import { type Kind, text, values } from "../kind.ts";

/** Attribute of the API by the property that sets it. */
const attributeNames: Readonly<Record<string, string>> = {
  delaySeconds: "DelaySeconds",
  fifoQueue: "FifoQueue",
  maxMessageSize: "MaximumMessageSize",
  messageRetentionSeconds: "MessageRetentionPeriod",
  policy: "Policy",
  receiveWaitTimeSeconds: "ReceiveMessageWaitTimeSeconds",
  redriveAllowPolicy: "RedriveAllowPolicy",
  redrivePolicy: "RedrivePolicy",
  sqsManagedSseEnabled: "SqsManagedSseEnabled",
  visibilityTimeoutSeconds: "VisibilityTimeout",
};

const queue: Kind = {
  named: { property: "name", maxLength: 80 },
  fixed: ["name", "fifoQueue"],
  tagged: true,
  async create(inputs, { aws }) {
    const created = await aws("sqs", "CreateQueue", {
      QueueName: text(inputs.name),
      Attributes: attributes(inputs),
      tags: values(inputs.tagsAll),
    });
    const url = text(created.QueueUrl);
    const answer = await aws("sqs", "GetQueueAttributes", { QueueUrl: url, AttributeNames: ["QueueArn"] });
    return { id: url, outputs: { url, arn: values(answer.Attributes).QueueArn } };
  },
  async update(id, inputs, _olds, { aws }) {
    await aws("sqs", "SetQueueAttributes", { QueueUrl: id, Attributes: attributes(inputs) });
    return {};
  },
  async remove(id, _state, { aws }) {
    await unlessGone(aws("sqs", "DeleteQueue", { QueueUrl: id }));
  },
  async read(id, _state, { aws }) {
    const answer = await aws("sqs", "GetQueueAttributes", { QueueUrl: id, AttributeNames: ["QueueArn"] });
    return { url: id, arn: values(answer.Attributes).QueueArn };
  },
};

/** The API takes texts, and of `FifoQueue` only "true". */
function attributes(inputs: Values): Record<string, string> {
  const set = Object.entries(attributeNames).filter(
    ([property]) => inputs[property] !== undefined && !(property === "fifoQueue" && inputs[property] === false),
  );
  return Object.fromEntries(set.map(([property, attribute]) => [attribute, String(inputs[property])]));
}

const queuePolicy: Kind = {
  fixed: ["queueUrl"],
  async create(inputs, { aws }) {
    const url = text(inputs.queueUrl);
    await aws("sqs", "SetQueueAttributes", { QueueUrl: url, Attributes: { Policy: text(inputs.policy) } });
    return { id: url };
  },
  async update(id, inputs, _olds, { aws }) {
    await aws("sqs", "SetQueueAttributes", { QueueUrl: id, Attributes: { Policy: text(inputs.policy) } });
    return {};
  },
  async remove(id, _state, { aws }) {
    await unlessGone(aws("sqs", "SetQueueAttributes", { QueueUrl: id, Attributes: { Policy: "" } }));
  },
};

const redriveAllowPolicy: Kind = {
  fixed: ["queueUrl"],
  async create(inputs, { aws }) {
    const url = text(inputs.queueUrl);
    await aws("sqs", "SetQueueAttributes", {
      QueueUrl: url,
      Attributes: { RedriveAllowPolicy: text(inputs.redriveAllowPolicy) },
    });
    return { id: url };
  },
  async update(id, inputs, _olds, { aws }) {
    const Attributes = { RedriveAllowPolicy: text(inputs.redriveAllowPolicy) };
    await aws("sqs", "SetQueueAttributes", { QueueUrl: id, Attributes });
    return {};
  },
  async remove(id, _state, { aws }) {
    await unlessGone(aws("sqs", "SetQueueAttributes", { QueueUrl: id, Attributes: { RedriveAllowPolicy: "" } }));
  },
};

export const sqsKinds: Readonly<Record<string, Kind>> = {
  "aws:sqs/queue:Queue": queue,
  "aws:sqs/redriveAllowPolicy:RedriveAllowPolicy": redriveAllowPolicy,
  "aws:sqs/queuePolicy:QueuePolicy": queuePolicy,
};
