import { settingsProblems } from "../shared/runtime/settings.ts";
import { type ClusterSpec, type Deployment, foreignAccountOf, isPrivate } from "./cluster-spec.ts";
import { partitionOf } from "./names.ts";
import { policySizeProblems } from "./policy-sizes.ts";
import { problemText, quote, type SpecProblem } from "./spec-problem.ts";
import { deploymentFieldProblems, shapeProblems } from "./spec-shapes.ts";

// What is wrong with stacks/clusters.ts, found before anything is created: each problem names cluster, field and fix.

const regionPattern = /^[a-z]{2,}(-[a-z]+)+-\d+$/;
const rolePattern = /^arn:aws(-[a-z-]+)?:iam::\d{12}:role\/[\w+=,.@/-]+$/;
const knownFields: Record<keyof ClusterSpec, true> = {
  name: true,
  region: true,
  accountRole: true,
  endpointAccess: true,
  vpc: true,
  identity: true,
  nodeRoles: true,
  instanceProfiles: true,
  dnsAddress: true,
  settings: true,
};

/** Stage names become part of functions' names, which have 64 characters. */
const maxStageLength = 24;

/** Every problem at once; empty when all is well. Types are checked too: the file may have come from elsewhere. */
export function clusterProblems(
  deployment: Deployment,
  clusters: readonly ClusterSpec[],
  stage: string,
): readonly SpecProblem[] {
  const misshapen = shapeProblems(deployment, clusters);
  if (misshapen.length > 0) return misshapen;
  const problems = [...deploymentFieldProblems(deployment)];
  if (problems.length > 0) return problems;
  problems.push(...deploymentProblems(deployment, stage));
  const seen = new Map<string, number>();
  for (const [at, cluster] of clusters.entries()) {
    problems.push(...problemsOf(cluster, at, deployment));
    // IAM takes names that differ in case only for the same, and the relay's role has the cluster's name.
    const folded = String(cluster.name).toLowerCase();
    const before = seen.get(folded);
    if (before !== undefined) {
      problems.push({
        where: `cluster ${cluster.name}`,
        field: "name",
        problem: `is that of entries ${before} and ${at}`,
        fix: "keep one; two clusters of the same name in other regions or accounts need two stages",
      });
    }
    seen.set(folded, at);
  }
  problems.push(...networkProblems(clusters), ...accountProblems(clusters));
  return problems.length > 0 ? problems : policySizeProblems({ deployment, clusters }, stage);
}

/** Throws one error that lists every problem. */
export function requireSound(deployment: Deployment, clusters: readonly ClusterSpec[], stage: string): void {
  const problems = clusterProblems(deployment, clusters, stage);
  if (problems.length === 0) return;
  throw new Error(
    `stacks/clusters.ts has ${problems.length} problem(s):\n${problems.map((p) => `- ${problemText(p)}`).join("\n")}`,
  );
}

function deploymentProblems(deployment: Deployment, stage: string): readonly SpecProblem[] {
  const problems: SpecProblem[] = [];
  const wrong = (field: string, problem: string, fix: string) =>
    problems.push({ where: "deployment", field, problem, fix });
  if (!regionPattern.test(deployment.region)) {
    wrong("region", `is ${quote(deployment.region)}`, "write an AWS region such as us-east-1");
  }
  if (!/^[a-zA-Z0-9][a-zA-Z0-9-]*$/.test(stage) || stage.length > maxStageLength) {
    problems.push({
      where: `stage ${quote(stage)}`,
      field: "",
      problem: "cannot stand in the names of functions",
      fix: `use letters, digits and hyphens, ${maxStageLength} at most: sst deploy --stage production`,
    });
  }
  const { alarmTopic } = deployment;
  if (alarmTopic !== undefined && !/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:\S+$/.test(alarmTopic)) {
    wrong("alarmTopic", `is ${quote(alarmTopic)}`, "write the ARN of an SNS topic, or remove it");
  } else if (alarmTopic !== undefined && alarmTopic.split(":")[3] !== deployment.region) {
    wrong("alarmTopic", `is in ${alarmTopic.split(":")[3]}`, `use a topic in ${deployment.region}`);
  }
  return problems;
}

