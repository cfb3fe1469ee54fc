import { type ClusterSpec, foreignAccountOf, type Given, isPrivate, nodeRolesOf } from "./cluster-spec.ts";
import {
  accountRoleArn,
  clusterFunctionNames,
  type FunctionName,
  functionNames,
  partitionOf,
  type QueueName,
  queueNames,
} from "./names.ts";
import { type Places, roleStatements } from "./policies.ts";
import { foreignStatements, type Statement } from "./policies-ec2.ts";
import { busText, foreignersOf, foreignRelays, queueDocument, tableText } from "./policies-resources.ts";
import { maxManagedPolicies, planDocuments } from "./policy-documents.ts";
import type { SpecProblem } from "./spec-problem.ts";

// Whether the policies of a stage fit into what AWS takes, before anything is deployed. Accounts and the endings of names
// are not known yet, so stand-ins of their length are measured. Every node role and account stands in a policy by name:
// a wildcard would be shorter, and let functions pass roles that nobody listed.

/** DynamoDB's bound for a resource policy, with its blanks. */
const maxTablePolicyBytes = 20_480;
/** EventBridge's bound for the policy of a bus. */
const maxBusPolicyBytes = 10_240;
/** SQS's bounds for a queue's policy. */
const maxQueuePolicyBytes = 8_192;
const maxQueuePrincipals = 50;

const someAccount = "123456789012";
const anotherStage = "deploy some of the clusters as another stage";

/** One problem for each policy that would be refused. Expects clusters that are sound one by one. */
export function policySizeProblems(given: Given, stage: string): readonly SpecProblem[] {
  const prefix = `timmerman-${stage}`;
  return [...roleProblems(given, prefix), ...resourceProblems(given, prefix)];
}

/** Roles, whose statements may stand in several policies. */
function roleProblems(given: Given, prefix: string): readonly SpecProblem[] {
  const problems: SpecProblem[] = [];
  const measure = (where: string, statements: readonly Statement[], because: string) => {
    const managed = planDocuments(statements).length - 1;
    if (managed <= maxManagedPolicies) return;
    const problem = `needs ${managed} managed policies beside its own, AWS takes ${maxManagedPolicies}: ${because}`;
    problems.push({ where, field: "", problem, fix: anotherStage });
  };
  for (const name of functionNames) {
    const places = placesAhead(given, prefix, name);
    const because = `${places.nodeRoles.length} node roles, ${places.clusterRegions.length} regions and ${places.accountRoleArns.length} other accounts stand in them`;
    measure(`the role of function ${name}`, roleStatements(name, places), because);
  }
  const partition = partitionOf(given.deployment.region);
  const elsewhere = given.clusters.filter((cluster) => foreignAccountOf(cluster) !== undefined);
  for (const [account, within] of Map.groupBy(elsewhere, (cluster) => foreignAccountOf(cluster)!)) {
    const [clusterRegions, nodeRoles] = [regionsOf(within), nodeRolesOf(within)];
    const statements = foreignStatements({ partition, account, deployment: prefix, clusterRegions, nodeRoles });
    const because = `${nodeRoles.length} node roles and ${clusterRegions.length} regions stand in them`;
    measure(`the role in account ${account}`, statements, because);
  }
  return problems;
}

/** Policies of queues, table and bus, each of which is one. */
function resourceProblems(given: Given, prefix: string): readonly SpecProblem[] {
  const foreigners = foreignersOf(given, prefix);
  if (foreigners === undefined) return [];
  const { tableArn, busArn, queueArns } = placesAhead(given, prefix, "tick");
  const accounts = foreigners.clusters.size;
  const clusters = [...foreigners.clusters.values()].flat().length;
  const because = `${clusters} clusters of ${accounts} other accounts are let in by it`;
  const fix =
    foreigners.organization === undefined && accounts > 1
      ? `write deployment.organization, if the accounts are in one, or ${anotherStage}`
      : anotherStage;
  const over = (where: string, count: number, limit: number, unit: string): readonly SpecProblem[] =>
    count <= limit ? [] : [{ where, field: "", problem: `has ${count} ${unit}, AWS takes ${limit}: ${because}`, fix }];
  const queueBytes = JSON.stringify(
    queueDocument(queueArns["resolve-node-classes"], [foreignRelays(foreigners)]),
  ).length;
  const principals = foreigners.organization === undefined ? accounts : 1;
  return [
    ...over("the table's policy", tableText(tableArn, foreigners).length, maxTablePolicyBytes, "bytes"),
    ...over("the policy of the relays' queues", principals, maxQueuePrincipals, "principals"),
    ...over("the policy of the relays' queues", queueBytes, maxQueuePolicyBytes, "bytes"),
    ...over("the bus's policy", busText(busArn, foreigners).length, maxBusPolicyBytes, "bytes"),
  ];
}

/** What a function's statements name, as long as it will be. In the same order, so that what fits can be told from it. */
export function placesAhead({ deployment, clusters }: Given, prefix: string, name: FunctionName): Places {
  const { region } = deployment;
  const partition = partitionOf(region);
  const own = clusters.filter((cluster) => foreignAccountOf(cluster) === undefined);
  const accounts = new Set(clusters.map(foreignAccountOf).filter((account) => account !== undefined));
  const arn = (service: string, rest: string) => `arn:${partition}:${service}:${region}:${someAccount}:${rest}`;
  const queueArns = queueNames.map((queue) => [queue, arn("sqs", `${prefix}-${queue}Queue-abcdefgh`)]);
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
    isInVpc: isPutIntoNetwork(name, clusters),
  };
}

/** Only those that ask API servers are put into a network, and only if one of these is private. */
export function isPutIntoNetwork(name: FunctionName, clusters: readonly ClusterSpec[]): boolean {
  return clusters.some(isPrivate) && (clusterFunctionNames as readonly string[]).includes(name);
}

function regionsOf(clusters: readonly ClusterSpec[]): readonly string[] {
  return [...new Set(clusters.map(({ region }) => region))];
}
