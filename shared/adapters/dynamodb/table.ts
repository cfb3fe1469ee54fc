import type { AttributeValue, CreateTableCommandInput } from "@aws-sdk/client-dynamodb";

/**
 * The one table, as data: tests and the local world create it from this, the deployment says the same. `due` is the
 * time index of the agenda: sparse, keys only, read with a lag, which costs a wake a moment and nothing else.
 */
export const tableDefinition = {
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
    { AttributeName: "dueShard", AttributeType: "S" },
    { AttributeName: "dueAtMs", AttributeType: "N" },
  ],
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: "due",
      KeySchema: [
        { AttributeName: "dueShard", KeyType: "HASH" },
        { AttributeName: "dueAtMs", KeyType: "RANGE" },
      ],
      Projection: { ProjectionType: "KEYS_ONLY" },
    },
  ],
  BillingMode: "PAY_PER_REQUEST",
} as const satisfies Omit<CreateTableCommandInput, "TableName">;

/** The attribute that DynamoDB's expiry looks at, in epoch seconds. It only tidies: every end is compared in code. */
export const expiryAttribute = "expiresAt";

export type Item = Record<string, AttributeValue>;

export interface Key extends Record<string, AttributeValue> {
  readonly pk: { S: string };
  readonly sk: { S: string };
}

function key(pk: string, sk: string): Key {
  return { pk: { S: pk }, sk: { S: sk } };
}

/** Shards of the agenda's time index: one partition takes 1,000 writes a second, a tick reads every shard. */
export const agendaShards = 8;

const claimPrefix = "claim#";

/** What stands under which key; the room's header draws it. */
export const keys = {
  clusterPartition: (cluster: string) => `cluster#${cluster}`,
  head: (cluster: string) => key(`cluster#${cluster}`, "head"),
  claim: (cluster: string, name: string) => key(`cluster#${cluster}`, `${claimPrefix}${name}`),
  launch: (cluster: string, id: string) => key(`cluster#${cluster}`, `launch#${id}`),
  command: (cluster: string, id: string) => key(`cluster#${cluster}`, `command#${id}`),
  planPartition: (cluster: string) => `plans#${cluster}`,
  plan: (cluster: string, untilMs: number, id: string, index: number) =>
    key(`plans#${cluster}`, `${sortableMs(untilMs)}#${id}#${String(index).padStart(4, "0")}`),
  goneClaim: (cluster: string, name: string) => key(`gone#${cluster}`, `${claimPrefix}${name}`),
  settledLaunch: (cluster: string, id: string) => key(`gone#${cluster}`, `launch#${id}`),
  instance: (id: string) => key(`instance#${id}`, "instance"),
  lease: (cluster: string, controller: string) => key(`lease#${cluster}`, controller),
  agenda: (cluster: string, controller: string) => key(`agenda#${cluster}`, controller),
  registration: (cluster: string) => key("registry", cluster),
  marketPartition: (region: string) => `market#${partitionOf(region)}#${region}`,
  refusal: (region: string, offering: string) => key(`market#${partitionOf(region)}#${region}`, offering),
};

/** What is behind a key's first `#`. */
export function nameIn(value: AttributeValue | undefined): string {
  const text = value?.S ?? "";
  return text.slice(text.indexOf("#") + 1);
}

/** Milliseconds as text that sorts like the number (until the year 33658). */
export function sortableMs(ms: number): string {
  return String(Math.max(0, Math.floor(ms))).padStart(15, "0");
}

/** The AWS partition of a region, by its name (botocore's `partitions.json` has the same prefixes). */
function partitionOf(region: string): string {
  if (region.startsWith("cn-")) return "aws-cn";
  if (region.startsWith("us-gov-")) return "aws-us-gov";
  if (region.startsWith("us-isob-")) return "aws-iso-b";
  if (region.startsWith("us-iso-")) return "aws-iso";
  if (region.startsWith("eusc-")) return "aws-eusc";
  return "aws";
}

/** FNV-1a over the cluster's name: the same shard for ever, spread evenly. */
export function agendaShardOf(cluster: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < cluster.length; at += 1) hash = Math.imul(hash ^ cluster.charCodeAt(at), 0x01000193) >>> 0;
  return agendaShard(hash % agendaShards);
}

export function agendaShard(number: number): string {
  return `agenda#${number}`;
}

export function expiresAt(ms: number): AttributeValue {
  return { N: String(Math.ceil(ms / 1_000)) };
}
