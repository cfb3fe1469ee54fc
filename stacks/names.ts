// The names that stacks, functions, the chart and people share.

/** Folders of `functions/`. */
export const functionNames = [
  "provision",
  "disrupt",
  "lifecycle",
  "interrupt",
  "tick",
  "refresh-catalog",
  "resolve-node-classes",
  "collect-garbage",
] as const;
export type FunctionName = (typeof functionNames)[number];

/** Queues that controllers are woken by, and the one of interruptions. Each has the name of the function that it feeds. */
export const wakeQueueNames = ["provision", "disrupt", "lifecycle", "resolve-node-classes", "collect-garbage"] as const;
export type WakeQueueName = (typeof wakeQueueNames)[number];
export const queueNames = [...wakeQueueNames, "interrupt"] as const;
export type QueueName = (typeof queueNames)[number];

/** Queues that a relay sends to. */
export const relayQueueNames = ["provision", "disrupt", "lifecycle", "resolve-node-classes"] as const;

/** Functions that are nobody's for any cluster: the others ask its API server. */
export const clusterFunctionNames = [
  "provision",
  "disrupt",
  "lifecycle",
  "interrupt",
  "resolve-node-classes",
  "collect-garbage",
] as const satisfies readonly FunctionName[];

/** Where the relay runs, and as whom; the chart has the same. */
export const relayNamespace = "kube-system";
export const relayServiceAccount = "timmerman-relay";
/** The group that EKS access entries put the functions into; the chart binds its ClusterRole to it. */
export const functionsGroup = "timmerman:functions";

export const metricsNamespace = "Timmerman";

/** `resolve-node-classes` → `ResolveNodeClasses`, as components are named. */
export function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

/** Tags on everything that is deployed; EC2 instances have others. */
export function stageTags(stage: string): Record<string, string> {
  return { "timmerman:stage": stage };
}

/** IAM's bound for names of roles. */
const maxRoleNameLength = 64;

/** Name of the role of a cluster's relay; a long one is cut, and ends in a hash of the whole (FNV-1a). */
export function relayRoleName(prefix: string, cluster: string): string {
  const name = `${prefix}-relay-${cluster}`;
  if (name.length <= maxRoleNameLength) return name;
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0;
  const ending = `-${hash.toString(16).padStart(8, "0")}`;
  return `${name.slice(0, maxRoleNameLength - ending.length)}${ending}`;
}

/** Name of the role that functions act as in another account. */
export function accountRoleName(prefix: string): string {
  return `${prefix}-functions`;
}

export function accountRoleArn(partition: string, account: string, prefix: string): string {
  return `arn:${partition}:iam::${account}:role/${accountRoleName(prefix)}`;
}

/** The environment variable of a controller's queue. */
export function queueVariable(name: WakeQueueName): string {
  return `TIMMERMAN_QUEUE_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** A queue; `Text` may only be known when it is deployed. */
export interface QueueParts<Text> {
  readonly name: Text;
  readonly arn: Text;
  readonly url: Text;
}

/** The partition of a region, which its beginning tells (AWS's general reference, "ARN format"). */
export function partitionOf(region: string): string {
  if (region.startsWith("cn-")) return "aws-cn";
  if (region.startsWith("us-gov-")) return "aws-us-gov";
  if (region.startsWith("eusc-")) return "aws-eusc";
  const isolated = /^(us-isob|us-isof|eu-isoe|us-iso)-/.exec(region)?.[1];
  return isolated === undefined ? "aws" : `aws-${isolated.slice(3).replace(/^iso(.)$/, "iso-$1")}`;
}
