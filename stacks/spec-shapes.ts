import type { Deployment } from "./cluster-spec.ts";
import { quote, type SpecProblem } from "./spec-problem.ts";

// Whether what is written has the shape of a deployment and of clusters at all, and values that its fields know.

const isFlag = (value: unknown) => typeof value === "boolean";
const oneOf = (words: readonly string[]) => (value: unknown) => words.includes(value as string);
const retentions = ["1 day", "3 days", "1 week", "2 weeks", "1 month", "3 months", "1 year"];
const levels = ["DEBUG", "INFO", "WARN", "ERROR"];

/** The check of a field, and what to write there. */
const fields: Record<keyof Deployment, readonly [(value: unknown) => boolean, string]> = {
  region: [() => true, "an AWS region"],
  alarmTopic: [(value) => typeof value === "string", "the ARN of an SNS topic"],
  organization: [
    (value) => typeof value === "string" && /^o-[a-z0-9]{10,32}$/.test(value),
    "its id such as o-a1b2c3d4e5",
  ],
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
export function shapeProblems(deployment: unknown, clusters: unknown): readonly SpecProblem[] {
  const problems: SpecProblem[] = [];
  if (!isObject(deployment)) {
    problems.push({ where: "deployment", field: "", ...written(deployment, '{ region: "us-east-1" }') });
  } else if (typeof deployment.region !== "string") {
    const what = written(deployment.region, "an AWS region such as us-east-1");
    problems.push({ where: "deployment", field: "region", ...what });
  }
  if (!Array.isArray(clusters)) return [...problems, { where: "clusters", field: "", ...written(clusters, "a list") }];
  for (const [at, cluster] of clusters.entries()) {
    const fault = isObject(cluster) ? fieldFault(cluster) : { field: "", ...written(cluster, "{ name, region, … }") };
    if (fault !== undefined) problems.push({ where: `entry ${at}`, ...fault });
  }
  return problems;
}

/** Of fields that others are read from. */
function fieldFault(cluster: Readonly<Record<string, unknown>>): Omit<SpecProblem, "where"> | undefined {
  const { accountRole, vpc } = cluster;
  if (accountRole !== undefined && typeof accountRole !== "string") {
    const what = written(accountRole, "the ARN of a role in the cluster's account, or remove it");
    return { field: "accountRole", ...what };
  }
  if (vpc === undefined || isObject(vpc)) return undefined;
  return { field: "vpc", ...written(vpc, "{ subnets: […], securityGroups: […] }, or remove it") };
}

/** Fields of the deployment that are not known, or have a value that they don't know. */
export function deploymentFieldProblems(deployment: object): readonly SpecProblem[] {
  return Object.entries(deployment).flatMap(([field, value]) => {
    if (!Object.hasOwn(fields, field)) {
      const fix = `use ${Object.keys(fields).join(", ")}`;
      return [{ where: "deployment", field, problem: "is not known", fix }];
    }
    const [isRight, words] = fields[field as keyof Deployment];
    if (value === undefined || isRight(value)) return [];
    return [{ where: "deployment", field, ...written(value, `${words}, or remove it`) }];
  });
}

function written(found: unknown, wanted: string): Pick<SpecProblem, "problem" | "fix"> {
  return { problem: `is ${quote(found)}`, fix: `write ${wanted}` };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
