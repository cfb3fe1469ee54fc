import { type ClusterSpec, type Deployment, foreignAccountOf, isPrivate } from "./cluster-spec.ts";
import { accountRoleArn, functionNames, type QueueName, queueNames, relayRoleName } from "./names.ts";
import { heartbeatConditions, type Places, runtimeStatements, statementsFor } from "./policies.ts";
import { foreignStatements } from "./policies-ec2.ts";
import { conditionsOf, policyText } from "./policy-text.ts";
import type { SpecProblem } from "./spec-problem.ts";

// Whether the policies of a stage fit into what AWS takes, before anything is deployed. Accounts and the endings of names
// are not known yet, so stand-ins of their length are measured. Every node role and account stands in a policy by name:
// a wildcard would be shorter, and let functions pass roles that nobody listed.

/** IAM's bound for all inline policies of a role, whose blanks it does not count. */
const maxInlineLength = 10_240;
/** DynamoDB's bound for a resource policy, with its blanks. */
const maxTablePolicyBytes = 20_480;
/** SQS's bound for the principals of a queue's policy. */
const maxQueuePrincipals = 50;

const someAccount = "123456789012";
const fix = "deploy some of the clusters as another stage";

/** One problem for each policy that would be refused. Expects clusters that are sound one by one. */
export function policySizeProblems(
  deployment: Deployment,
  clusters: readonly ClusterSpec[],
  stage: string,
): readonly SpecProblem[] {
  const prefix = `timmerman-${stage}`;
  const partition = partitionOf(deployment.region);
  const places = placesOf(deployment, clusters, prefix);
  const foreign = clusters.filter((cluster) => foreignAccountOf(cluster) !== undefined);
  const problems: SpecProblem[] = [];
  const measure = (where: string, length: number, limit: number, unit: string, because: string) => {
    if (length <= limit) return;
    problems.push({ where, field: "", problem: `has ${length} ${unit}, AWS takes ${limit}: ${because}`, fix });
  };
  for (const name of functionNames) {
    const statements = [...runtimeStatements(`${prefix}-${name}`, places), ...statementsFor(name, places)];
    const counts = `${places.nodeRoles.length} node roles, ${places.clusterRegions.length} regions and ${places.accountRoleArns.length} other accounts stand in it`;
    measure(
      `the policy of function ${name}`,
      inlineLength(policyText(statements)),
      maxInlineLength,
      "characters",
      counts,
    );
  }
  for (const [account, within] of Map.groupBy(foreign, (cluster) => foreignAccountOf(cluster)!)) {
    const [clusterRegions, nodeRoles] = [regionsOf(within), nodeRolesOf(within)];
    const text = policyText(foreignStatements({ partition, account, deployment: prefix, clusterRegions, nodeRoles }));
    const counts = `${nodeRoles.length} node roles and ${clusterRegions.length} regions stand in it`;
    measure(`the policy of the role in account ${account}`, inlineLength(text), maxInlineLength, "characters", counts);
  }
  const admitted = `${foreign.length} clusters of other accounts stand in it`;
  const tableBytes = foreign.length === 0 ? 0 : tablePolicy(foreign, places, prefix).length;
  measure("the table's policy", tableBytes, maxTablePolicyBytes, "bytes", admitted);
  measure("the policy of the relays' queues", foreign.length, maxQueuePrincipals, "principals", admitted);
  return problems;
}

function placesOf(deployment: Deployment, clusters: readonly ClusterSpec[], prefix: string): Places {
  const { region } = deployment;
  const partition = partitionOf(region);
  const own = clusters.filter((cluster) => foreignAccountOf(cluster) === undefined);
  const accounts = new Set(clusters.map(foreignAccountOf).filter((account) => account !== undefined));
  const arn = (service: string, rest: string) => `arn:${partition}:${service}:${region}:${someAccount}:${rest}`;
  const queueArns = queueNames.map((name) => [name, arn("sqs", `${prefix}-${name}Queue-abcdefgh`)]);
  return {
    partition,
    account: someAccount,
    region,
    deployment: prefix,
    tableArn: arn("dynamodb", `table/${prefix}-TableTable-abcdefgh`),
    bucketArn: `arn:${partition}:s3:::${prefix}-storebucket-abcdefgh`,
    busArn: arn("events", `event-bus/${prefix}-DecisionsBus-abcdefgh`),
    queueArns: Object.fromEntries(queueArns) as Record<QueueName, string>,
    clusterRegions: regionsOf(own),
    catalogRegions: regionsOf(clusters),
    nodeRoles: nodeRolesOf(own),
    accountRoleArns: [...accounts].map((account) => accountRoleArn(partition, account, prefix)),
    isInVpc: clusters.some(isPrivate),
  };
}

/** As `admitForeign` in relays.ts writes it. */
function tablePolicy(foreign: readonly ClusterSpec[], { partition, tableArn }: Places, prefix: string): string {
  const statements = foreign.map((cluster) => ({
    Effect: "Allow",
    Principal: {
      AWS: `arn:${partition}:iam::${foreignAccountOf(cluster)}:role/${relayRoleName(prefix, cluster.name)}`,
    },
    Action: "dynamodb:UpdateItem",
    Resource: tableArn,
    Condition: conditionsOf(heartbeatConditions(cluster.name)),
  }));
  return JSON.stringify({ Version: "2012-10-17", Statement: statements });
}

/** The partition of a region, which its beginning tells (AWS's general reference, "ARN format"). */
export function partitionOf(region: string): string {
  if (region.startsWith("cn-")) return "aws-cn";
  if (region.startsWith("us-gov-")) return "aws-us-gov";
  if (region.startsWith("eusc-")) return "aws-eusc";
  const isolated = /^(us-isob|us-isof|eu-isoe|us-iso)-/.exec(region)?.[1];
  return isolated === undefined ? "aws" : `aws-${isolated.slice(3).replace(/^iso(.)$/, "iso-$1")}`;
}

function inlineLength(text: string): number {
  return text.replace(/\s/g, "").length;
}

function regionsOf(clusters: readonly ClusterSpec[]): readonly string[] {
  return [...new Set(clusters.map(({ region }) => region))];
}

function nodeRolesOf(clusters: readonly ClusterSpec[]): readonly string[] {
  return [...new Set(clusters.flatMap(({ nodeRoles }) => nodeRoles))];
}
