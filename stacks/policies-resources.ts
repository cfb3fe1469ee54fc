import { foreignAccountOf, type Given } from "./cluster-spec.ts";
import { partitionOf } from "./names.ts";
import type { Condition } from "./policies-ec2.ts";
import { conditionsOf } from "./policy-text.ts";

// Policies of resources: who else than the deployment's own roles may use its queues, its table and its bus. Accounts of
// clusters elsewhere are named one by one, or all at once by the organization that they are in. In them only roles that
// have a relay's name are let in, and each may do there what its own policy allows besides.

/** The accounts that clusters elsewhere are in. */
export interface Foreigners {
  readonly partition: string;
  readonly prefix: string;
  /** `o-…`: the accounts are all in it, and policies name it in their place. */
  readonly organization: string | undefined;
  /** Names of clusters by account. */
  readonly clusters: ReadonlyMap<string, readonly string[]>;
}

/** The accounts of clusters elsewhere; undefined if all are at home. Expects clusters that are sound one by one. */
export function foreignersOf({ deployment, clusters }: Given, prefix: string): Foreigners | undefined {
  const elsewhere = clusters.filter((cluster) => foreignAccountOf(cluster) !== undefined);
  if (elsewhere.length === 0) return undefined;
  const byAccount = Map.groupBy(elsewhere, (cluster) => foreignAccountOf(cluster)!);
  return {
    partition: partitionOf(deployment.region),
    prefix,
    organization: deployment.organization,
    clusters: new Map([...byAccount].map(([account, within]) => [account, within.map(({ name }) => name)])),
  };
}

/** Who may send to a queue besides those in this account whose own policy says so. Values may not be known yet. */
export interface Sender {
  readonly principal: Readonly<Record<string, unknown>>;
  readonly condition?: Readonly<Record<string, unknown>>;
}

/** TLS only; and these senders. */
export function queueDocument<Text>(arn: Text, senders: readonly Sender[]) {
  return {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "TlsOnly",
        Effect: "Deny",
        Principal: { AWS: "*" },
        Action: "sqs:*",
        Resource: arn,
        Condition: { Bool: { "aws:SecureTransport": "false" } },
      },
      ...senders.map(({ principal, condition }) => ({
        Effect: "Allow",
        Principal: principal,
        Action: "sqs:SendMessage",
        Resource: arn,
        ...(condition === undefined ? {} : { Condition: condition }),
      })),
    ],
  };
}

/** All relays elsewhere. */
export function foreignRelays(foreigners: Foreigners): Sender {
  return { principal: accountsOf(foreigners), condition: conditionsOf(relayConditions(foreigners)) };
}

/** Relays elsewhere may beat for clusters of their own account, or of their organization. */
export function tableText(tableArn: string, foreigners: Foreigners): string {
  const { clusters, organization } = foreigners;
  const statement = (principal: unknown, names: readonly string[]) => ({
    Effect: "Allow",
    Principal: principal,
    Action: "dynamodb:UpdateItem",
    Resource: tableArn,
    Condition: conditionsOf([...relayConditions(foreigners), ...heartbeatConditions(names)]),
  });
  return documentText(
    organization === undefined
      ? [...clusters].map(([account, names]) => statement({ AWS: rootOf(account, foreigners) }, names))
      : [statement({ AWS: "*" }, [...clusters.values()].flat())],
  );
}

/** Accounts elsewhere may put events of EC2 and Health on the bus: theirs alone, since AWS writes the account into each. */
export function busText(busArn: string, foreigners: Foreigners): string {
  const sources = { test: "StringEquals", variable: "events:source", values: ["aws.ec2", "aws.health"] };
  return documentText([
    {
      Sid: "ClustersElsewhere",
      Effect: "Allow",
      Principal: accountsOf(foreigners),
      Action: "events:PutEvents",
      Resource: busArn,
      Condition: conditionsOf([sources, ...organizationConditions(foreigners)]),
    },
  ]);
}

/** A heartbeat touches one item of its cluster, and four attributes of it. */
export function heartbeatConditions(clusters: readonly string[]): readonly Condition[] {
  return [
    {
      test: "ForAllValues:StringEquals",
      variable: "dynamodb:LeadingKeys",
      values: clusters.map((name) => `agenda#${name}`),
    },
    {
      test: "ForAllValues:StringEquals",
      variable: "dynamodb:Attributes",
      values: ["pk", "sk", "dueShard", "dueAtMs"],
    },
    // Nothing that stood there is given back.
    { test: "StringEqualsIfExists", variable: "dynamodb:ReturnValues", values: ["NONE"] },
  ];
}

/** By the beginning of their names (`relayRoleName`); which accounts they may be in is said by the principal. */
function relayConditions(foreigners: Foreigners): readonly Condition[] {
  const { partition, prefix } = foreigners;
  const relays = `arn:${partition}:iam::*:role/${prefix}-relay-*`;
  return [{ test: "ArnLike", variable: "aws:PrincipalArn", values: [relays] }, ...organizationConditions(foreigners)];
}

function organizationConditions({ organization }: Foreigners): readonly Condition[] {
  if (organization === undefined) return [];
  return [{ test: "StringEquals", variable: "aws:PrincipalOrgID", values: [organization] }];
}

function accountsOf(foreigners: Foreigners): Readonly<Record<string, string | readonly string[]>> {
  if (foreigners.organization !== undefined) return { AWS: "*" };
  return { AWS: [...foreigners.clusters.keys()].map((account) => rootOf(account, foreigners)) };
}

function rootOf(account: string, { partition }: Foreigners): string {
  return `arn:${partition}:iam::${account}:root`;
}

function documentText(statements: readonly object[]): string {
  return JSON.stringify({ Version: "2012-10-17", Statement: statements });
}