function problemsOf(cluster: ClusterSpec, at: number, deployment: Deployment): readonly SpecProblem[] {
  const problems: SpecProblem[] = [];
  const who = isText(cluster.name, /^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$/) ? `cluster ${cluster.name}` : `entry ${at}`;
  const wrong = (field: string, found: unknown, fix: string) => {
    problems.push({ where: who, field, problem: `is ${found === undefined ? "missing" : quote(found)}`, fix });
  };
  if (who.startsWith("entry")) wrong("name", cluster.name, "write the EKS cluster's name");
  if (!isText(cluster.region, regionPattern)) wrong("region", cluster.region, "write the cluster's region");
  else if (partitionOf(cluster.region) !== partitionOf(deployment.region)) {
    wrong("region", cluster.region, `deploy it apart from ${deployment.region}, which is in another partition of AWS`);
  }
  if (cluster.accountRole !== undefined && !isText(cluster.accountRole, rolePattern)) {
    wrong("accountRole", cluster.accountRole, "write the ARN of a role in the cluster's account, or remove it");
  }
  if (!["public", "private"].includes(cluster.endpointAccess)) {
    wrong("endpointAccess", cluster.endpointAccess, 'write "public" or "private"');
  }
  if (!["pod-identity", "irsa"].includes(cluster.identity)) {
    wrong("identity", cluster.identity, 'write "pod-identity" or "irsa"');
  }
  if (![undefined, "create", "exist"].includes(cluster.instanceProfiles)) {
    wrong("instanceProfiles", cluster.instanceProfiles, 'write "create" or "exist"');
  }
  if (!Array.isArray(cluster.nodeRoles) || cluster.nodeRoles.length === 0) {
    wrong("nodeRoles", cluster.nodeRoles, "list the names of the IAM roles that its nodes may have");
  } else {
    for (const role of cluster.nodeRoles.filter((role) => !isText(role, /^[\w+=,.@-]{1,64}$/))) {
      wrong("nodeRoles", role, "write the role's name, without its ARN or path");
    }
    const folded = cluster.nodeRoles.map((role) => String(role).toLowerCase());
    for (const role of cluster.nodeRoles.filter((_, at) => folded.indexOf(folded[at]!) < at)) {
      wrong("nodeRoles", role, "list each role once; IAM's names ignore case");
    }
  }
  for (const field of Object.keys(cluster).filter((field) => !Object.hasOwn(knownFields, field))) {
    problems.push({ where: who, field, problem: "is not known", fix: `use ${Object.keys(knownFields).join(", ")}` });
  }
  problems.push(...settingProblems(cluster, who));
  return [...problems, ...vpcProblems(cluster, who, deployment)];
}

/** What the runtime's own reader says of settings, whose first word is the field. */
function settingProblems({ settings }: ClusterSpec, where: string): readonly SpecProblem[] {
  return settingsProblems(settings ?? {}).map((complaint) => {
    const [, field = "", problem = ""] = /^(\S+) (.*)$/s.exec(complaint) ?? [];
    return { where, field, problem, fix: "mend it, or remove it to have Karpenter's default" };
  });
}

function vpcProblems(cluster: ClusterSpec, where: string, deployment: Deployment): readonly SpecProblem[] {
  const { vpc } = cluster;
  const fault = (field: string, problem: string, fix: string): SpecProblem => ({ where, field, problem, fix });
  if (!isPrivate(cluster)) {
    if (vpc === undefined) return [];
    const fix = 'remove vpc, or set endpointAccess to "private"';
    return [fault("vpc", "is set, but its endpointAccess is public", fix)];
  }
  if (vpc === undefined) {
    const fix = "a private endpoint needs { subnets: […], securityGroups: […] } to reach it from";
    return [fault("vpc", "is missing", fix)];
  }
  const problems: SpecProblem[] = [];
  if (!isListOf(vpc.subnets, /^subnet-[0-9a-f]+$/)) {
    problems.push(fault("vpc.subnets", `is ${quote(vpc.subnets)}`, "list subnet ids such as subnet-0123456789abcdef0"));
  }
  if (!isListOf(vpc.securityGroups, /^sg-[0-9a-f]+$/)) {
    const fix = "list group ids such as sg-0123456789abcdef0";
    problems.push(fault("vpc.securityGroups", `is ${quote(vpc.securityGroups)}`, fix));
  }
  if (cluster.region !== deployment.region) {
    const problem = `is ${cluster.region}, but functions that reach private endpoints are in ${deployment.region}`;
    problems.push(fault("region", problem, `deploy another stage in ${cluster.region}`));
  }
  return problems;
}

function networkProblems(clusters: readonly ClusterSpec[]): readonly SpecProblem[] {
  const within = clusters.filter((cluster) => isPrivate(cluster) && cluster.vpc !== undefined);
  const [first] = within;
  if (first === undefined) return [];
  return within
    .filter((cluster) => networkOf(cluster) !== networkOf(first))
    .map((cluster) => ({
      where: `cluster ${cluster.name}`,
      field: "vpc",
      problem: `differs from that of cluster ${first.name}`,
      fix: "a function is in one network; give both the same (connected by peering or a transit gateway), or deploy another stage for one",
    }));
}

/** An account is deployed to through one role, or its resources would be made twice. */
function accountProblems(clusters: readonly ClusterSpec[]): readonly SpecProblem[] {
  const first = new Map<string, ClusterSpec>();
  return clusters.flatMap((cluster) => {
    const account = foreignAccountOf(cluster);
    if (account === undefined) return [];
    const before = first.get(account) ?? cluster;
    first.set(account, before);
    if (before.accountRole === cluster.accountRole) return [];
    return [
      {
        where: `cluster ${cluster.name}`,
        field: "accountRole",
        problem: `differs from that of cluster ${before.name} in the same account`,
        fix: `give both ${before.accountRole}`,
      },
    ];
  });
}

function networkOf({ vpc }: ClusterSpec): string {
  return JSON.stringify([[...(vpc?.subnets ?? [])].sort(), [...(vpc?.securityGroups ?? [])].sort()]);
}

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

function isListOf(value: unknown, pattern: RegExp): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((entry) => isText(entry, pattern));
}
