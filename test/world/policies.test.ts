// The calls that functions make in a pass of the main job, held against the policies that the stacks give them: whatever
// was called is allowed, on the very items, queues and instances that it was called for.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dynoxideAvailable } from "../../local/aws/dynamodb.ts";
import { main } from "../../local/main.ts";
import { type FunctionName, functionNames, queueNames } from "../../stacks/names.ts";
import { type Places, statementsFor } from "../../stacks/policies.ts";
import { type AccessRequest, allows } from "../stacks/allows.ts";
import { recordCalls } from "./recorder.ts";
import { requestsOf } from "./requests.ts";

const region = "us-east-1";
const account = "123456789012";

/** As the embedded world calls everything. */
const places: Places = {
  partition: "aws",
  account,
  region,
  deployment: "local",
  tableArn: `arn:aws:dynamodb:${region}:${account}:table/timmerman`,
  bucketArn: "arn:aws:s3:::catalogs",
  busArn: `arn:aws:events:${region}:${account}:event-bus/decisions`,
  queueArns: Object.fromEntries(
    queueNames.map((name) => [name, `arn:aws:sqs:${region}:${account}:${name}`]),
  ) as Places["queueArns"],
  clusterRegions: [region],
  catalogRegions: [region],
  nodeRoles: ["KarpenterNodeRole-production-main"],
  accountRoleArns: [],
  isInVpc: false,
};

const reason = dynoxideAvailable() ? "" : " (skipped: no DynamoDB for this machine's platform)";

describe.skipIf(!dynoxideAvailable())(`a pass of the main job${reason}`, () => {
  const recorder = recordCalls();
  const asked = new Map<FunctionName, Map<string, AccessRequest>>();

  beforeAll(async () => {
    const said = keepOutput();
    const code = await main(["--once", "--json", "--seed", "5"]).finally(said.stop);
    expect(code, said.text().slice(-4_000)).toBe(0);
    for (const call of recorder.calls) {
      const from = (call.from === "interruption" ? "interrupt" : call.from) as FunctionName;
      const requests = asked.get(from) ?? new Map<string, AccessRequest>();
      for (const request of requestsOf(call, places)) requests.set(JSON.stringify(request), request);
      asked.set(from, requests);
    }
  });
  afterAll(() => recorder.stop());

  it("had every function at work", () => {
    // The catalog is the shipped one there, and the net that wakes garbage collection is ten minutes wide: a pass may be shorter.
    const mayBeIdle: readonly FunctionName[] = ["refresh-catalog", "collect-garbage"];
    expect([...asked.keys()]).toEqual(
      expect.arrayContaining(functionNames.filter((name) => !mayBeIdle.includes(name))),
    );
    const actions = new Set(
      [...asked.values()].flatMap((requests) => [...requests.values()].map(({ action }) => action)),
    );
    for (const action of [
      "dynamodb:GetItem",
      "dynamodb:Query",
      "dynamodb:PutItem",
      "dynamodb:UpdateItem",
      "dynamodb:DeleteItem",
      "dynamodb:ConditionCheckItem",
      "sqs:SendMessage",
      "ec2:CreateFleet",
      "ec2:RunInstances",
      "ec2:CreateLaunchTemplate",
      "ec2:CreateTags",
      "ec2:DescribeInstances",
      "ec2:DescribeImages",
      "ec2:DescribeSubnets",
      "ec2:DescribeSecurityGroups",
      "ec2:TerminateInstances",
    ]) {
      expect(actions, action).toContain(action);
    }
  });

  it.each(functionNames)("asked for nothing in %s that its policy does not allow", (name) => {
    const statements = statementsFor(name, places);
    const denied = [...(asked.get(name)?.values() ?? [])].filter((request) => !allows(statements, request));
    expect(denied).toEqual([]);
  });

  it("would have been denied elsewhere: the policies tell functions apart", () => {
    const lifecycle = [...asked.get("lifecycle")!.values()];
    for (const other of ["provision", "tick", "resolve-node-classes"] as const) {
      const statements = statementsFor(other, places);
      expect(lifecycle.filter((request) => !allows(statements, request)).length, other).toBeGreaterThan(5);
    }
  });

  it("would have been denied for another deployment's instances, other roles and the registry", () => {
    const launches = [...asked.get("lifecycle")!.values()];
    const foreign = statementsFor("lifecycle", { ...places, deployment: "other", nodeRoles: ["other"] });
    const denied = new Set(launches.filter((request) => !allows(foreign, request)).map(({ action }) => action));
    expect([...denied].sort()).toEqual([
      "ec2:CreateFleet",
      "ec2:CreateLaunchTemplate",
      "ec2:CreateTags",
      "ec2:RunInstances",
      "ec2:TerminateInstances",
      "iam:PassRole",
    ]);
    for (const name of functionNames) {
      const registry = {
        action: "dynamodb:PutItem",
        resource: places.tableArn,
        context: { "dynamodb:LeadingKeys": ["registry"] },
      };
      expect(allows(statementsFor(name, places), registry), name).toBe(false);
    }
  });
});

/** What the pass prints, for when it fails. */
function keepOutput(): { text(): string; stop(): void } {
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  let said = "";
  for (const stream of streams) {
    stream.write = (chunk: string | Uint8Array) => {
      said += chunk;
      return true;
    };
  }
  const stop = () => {
    for (const [at, stream] of streams.entries()) stream.write = writes[at]!;
  };
  return { text: () => said, stop };
}
