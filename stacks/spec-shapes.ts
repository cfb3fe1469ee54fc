import type { Deployment } from "./cluster-spec.ts";

// Whether what is written has the shape of a deployment and of clusters at all, and values that its fields know.

const isFlag = (value: unknown) => typeof value === "boolean";
const oneOf = (words: readonly string[]) => (value: unknown) => words.includes(value as string);
const retentions = ["1 day", "3 days", "1 week", "2 weeks", "1 month", "3 months", "1 year"];
const levels = ["DEBUG", "INFO", "WARN", "ERROR"];

/** The check of a field, and what to write there. */
const fields: Record<keyof Deployment, readonly [(value: unknown) => boolean, string]> = {
  region: [() => true, "an AWS region"],
  alarmTopic: [(value) => typeof value === "string", "the ARN of an SNS topic"],
  metricsPerCluster: [isFlag, "true or false"],
  alarmsPerCluster: [isFlag, "true or false"],
  productionStages: [
    (value) => Array.isArray(value) && value.every((entry) => typeof entry === "string"),
    'a list of stages such as ["production"]',
  ],
  logLevel: [oneOf(levels), levels.join(", ")],
  logRetention: [oneOf(retentions), retentions.join(", ")],
  tracing: [isFlag, "true or false"],
  reserveConcurrency: [isFlag, "true or false"],
};

/** What must be right before anything else can be looked at. */
export function shapeProblems(deployment: unknown, clusters: unknown): readonly string[] {
  const problems: string[] = [];
  if (!isObject(deployment)) {
    problems.push(`deployment is ${quote(deployment)}: write { region: "us-east-1" }`);
  } else if (typeof deployment.region !== "string") {
    problems.push(`deployment: region is ${quote(deployment.region)}: write an AWS region such as us-east-1`);
  }
  if (!Array.isArray(clusters)) return [...problems, `clusters is ${quote(clusters)}: write a list`];
  for (const [at, cluster] of clusters.entries()) {
    const fault = isObject(cluster) ? fieldFault(cluster) : `is ${quote(cluster)}: write { name, region, … }`;
    if (fault !== undefined) problems.push(`entry ${at}: ${fault}`);
  }
  return problems;
}

/** Of fields that others are read from. */
function fieldFault(cluster: Readonly<Record<string, unknown>>): string | undefined {
  const { accountRole, vpc } = cluster;
  if (accountRole !== undefined && typeof accountRole !== "string") {
    return `accountRole is ${quote(accountRole)}: write the ARN of a role in the cluster's account, or remove it`;
  }
  if (vpc === undefined || isObject(vpc)) return undefined;
  return `vpc is ${quote(vpc)}: write { subnets: […], securityGroups: […] }, or remove it`;
}

/** Fields of the deployment that are not known, or have a value that they don't know. */
export function deploymentFieldProblems(deployment: object): readonly string[] {
  return Object.entries(deployment).flatMap(([name, value]) => {
    if (!Object.hasOwn(fields, name)) {
      return [`deployment: ${name} is not known: use ${Object.keys(fields).join(", ")}`];
    }
    const [isRight, words] = fields[name as keyof Deployment];
    if (value === undefined || isRight(value)) return [];
    return [`deployment: ${name} is ${quote(value)}: write ${words}, or remove it`];
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function quote(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
