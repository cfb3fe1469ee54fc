// Who of other accounts gets what from the policies of queues, table and bus, by what IAM would say of a request.
import { describe, expect, it } from "vitest";
import type { ClusterSpec, Given } from "../../stacks/cluster-spec.ts";
import { busText, foreignersOf, foreignRelays, queueDocument, tableText } from "../../stacks/policies-resources.ts";
import { allows } from "./allows.ts";
import { list, type PolicyStatement } from "./policy-lint.ts";
import { amber, blue, home } from "./specs.ts";

const opal: ClusterSpec = { ...amber, name: "opal", accountRole: "arn:aws:iam::333333333333:role/deploys-timmerman" };
const organization = "o-a1b2c3d4e5";
const givenFor = (named: boolean): Given => ({
  deployment: { region: home, ...(named ? { organization } : {}) },
  clusters: [blue, amber, opal],
});
const foreigners = (named: boolean) => foreignersOf(givenFor(named), "timmerman-production")!;
const table = "arn:aws:dynamodb:eu-west-1:123456789012:table/t";
const queue = "arn:aws:sqs:eu-west-1:123456789012:provision";
const bus = "arn:aws:events:eu-west-1:123456789012:event-bus/b";

interface Caller {
  readonly account: string;
  readonly role: string;
  readonly organization?: string;
}

function isLetIn(
  statements: readonly PolicyStatement[],
  caller: Caller,
  action: string,
  resource: string,
  asked: Record<string, string[]>,
) {
  const arn = `arn:aws:iam::${caller.account}:role/${caller.role}`;
  const context = {
    ...asked,
    "aws:PrincipalArn": [arn],
    ...(caller.organization === undefined ? {} : { "aws:PrincipalOrgID": [caller.organization] }),
  };
  const forCaller = statements.filter(({ Effect, Principal }) => {
    const named = list((Principal as { AWS: string | string[] }).AWS);
    return Effect === "Allow" && named.some((one) => one === "*" || one === `arn:aws:iam::${caller.account}:root`);
  });
  const asRights = forCaller.map(({ Action, Resource, Condition = {} }) => ({
    actions: list(Action),
    resources: list(Resource ?? []),
    conditions: Object.entries(Condition).flatMap(([test, variables]) =>
      Object.entries(variables).map(([variable, values]) => ({ test, variable, values: list(values as string[]) })),
    ),
  }));
  return allows(asRights, { action, resource, context });
}

const relay: Caller = { account: "222222222222", role: "timmerman-production-relay-amber" };
const statementsOf = (text: string): readonly PolicyStatement[] => JSON.parse(text).Statement;

describe.each([
  ["each account by name", false],
  ["the organization", true],
])("policies that name %s", (_what, named) => {
  const member = (caller: Caller): Caller => ({ ...caller, organization: named ? organization : "o-0000000000" });
  const beat = (caller: Caller, cluster: string) =>
    isLetIn(statementsOf(tableText(table, foreigners(named))), member(caller), "dynamodb:UpdateItem", table, {
      "dynamodb:LeadingKeys": [`agenda#${cluster}`],
      "dynamodb:Attributes": ["pk", "sk", "dueShard", "dueAtMs"],
    });
  const send = (caller: Caller) => {
    const { Statement } = queueDocument(queue, [foreignRelays(foreigners(named))]);
    return isLetIn(Statement as readonly PolicyStatement[], member(caller), "sqs:SendMessage", queue, {});
  };
  const put = (caller: Caller, source: string) =>
    isLetIn(statementsOf(busText(bus, foreigners(named))), member(caller), "events:PutEvents", bus, {
      "events:source": [source],
    });

  it("let in a relay elsewhere", () => {
    expect([beat(relay, "amber"), send(relay), put(relay, "aws.ec2")]).toEqual([true, true, true]);
  });

  it("let in no other role of its account, but for events", () => {
    const admin = { ...relay, role: "admin" };
    expect([beat(admin, "amber"), send(admin), put(admin, "aws.health")]).toEqual([false, false, true]);
  });

  it("let nobody beat for a cluster of the deployment's own account, or touch anything but an agenda", () => {
    expect([beat(relay, "blue"), beat(relay, "amber#x")]).toEqual([false, false]);
  });

  it(`let a relay beat for another account's cluster: ${named}`, () => {
    expect(beat(relay, "opal")).toBe(named);
  });

  it("let in events of no other source", () => {
    expect(put(relay, "timmerman.decisions")).toBe(false);
  });
});

describe("a stranger", () => {
  const stranger: Caller = { account: "999999999999", role: "timmerman-production-relay-amber", organization: "o-9" };

  it.each([false, true])("is let in by none of them (organization: %s)", (named) => {
    const of = foreigners(named);
    const beats = { "dynamodb:LeadingKeys": ["agenda#amber"], "dynamodb:Attributes": ["pk"] };
    const queues = queueDocument(queue, [foreignRelays(of)]).Statement as readonly PolicyStatement[];
    expect([
      isLetIn(statementsOf(tableText(table, of)), stranger, "dynamodb:UpdateItem", table, beats),
      isLetIn(queues, stranger, "sqs:SendMessage", queue, {}),
      isLetIn(statementsOf(busText(bus, of)), stranger, "events:PutEvents", bus, { "events:source": ["aws.ec2"] }),
    ]).toEqual([false, false, false]);
  });

  it("is nobody where all clusters are at home", () => {
    expect(foreignersOf({ deployment: { region: home }, clusters: [blue] }, "timmerman-production")).toBeUndefined();
  });
});
