import type { Values } from "../aws.ts";
import { type DataSource, list, type Surroundings, text, values } from "../kind.ts";

/** IAM writes a list of one as its only entry; the real data source does the same. */
function single(entries: unknown): unknown {
  const all = [...(entries as string[])].sort().reverse();
  return all.length === 1 ? all[0] : all;
}

/** A statement of a policy document, in the order of keys that the real data source has. */
function statement(inputs: Values): Values {
  const answer: Values = {};
  if (inputs.sid !== undefined) answer.Sid = inputs.sid;
  answer.Effect = inputs.effect ?? "Allow";
  for (const [property, key] of [
    ["actions", "Action"],
    ["notActions", "NotAction"],
    ["resources", "Resource"],
    ["notResources", "NotResource"],
  ] as const) {
    if (Array.isArray(inputs[property]) && inputs[property].length > 0) answer[key] = single(inputs[property]);
  }
  const principals = list(inputs.principals);
  if (principals.length > 0) {
    answer.Principal = Object.fromEntries(principals.map(({ type, identifiers }) => [type, single(identifiers)]));
  }
  const conditions: Record<string, Values> = {};
  for (const { test, variable, values: expected } of list(inputs.conditions)) {
    conditions[String(test)] = { ...conditions[String(test)], [String(variable)]: single(expected) };
  }
  if (Object.keys(conditions).length > 0) answer.Condition = conditions;
  return answer;
}

function policyDocument(args: Values): Values {
  for (const unsupported of ["sourcePolicyDocuments", "overridePolicyDocuments"]) {
    if (list(args[unsupported]).length > 0) throw new Error(`getPolicyDocument: the stand-in has no ${unsupported}`);
  }
  const document = { Version: args.version ?? "2012-10-17", Statement: list(args.statements).map(statement) };
  const json = JSON.stringify(document, undefined, 2);
  // An empty list is none: SST makes no inline policy then.
  const { statements, ...others } = args;
  const kept = list(statements).length === 0 ? {} : { statements };
  return { ...others, ...kept, id: "document", json, minifiedJson: JSON.stringify(document) };
}

async function cluster(args: Values, around: Surroundings): Promise<Values> {
  const answer = await around.aws("eks", "DescribeCluster", { name: text(args.name) });
  const found = values(answer.cluster);
  const network = values(found.kubernetesNetworkConfig);
  const vpc = values(found.resourcesVpcConfig);
  return {
    id: found.name,
    name: found.name,
    arn: found.arn,
    endpoint: found.endpoint,
    version: found.version,
    status: found.status,
    roleArn: found.roleArn,
    certificateAuthorities: [values(found.certificateAuthority)],
    accessConfigs: [values(found.accessConfig)],
    identities: [{ oidcs: [values(values(found.identity).oidc)] }],
    kubernetesNetworkConfigs: [network],
    vpcConfig: vpc,
    tags: found.tags ?? {},
  };
}

export const sources: Readonly<Record<string, DataSource>> = {
  "aws:index/getRegion:getRegion": (args, { region }) => {
    const name = typeof args.region === "string" ? args.region : region;
    return { id: name, name, region: name, endpoint: `ec2.${name}.amazonaws.com`, description: name };
  },
  "aws:index/getCallerIdentity:getCallerIdentity": async (_args, { aws }) => {
    const { Account, Arn, UserId } = await aws("sts", "GetCallerIdentity");
    return { id: Account, accountId: Account, arn: Arn, userId: UserId };
  },
  "aws:index/getPartition:getPartition": (_args, { partition }) => ({
    id: partition,
    partition,
    dnsSuffix: "amazonaws.com",
    reverseDnsPrefix: "com.amazonaws",
  }),
  "aws:iam/getPolicyDocument:getPolicyDocument": policyDocument,
  "aws:eks/getCluster:getCluster": cluster,
};
