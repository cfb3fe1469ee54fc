import type { Places } from "../../stacks/policies.ts";
import type { AccessRequest } from "../stacks/allows.ts";
import type { RecordedCall } from "./recorder.ts";

// What IAM is asked for by one call: its action on each resource, with the condition keys that AWS's service authorization
// reference gives it. Written down here by hand: transactions are their single writes, batches of messages are messages,
// and a fleet runs instances, makes tags and passes a role.

type Item = Readonly<Record<string, { readonly S?: string }>>;

/** Requests of one call; throws for a call that is not known here. */
export function requestsOf(call: RecordedCall, places: Places): readonly AccessRequest[] {
  switch (call.service) {
    case "dynamodb":
      return dynamoRequests(call, places);
    case "sqs":
      return sqsRequests(call, places);
    default:
      return ec2Requests(call, places);
  }
}

function dynamoRequests({ operation, input }: RecordedCall, { tableArn }: Places): readonly AccessRequest[] {
  const on = (action: string, key: Item): AccessRequest => ({
    action: `dynamodb:${action}`,
    resource: tableArn,
    context: { "dynamodb:LeadingKeys": [key.pk?.S ?? ""] },
  });
  switch (operation) {
    case "GetItem":
    case "DeleteItem":
    case "UpdateItem":
      return [on(operation, input.Key as Item)];
    case "PutItem":
      return [on(operation, input.Item as Item)];
    case "Query": {
      const index = input.IndexName;
      const values = Object.values(input.ExpressionAttributeValues as Item).flatMap((value) => value.S ?? []);
      const resource = index === undefined ? tableArn : `${tableArn}/index/${index as string}`;
      return [{ action: "dynamodb:Query", resource, context: { "dynamodb:LeadingKeys": values.slice(0, 1) } }];
    }
    case "BatchWriteItem": {
      const writes = Object.values(input.RequestItems as Record<string, { PutRequest: { Item: Item } }[]>).flat();
      return writes.map((write) => on("BatchWriteItem", write.PutRequest.Item));
    }
    case "TransactWriteItems": {
      const writes = input.TransactItems as Record<string, { Key?: Item; Item?: Item }>[];
      return writes.flatMap((write) =>
        Object.entries(write).map(([kind, { Key, Item }]) =>
          on(kind === "ConditionCheck" ? "ConditionCheckItem" : `${kind}Item`, (Key ?? Item)!),
        ),
      );
    }
    default:
      throw new Error(`DynamoDB's ${operation} is not known here`);
  }
}

function sqsRequests({ operation, input }: RecordedCall, { queueArns }: Places): readonly AccessRequest[] {
  if (operation !== "SendMessage" && operation !== "SendMessageBatch")
    throw new Error(`SQS's ${operation} is not known here`);
  const name = String(input.QueueUrl).split("/").at(-1) as keyof typeof queueArns;
  return [{ action: "sqs:SendMessage", resource: queueArns[name] ?? `no queue ${name}`, context: {} }];
}

function ec2Requests({ operation, input }: RecordedCall, places: Places): readonly AccessRequest[] {
  const { partition, region, account, deployment, nodeRoles } = places;
  const context = { "aws:RequestedRegion": [region] };
  const arn = (kind: string, id: string, owner = account) => `arn:${partition}:ec2:${region}:${owner}:${kind}/${id}`;
  const tagged = { ...context, "aws:RequestTag/timmerman/deployment": [deployment] };
  const own = { ...context, "aws:ResourceTag/timmerman/deployment": [deployment] };
  const text = (field: string) => String(input[field] ?? "");
  if (operation.startsWith("Describe")) return [{ action: `ec2:${operation}`, resource: "*", context }];
  const tagging = (kind: string, action: string): AccessRequest => ({
    action: "ec2:CreateTags",
    resource: arn(kind, "new"),
    context: { ...tagged, "ec2:CreateAction": [action] },
  });
  switch (operation) {
    case "TerminateInstances":
      return listOf(input, "InstanceId").map((id) => ({
        action: "ec2:TerminateInstances",
        resource: arn("instance", id),
        context: own,
      }));
    case "CreateTags":
      return listOf(input, "ResourceId").map((id) => ({
        action: "ec2:CreateTags",
        resource: arn("instance", id),
        context: { ...own, "aws:TagKeys": keysOf(input, /^Tag\.\d+\.Key$/) },
      }));
    case "CreateLaunchTemplate":
      requireTag(input, /^TagSpecification\.1\.Tag\.\d+\.Key$/);
      return [
        { action: "ec2:CreateLaunchTemplate", resource: arn("launch-template", "new"), context: tagged },
        tagging("launch-template", "CreateLaunchTemplate"),
      ];
    case "CreateFleet": {
      requireTag(input, /^TagSpecification\.1\.Tag\.\d+\.Key$/);
      const subnets = Object.entries(input).flatMap(([field, value]) =>
        /SubnetId$/.test(field) ? [String(value)] : [],
      );
      const run = (resource: string, of: AccessRequest["context"] = context): AccessRequest[] =>
        ["ec2:RunInstances", "ec2:CreateFleet"].map((action) => ({ action, resource, context: of }));
      return [
        ...[...new Set(subnets)].flatMap((id) => run(arn("subnet", id))),
        ...run(arn("image", "ami-1", "")),
        ...run(arn("snapshot", "snap-1", "")),
        ...run(arn("security-group", "sg-1")),
        ...(text("TargetCapacitySpecification.DefaultTargetCapacityType") === "spot"
          ? run(arn("spot-instances-request", "new"))
          : []),
        ...run(arn("launch-template", "lt-1"), own),
        ...["fleet", "instance", "volume", "network-interface"].flatMap((kind) => run(arn(kind, "new"), tagged)),
        tagging("fleet", "CreateFleet"),
        ...["instance", "volume", "network-interface"].map((kind) => tagging(kind, "RunInstances")),
        {
          action: "iam:PassRole",
          resource: `arn:${partition}:iam::${account}:role/${nodeRoles[0]}`,
          context: { "iam:PassedToService": ["ec2.amazonaws.com"] },
        },
      ];
    }
    default:
      throw new Error(`EC2's ${operation} is not known here`);
  }
}

function listOf(input: RecordedCall["input"], prefix: string): readonly string[] {
  return Object.entries(input).flatMap(([field, value]) => (field.startsWith(`${prefix}.`) ? [String(value)] : []));
}

function keysOf(input: RecordedCall["input"], pattern: RegExp): readonly string[] {
  return Object.entries(input).flatMap(([field, value]) => (pattern.test(field) ? [String(value)] : []));
}

/** The deployment's tag is what the policies go by, so a request without it is a finding. */
function requireTag(input: RecordedCall["input"], pattern: RegExp): void {
  if (!keysOf(input, pattern).includes("timmerman/deployment"))
    throw new Error("the request lacks the tag timmerman/deployment");
}
