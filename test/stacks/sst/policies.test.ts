// Every policy of a deployment with all that there is: other regions, other accounts, private endpoints, both identities.
import { beforeAll, describe, expect, it } from "vitest";
import { list, type PolicyStatement, problemsOf, statementsOf } from "../policy-lint.ts";
import { amber, blue, green, grey, home } from "../specs.ts";
import { deploy, type Made, type World } from "./world.ts";

let world: World;
let policies: readonly { readonly where: string; readonly statement: PolicyStatement }[];

beforeAll(async () => {
  world = await deploy({ given: { deployment: { region: home }, clusters: [blue, green, amber, grey] } });
  policies = world.resources.flatMap((resource) =>
    textsOf(resource).flatMap(({ where, text }) => statementsOf(text).map((statement) => ({ where, statement }))),
  );
}, 300_000);

function textsOf({ type, name, inputs }: Made): { where: string; text: string }[] {
  const inline = (inputs.inlinePolicies ?? []).map((policy: { policy: string }) => ({
    where: `${name} (inline)`,
    text: policy.policy,
  }));
  const attached = typeof inputs.policy === "string" ? [{ where: `${name} (${type})`, text: inputs.policy }] : [];
  const trust =
    typeof inputs.assumeRolePolicy === "string" ? [{ where: `${name} (trust)`, text: inputs.assumeRolePolicy }] : [];
  return [...inline, ...attached, ...trust];
}

it("are many, and of every kind", () => {
  const roles = world.resources.filter(({ type }) => type === "aws:iam/role:Role");
  expect(roles.length).toBeGreaterThan(13);
  expect(policies.length).toBeGreaterThan(80);
});

it("allow only actions that exist, on resources that fit them, under conditions that count", async () => {
  const found: string[] = [];
  for (const { where, statement } of policies) {
    for (const problem of await problemsOf(statement)) found.push(`${where}: ${problem}`);
  }
  expect([...new Set(found)]).toEqual([]);
});

it("name a region where no resource can be named, but for traces, prices and what Lambda asks of roles in a network", () => {
  const free = policies.filter(
    ({ statement }) => list(statement.Resource ?? []).includes("*") && statement.Condition === undefined,
  );
  expect([...new Set(free.flatMap(({ statement }) => list(statement.Action)))].sort()).toEqual([
    // Lambda checks these before it makes a function in a network, by a question that may name no region.
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSecurityGroups",
    "ec2:DescribeSubnets",
    "ec2:DescribeVpcs",
    "pricing:GetProducts",
    "xray:PutTelemetryRecords",
    "xray:PutTraceSegments",
  ]);
});

it("bring no managed policy along, whose actions are on everything", () => {
  const managed = world.resources.filter(({ inputs }) => (inputs.managedPolicyArns ?? []).length > 0);
  expect(managed.map(({ name }) => name)).toEqual([]);
  expect(world.resources.filter(({ type }) => type.includes("PolicyAttachment"))).toEqual([]);
});

