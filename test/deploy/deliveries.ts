// What brings events to functions in AWS, on loopback and at a test's pace: event source mappings as they are deployed, and
// schedules with the input that they were given.
import { toEventBridge } from "../../local/ec2/events.ts";
import type { Account } from "./account.ts";
import { clusterName, functionName, region } from "./deployment.ts";
import type { Invocation } from "./lambdas.ts";
import type { Values } from "./provider/aws.ts";

/** One batch: what the function got, and what it said. */
export interface Delivery {
  readonly bodies: readonly unknown[];
  readonly invocation: Invocation;
}

interface Mapping {
  readonly FunctionArn: string;
  readonly EventSourceArn: string;
  readonly BatchSize: number;
}

/** The mapping that feeds a function, as it is deployed. */
export async function mappingOf({ aws }: Account, name: string): Promise<Values & Mapping> {
  const answer = await aws("lambda", "ListEventSourceMappings");
  const all = answer.EventSourceMappings as (Values & Mapping)[];
  const [mapping, ...others] = all.filter((one) => one.FunctionArn.endsWith(`:${functionName(name)}`));
  if (mapping === undefined || others.length > 0) throw new Error(`${name} should have one mapping of ${all.length}`);
  return mapping;
}

export async function queueUrlOf(account: Account, name: string): Promise<string> {
  const { EventSourceArn } = await mappingOf(account, name);
  const { QueueUrl } = await account.aws("sqs", "GetQueueUrl", { QueueName: EventSourceArn.split(":").at(-1) });
  return String(QueueUrl);
}

/** Takes a batch out of a function's queue and invokes it; deletes what it dealt with. Undefined: nothing was there. */
export async function deliver(account: Account, name: string): Promise<Delivery | undefined> {
  const { EventSourceArn, BatchSize } = await mappingOf(account, name);
  const QueueUrl = await queueUrlOf(account, name);
  const answer = await account.aws("sqs", "ReceiveMessage", {
    QueueUrl,
    MaxNumberOfMessages: BatchSize,
    WaitTimeSeconds: 0,
    AttributeNames: ["All"],
  });
  const messages = (answer.Messages ?? []) as Values[];
  if (messages.length === 0) return undefined;
  const invocation = await account.lambdas.invoke(functionName(name), {
    Records: messages.map((message) => recordOf(message, EventSourceArn)),
  });
  const failures = ((invocation.payload as Values | null)?.batchItemFailures ?? []) as { itemIdentifier: string }[];
  for (const { MessageId, ReceiptHandle } of messages) {
    if (invocation.errored || failures.some((failure) => failure.itemIdentifier === MessageId)) continue;
    await account.aws("sqs", "DeleteMessage", { QueueUrl, ReceiptHandle });
  }
  return { bodies: messages.map((message) => JSON.parse(String(message.Body))), invocation };
}

function recordOf(message: Values, eventSourceARN: string): Values {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: {},
    md5OfBody: message.MD5OfBody,
    eventSource: "aws:sqs",
    eventSourceARN,
    awsRegion: eventSourceARN.split(":")[3],
  };
}

/** Invokes a function as the schedule that has it for a target would, with the time of that moment. */
export async function runSchedule({ aws, lambdas }: Account, name: string, at: Date): Promise<Invocation> {
  const { Schedules } = await aws("scheduler", "ListSchedules");
  for (const { Name, GroupName } of Schedules as Values[]) {
    const { Target } = await aws("scheduler", "GetSchedule", { Name, GroupName });
    const { Arn, Input } = Target as { Arn: string; Input: string };
    if (!Arn.endsWith(`:${functionName(name)}`)) continue;
    const input = Input.replaceAll("<aws.scheduler.scheduled-time>", at.toISOString().replace(/\.\d+Z$/, "Z"));
    return lambdas.invoke(functionName(name), JSON.parse(input));
  }
  throw new Error(`no schedule has ${functionName(name)} for a target`);
}

/**
 * Delivers to these functions, in turn, whatever comes, until the condition holds. Gives all that was delivered; throws
 * after `patienceMs`, with the functions' logs.
 */
export async function deliverUntil(
  account: Account,
  names: readonly string[],
  isDone: () => boolean,
  patienceMs: number,
): Promise<readonly (Delivery & { name: string })[]> {
  const deadlineMs = performance.now() + patienceMs;
  const made: (Delivery & { name: string })[] = [];
  while (!isDone()) {
    if (performance.now() > deadlineMs) {
      const logs = names.map((name) => `${name}:\n${account.lambdas.logOf(functionName(name)).slice(-3_000)}`);
      throw new Error(`what was waited for did not come about. ${logs.join("\n")}`);
    }
    for (const name of names) {
      const delivery = await deliver(account, name);
      if (delivery !== undefined) made.push({ ...delivery, name });
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return made;
}

/** Wakes controllers of the cluster, as a relay does. */
export async function wake(account: Account, ...names: readonly string[]): Promise<void> {
  for (const target of names) {
    const QueueUrl = await queueUrlOf(account, target);
    await account.aws("sqs", "SendMessage", {
      QueueUrl,
      MessageBody: JSON.stringify({ cluster: clusterName, target }),
    });
  }
}

/** What EC2 tells, on the account's default bus, from which rules take it. */
export async function putEvent({ aws }: Account, event: Parameters<typeof toEventBridge>[0]): Promise<void> {
  const told = toEventBridge(event, { region, accountId: "123456789012", id: "00000000-0000-4000-8000-000000000001" });
  await aws("events", "PutEvents", {
    Entries: [
      {
        Source: told.source,
        DetailType: told["detail-type"],
        Detail: JSON.stringify(told.detail),
        Resources: told.resources,
        Time: told.time,
      },
    ],
  });
}
