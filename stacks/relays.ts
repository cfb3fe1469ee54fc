import type { OpenedCluster } from "./cluster-facts.ts";
import type { ClusterSpec } from "./cluster-spec.ts";
import {
  pascal,
  type QueueParts,
  relayNamespace,
  relayQueueNames,
  relayRoleName,
  relayServiceAccount,
} from "./names.ts";
import { relayStatements } from "./policies.ts";
import { type Foreigners, foreignRelays, tableText } from "./policies-resources.ts";
import { policyText } from "./policy-text.ts";
import { type Queues, queuePolicy } from "./queues.ts";
import type { Home } from "./sites.ts";
import type { Storage } from "./storage.ts";

// The relay's side of each cluster: its role, how its pods get it, and the values that the chart is installed with.

type Text = $util.Output<string>;

export interface RelaysOptions {
  readonly prefix: string;
  readonly home: Home;
  readonly clusters: readonly OpenedCluster[];
  readonly storage: Storage;
  readonly queues: Queues;
  readonly foreigners: Foreigners | undefined;
}

/** Values for the chart, of one cluster. */
export interface RelayValues {
  readonly settings: Readonly<Record<string, string>>;
  readonly aws: { readonly region: string };
  readonly timmerman: {
    readonly table: Text;
    readonly queues: Readonly<Record<"provision" | "disrupt" | "lifecycle" | "resolveNodeClasses", Text>>;
  };
  readonly serviceAccount?: { readonly annotations: Readonly<Record<string, Text>> };
}

export function createRelays(options: RelaysOptions): Readonly<Record<string, RelayValues>> {
  const roles = options.clusters.map((cluster) => [cluster, createRole(cluster, options)] as const);
  for (const [{ spec, site }, role] of roles) {
    if (spec.identity !== "pod-identity") continue;
    new aws.eks.PodIdentityAssociation(
      `Relay-${spec.name}-Association`,
      { clusterName: spec.name, namespace: relayNamespace, serviceAccount: relayServiceAccount, roleArn: role.arn },
      site.options,
    );
  }
  admitForeign(options);
  return Object.fromEntries(roles.map(([cluster, role]) => [cluster.spec.name, valuesOf(cluster, role, options)]));
}

function createRole(cluster: OpenedCluster, { prefix, queues, storage }: RelaysOptions): aws.iam.Role {
  const { spec, site } = cluster;
  const arns = relayQueueNames.map((name) => queues.queues[name].arn);
  return new aws.iam.Role(
    `Relay-${spec.name}-Role`,
    {
      name: relayRoleName(prefix, spec.name),
      description: `timmerman ${$app.stage}: the relay of cluster ${spec.name}`,
      assumeRolePolicy: spec.identity === "irsa" ? irsaTrust(cluster) : podIdentityTrust(cluster),
      inlinePolicies: [
        {
          name: "relay",
          policy: $util
            .all([storage.table.arn, ...arns])
            .apply(([table, ...found]) => policyText(relayStatements(spec.name, table!, found))),
        },
      ],
    },
    site.options,
  );
}

/** The Pod Identity agent of this very cluster, for this very service account. */
function podIdentityTrust({ facts }: OpenedCluster): Text {
  return $jsonStringify({
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Principal: { Service: "pods.eks.amazonaws.com" },
        Action: ["sts:AssumeRole", "sts:TagSession"],
        Condition: {
          StringEquals: {
            "aws:SourceAccount": facts.account,
            "aws:RequestTag/kubernetes-namespace": relayNamespace,
            "aws:RequestTag/kubernetes-service-account": relayServiceAccount,
          },
          ArnEquals: { "aws:SourceArn": facts.arn },
        },
      },
    ],
  });
}

/** Tokens of the cluster's issuer, for this very service account. */
function irsaTrust({ facts }: OpenedCluster): Text {
  return facts.apply(({ arn, account, issuer }) => {
    const host = issuer.replace(/^https:\/\//, "");
    return JSON.stringify({
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Principal: { Federated: `arn:${arn.split(":")[1]}:iam::${account}:oidc-provider/${host}` },
          Action: "sts:AssumeRoleWithWebIdentity",
          Condition: {
            StringEquals: {
              [`${host}:sub`]: `system:serviceaccount:${relayNamespace}:${relayServiceAccount}`,
              [`${host}:aud`]: "sts.amazonaws.com",
            },
          },
        },
      ],
    });
  });
}

/** Relays of other accounts are let in by the queues and the table themselves; those of this account by their role. */
function admitForeign({ queues, storage, foreigners }: RelaysOptions): void {
  const senders = foreigners === undefined ? [] : [foreignRelays(foreigners)];
  for (const name of [...relayQueueNames, "collect-garbage" as const]) {
    const { url, arn } = queues.queues[name];
    new aws.sqs.QueuePolicy(`${pascal(name)}Policy`, {
      queueUrl: url,
      policy: queuePolicy(arn, name === "collect-garbage" ? [] : senders),
    });
  }
  if (foreigners === undefined) return;
  new aws.dynamodb.ResourcePolicy("TablePolicy", {
    resourceArn: storage.table.arn,
    policy: storage.table.arn.apply((arn) => tableText(arn, foreigners)),
  });
}

function valuesOf({ spec, site }: OpenedCluster, role: aws.iam.Role, options: RelaysOptions): RelayValues {
  const { home, storage, queues } = options;
  const url = (part: QueueParts<Text>) => part.url;
  return {
    settings: { clusterName: spec.name, ...batching(spec) },
    // The region of the table and the queues, whatever the cluster's is.
    aws: { region: home.region },
    timmerman: {
      // A table of another account is named by its ARN.
      table: site.account === undefined ? storage.table.name : storage.table.arn,
      queues: {
        provision: url(queues.queues.provision),
        disrupt: url(queues.queues.disrupt),
        lifecycle: url(queues.queues.lifecycle),
        resolveNodeClasses: url(queues.queues["resolve-node-classes"]),
      },
    },
    ...(spec.identity === "irsa"
      ? { serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": role.arn } } }
      : {}),
  };
}

/** The two settings that the relay itself follows. */
function batching({ settings }: ClusterSpec): Record<string, string> {
  const { batchIdleDuration, batchMaxDuration } = settings ?? {};
  return {
    ...(batchIdleDuration === undefined ? {} : { batchIdleDuration }),
    ...(batchMaxDuration === undefined ? {} : { batchMaxDuration }),
  };
}