describe("trust", () => {
  const trusts = () => policies.filter(({ where }) => where.endsWith("(trust)"));

  it("is in one service, role or issuer, never in a whole account", () => {
    for (const { where, statement } of trusts()) {
      expect(JSON.stringify(statement.Principal), where).not.toMatch(/:root"|"\*"/);
    }
  });

  it("of a function's role is in Lambda alone", () => {
    const own = trusts().filter(({ where }) => where.includes("FunctionRole"));
    expect(own).toHaveLength(8);
    for (const { statement } of own) {
      expect(statement).toEqual({
        Effect: "Allow",
        Principal: { Service: "lambda.amazonaws.com" },
        Action: "sts:AssumeRole",
      });
    }
  });

  it("of the role in another account is in the functions' roles by name", () => {
    const [{ statement }] = trusts().filter(({ where }) => where.startsWith("Account222222222222Role")) as [
      (typeof policies)[number],
    ];
    const { AWS: members } = statement.Principal as { AWS: string[] };
    expect(members).toHaveLength(6);
    for (const member of members)
      expect(member).toMatch(/^arn:aws:iam::123456789012:role\/timmerman-production-\w+FunctionRole/);
  });
});

it("an account is let onto the bus with events of EC2 and Health only", () => {
  const onBus = policies.filter(({ where }) => where.startsWith("BusPolicy"));
  expect(onBus.map(({ statement }) => statement)).toEqual([
    expect.objectContaining({
      Principal: { AWS: ["arn:aws:iam::222222222222:root"] },
      Action: "events:PutEvents",
      Condition: { StringEquals: { "events:source": ["aws.ec2", "aws.health"] } },
    }),
  ]);
});

it("DynamoDB is never opened as a whole, though SST's own links would", () => {
  const actions = policies.flatMap(({ statement }) => list(statement.Action)).filter((a) => a.startsWith("dynamodb:"));
  expect(new Set(actions)).toEqual(
    new Set(
      ["BatchWriteItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"].map(
        (a) => `dynamodb:${a}`,
      ),
    ),
  );
});

it("nobody who runs writes the registry", () => {
  const writes = policies.filter(({ statement }) =>
    list(statement.Action).some((action) => /^dynamodb:(Put|Update|Delete|BatchWrite)/.test(action)),
  );
  expect(writes.length).toBeGreaterThan(8);
  for (const { where, statement } of writes) {
    const keys = Object.entries(statement.Condition ?? {})
      .filter(([test]) => test.startsWith("ForAllValues:String"))
      .flatMap(([, variables]) => list((variables["dynamodb:LeadingKeys"] as string[] | undefined) ?? []));
    expect(keys.length, where).toBeGreaterThan(0);
    if (!where.includes("FunctionRole"))
      expect(
        keys.every((key) => /^agenda#[a-z]+$/.test(key)),
        where,
      ).toBe(true);
    const isReading = list(statement.Action).includes("dynamodb:GetItem");
    if (!isReading)
      expect(
        keys.some((key) => "registry".startsWith(key.replace("*", ""))),
        where,
      ).toBe(false);
  }
});

it("only instances of this deployment can be tagged or terminated, and only node roles of the list be passed", () => {
  const of = (action: string) => policies.filter(({ statement }) => list(statement.Action).includes(action));
  for (const { where, statement } of of("ec2:TerminateInstances")) {
    expect(statement.Condition, where).toEqual({
      StringEquals: { "aws:ResourceTag/timmerman/deployment": list("timmerman-production") },
    });
  }
  expect(
    of("ec2:TerminateInstances")
      .map(({ where }) => where)
      .sort(),
  ).toEqual([
    "Account222222222222Role (inline)",
    "CollectGarbageFunctionRole (inline)",
    "LifecycleFunctionRole (inline)",
  ]);
  expect(of("iam:PassRole").map(({ where, statement }) => [where, statement.Resource])).toEqual([
    ["Account222222222222Role (inline)", ["arn:aws:iam::222222222222:role/KarpenterNodeRole-amber"]],
    [
      "LifecycleFunctionRole (inline)",
      ["blue", "green", "grey"].map((name) => `arn:aws:iam::123456789012:role/KarpenterNodeRole-${name}`),
    ],
  ]);
  for (const { statement } of of("iam:PassRole")) {
    expect(statement.Condition).toEqual({ StringEquals: { "iam:PassedToService": ["ec2.amazonaws.com"] } });
  }
});

it("the tick has nothing of EC2, and no function that does not launch can", () => {
  const actionsOf = (role: string) =>
    policies.filter(({ where }) => where.startsWith(role)).flatMap(({ statement }) => list(statement.Action));
  expect(actionsOf("TickFunctionRole").filter((action) => /^(ec2|iam|s3|events|sts:AssumeRole$)/.test(action))).toEqual(
    ["sts:AssumeRole"],
  );
  for (const role of ["Provision", "Disrupt", "Interrupt", "ResolveNodeClasses", "RefreshCatalog", "CollectGarbage"]) {
    const found = actionsOf(`${role}FunctionRole`).filter((action) => /CreateFleet|RunInstances|PassRole/.test(action));
    expect(found, role).toEqual([]);
  }
});

it("a relay may beat for its own cluster and send to four queues", () => {
  const own = policies.filter(({ where }) => where === "Relay-blue-Role (inline)").map(({ statement }) => statement);
  expect(own).toEqual([
    {
      Effect: "Allow",
      Action: ["sqs:SendMessage"],
      Resource: ["Provision", "Disrupt", "Lifecycle", "ResolveNodeClasses"].map((name) =>
        expect.stringContaining(`timmerman-production-${name}Queue`),
      ),
    },
    {
      Effect: "Allow",
      Action: ["dynamodb:UpdateItem"],
      Resource: [expect.stringContaining(":table/timmerman-production-Table")],
      Condition: {
        "ForAllValues:StringEquals": {
          "dynamodb:LeadingKeys": ["agenda#blue"],
          "dynamodb:Attributes": ["pk", "sk", "dueShard", "dueAtMs"],
        },
        StringEqualsIfExists: { "dynamodb:ReturnValues": ["NONE"] },
      },
    },
  ]);
});
