import { type ClusterSpec, type Deployment, foreignAccountOf, type Given } from "./cluster-spec.ts";
import { pascal, stageTags } from "./names.ts";

// Where things are: the deployment's own account and region, and the others that clusters are in, each with its provider.

type Text = $util.Output<string>;

export interface Home {
  readonly partition: Text;
  readonly account: Text;
  readonly region: string;
}

/** An account and region in which there are clusters. */
export interface Site {
  /** For the names of resources: `UsEast1`, or `Account222222222222UsEast1`. */
  readonly title: string;
  readonly region: string;
  /** Another account than the deployment's; undefined: its own. */
  readonly account: string | undefined;
  readonly clusters: readonly ClusterSpec[];
  /** To be spread into the options of resources and invokes; empty where the deployment's own provider will do. */
  readonly options: { readonly provider?: aws.Provider };
}

export function homeOf(deployment: Deployment): Home {
  return {
    partition: aws.getPartitionOutput().partition,
    account: aws.getCallerIdentityOutput().accountId,
    region: deployment.region,
  };
}

/** One site for each pair of account and region, in the order of the list. */
export function createSites({ deployment, clusters }: Given): readonly Site[] {
  const groups = Map.groupBy(clusters, (cluster) => `${foreignAccountOf(cluster) ?? ""} ${cluster.region}`);
  return [...groups.values()].map((group) => {
    const { region, accountRole } = group[0]!;
    const account = foreignAccountOf(group[0]!);
    const title = `${account === undefined ? "" : `Account${account}`}${pascal(region)}`;
    const isOwn = account === undefined && region === deployment.region;
    const provider = isOwn
      ? undefined
      : new aws.Provider(`Provider${title}`, {
          region: region as aws.Region,
          defaultTags: { tags: stageTags($app.stage) },
          ...(accountRole === undefined ? {} : { assumeRoles: [{ roleArn: accountRole }] }),
        });
    return { title, region, account, clusters: group, options: provider === undefined ? {} : { provider } };
  });
}

/** The other accounts, each with its sites. */
export function foreignAccounts(sites: readonly Site[]): ReadonlyMap<string, readonly Site[]> {
  const foreign = sites.filter((site) => site.account !== undefined);
  return Map.groupBy(foreign, (site) => site.account!);
}
