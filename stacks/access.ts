import type { OpenedCluster } from "./cluster-facts.ts";
import { nodeRolesOf } from "./cluster-spec.ts";
import type { Functions } from "./functions.ts";
import { attachable } from "./managed-policies.ts";
import { accountRoleName, clusterFunctionNames, functionsGroup, partitionOf, pascal } from "./names.ts";
import { foreignStatements } from "./policies-ec2.ts";
import { planDocuments, statementsIn } from "./policy-documents.ts";
import { policyText } from "./policy-text.ts";
import { foreignAccounts, type Home, type Site } from "./sites.ts";

// Who the functions are to clusters and to other accounts. In a cluster they are members of one group, to which the chart
// binds what they need; EKS itself gives them nothing. Answers to the service account of Karpenter's controller.

type Text = $util.Output<string>;

export interface AccessOptions {
  readonly prefix: string;
  readonly home: Home;
  readonly sites: readonly Site[];
  readonly clusters: readonly OpenedCluster[];
  readonly functions: Functions;
}

/** ARNs of the roles in other accounts, by account. */
export type AccountRoles = ReadonlyMap<string, Text>;

/**
 * In each other account one role that the functions of this deployment, and nobody else, act as: for EC2 there, and for the
 * tokens of clusters there. It has what all of them together may do, since a role cannot tell them apart.
 */
export function createAccountRoles(options: AccessOptions): AccountRoles {
  const { prefix, home, sites, functions } = options;
  const members = clusterFunctionNames.map((name) => functions[name].nodes.role.arn);
  return new Map(
    [...foreignAccounts(sites)].map(([account, within]) => {
      const options = within[0]!.options;
      const statementsAt = (partition: string) =>
        foreignStatements({
          partition,
          account,
          deployment: prefix,
          clusterRegions: within.map((site) => site.region),
          nodeRoles: nodeRolesOf(within.flatMap((site) => site.clusters)),
        });
      const statements = home.partition.apply(statementsAt);
      const [inline, ...beyond] = planDocuments(statementsAt(partitionOf(home.region)));
      const managedPolicyArns = attachable(`Account${account}`, accountRoleName(prefix), statements, beyond, options);
      const role = new aws.iam.Role(
        `Account${account}Role`,
        {
          name: accountRoleName(prefix),
          description: `timmerman ${$app.stage}: nodes of clusters in this account`,
          assumeRolePolicy: $jsonStringify({
            Version: "2012-10-17",
            Statement: [{ Effect: "Allow", Principal: { AWS: members }, Action: "sts:AssumeRole" }],
          }),
          inlinePolicies: [
            { name: "nodes", policy: statements.apply((all) => policyText(statementsIn(inline!, all))) },
          ],
          managedPolicyArns,
        },
        options,
      );
      return [account, role.arn];
    }),
  );
}

/** Access entries: in a cluster of this account for each function, in another's for the role that they act as there. */
export function createAccessEntries({ clusters, functions }: AccessOptions, accountRoles: AccountRoles): void {
  for (const { spec, site } of clusters) {
    const members: readonly (readonly [string, Text])[] =
      site.account === undefined
        ? clusterFunctionNames.map((name) => [pascal(name), functions[name].nodes.role.arn])
        : [["Functions", accountRoles.get(site.account)!]];
    for (const [title, principalArn] of members) {
      new aws.eks.AccessEntry(
        `Access-${spec.name}-${title}`,
        { clusterName: spec.name, principalArn, type: "STANDARD", kubernetesGroups: [functionsGroup] },
        site.options,
      );
    }
  }
}

/** Instance profiles named like node roles, through which instances get them; once an account. */
export function createInstanceProfiles(clusters: readonly OpenedCluster[]): void {
  const done = new Set<string>();
  for (const { spec, site } of clusters) {
    if (spec.instanceProfiles === "exist") continue;
    for (const role of spec.nodeRoles) {
      const title = `Profile-${site.account === undefined ? "" : `${site.account}-`}${role}`;
      if (done.has(title)) continue;
      done.add(title);
      new aws.iam.InstanceProfile(title, { name: role, role }, site.options);
    }
  }
}
