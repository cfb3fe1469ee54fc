// What the stacks' statements name, as it is in the account.
import { queueNames } from "../../stacks/names.ts";
import type { Places } from "../../stacks/policies.ts";
import type { Account } from "./account.ts";
import { mappingOf } from "./deliveries.ts";
import { nodeRole, prefix, region } from "./deployment.ts";
import type { Values } from "./provider/aws.ts";

/** The bucket of catalogs. */
export async function bucketOf({ aws }: Account): Promise<string> {
  const { Buckets } = await aws("s3", "ListBuckets");
  const [found] = (Buckets as { Name: string }[]).filter(({ Name }) => Name.startsWith(`${prefix}-`));
  return found!.Name;
}

export async function placesOf(account: Account, table: string): Promise<Places> {
  const { Table } = await account.aws("dynamodb", "DescribeTable", { TableName: table });
  const { EventBuses } = await account.aws("events", "ListEventBuses");
  const arns = await Promise.all(
    queueNames.map(async (name) => [name, (await mappingOf(account, name)).EventSourceArn]),
  );
  return {
    partition: "aws",
    account: "123456789012",
    region,
    deployment: prefix,
    tableArn: String((Table as Values).TableArn),
    bucketArn: `arn:aws:s3:::${await bucketOf(account)}`,
    busArn: String((EventBuses as Values[]).find(({ Name }) => Name !== "default")?.Arn),
    queueArns: Object.fromEntries(arns) as Places["queueArns"],
    clusterRegions: [region],
    catalogRegions: [region],
    nodeRoles: [nodeRole],
    accountRoleArns: [],
    isInVpc: false,
  };
}
