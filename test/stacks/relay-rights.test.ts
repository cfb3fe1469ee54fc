// What the relay asks AWS for, held against the policy that its role is given.
import type { DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { createHeartbeat } from "../../shared/adapters/dynamodb/index.ts";
import { relayStatements } from "../../stacks/policies.ts";
import { type AccessRequest, allows } from "./allows.ts";

const table = "arn:aws:dynamodb:eu-west-1:123456789012:table/timmerman";
const queues = ["provision", "disrupt"].map((name) => `arn:aws:sqs:eu-west-1:123456789012:${name}`);
const statements = relayStatements("blue", table, queues);

/** A write as IAM sees it: the partition, the attributes that it names, and what it wants back. */
function asked({ input }: UpdateItemCommand): AccessRequest {
  const words = [input.UpdateExpression, input.ConditionExpression].join(" ");
  const named = words.match(/(?<![:\w])[a-z]\w*/g) ?? [];
  return {
    action: "dynamodb:UpdateItem",
    resource: table,
    context: {
      "dynamodb:LeadingKeys": [input.Key!.pk!.S!],
      "dynamodb:Attributes": [...Object.keys(input.Key!), ...named],
      ...(input.ReturnValues === undefined ? {} : { "dynamodb:ReturnValues": [input.ReturnValues] }),
    },
  };
}

async function beatOf(cluster: string): Promise<AccessRequest> {
  const sent: UpdateItemCommand[] = [];
  const client = { send: async (command: UpdateItemCommand) => sent.push(command) } as unknown as DynamoDBClient;
  await createHeartbeat({ client, tableName: "timmerman", cluster }).beat(1_760_000_000_000);
  return asked(sent[0]!);
}

describe("a relay", () => {
  it("may beat for its own cluster", async () => {
    const request = await beatOf("blue");
    expect(request.context["dynamodb:Attributes"]).toEqual(["pk", "sk", "dueShard", "dueAtMs"]);
    expect(allows(statements, request)).toBe(true);
  });

  it.each<[string, (request: AccessRequest) => AccessRequest]>([
    [
      "beat for another cluster",
      (r) => ({ ...r, context: { ...r.context, "dynamodb:LeadingKeys": ["agenda#green"] } }),
    ],
    ["write a claim", (r) => ({ ...r, context: { ...r.context, "dynamodb:LeadingKeys": ["cluster#blue"] } })],
    [
      "set another attribute",
      (r) => ({ ...r, context: { ...r.context, "dynamodb:Attributes": ["pk", "sk", "expiresAt"] } }),
    ],
    ["read what stood there", (r) => ({ ...r, context: { ...r.context, "dynamodb:ReturnValues": ["ALL_OLD"] } })],
    ["delete its item", (r) => ({ ...r, action: "dynamodb:DeleteItem" })],
    ["write into another table", (r) => ({ ...r, resource: `${table}-2` })],
  ])("may not %s", async (_what, change) => {
    expect(allows(statements, change(await beatOf("blue")))).toBe(false);
  });

  it("may send to the queues that it is given, and read none", () => {
    const send = { action: "sqs:SendMessage", resource: queues[0]!, context: {} };
    expect(allows(statements, send)).toBe(true);
    expect(allows(statements, { ...send, action: "sqs:ReceiveMessage" })).toBe(false);
    expect(allows(statements, { ...send, resource: "arn:aws:sqs:eu-west-1:123456789012:collect-garbage" })).toBe(false);
  });
});
