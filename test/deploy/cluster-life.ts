// Looks into the cluster and the table, for what the functions have done to them.
import { unzipSync } from "node:zlib";
import type { KubeObject } from "../../local/kube/types.ts";
import type { Account } from "./account.ts";
import { clusterName } from "./deployment.ts";
import type { Values } from "./provider/aws.ts";

export function listOf({ kube }: Account, resource: string): readonly KubeObject[] {
  return kube.store.list(resource).items;
}

/** Whether there are pods, and every one has a node. */
export function allPodsBound(account: Account): boolean {
  const pods = listOf(account, "pods");
  return pods.length > 0 && pods.every((pod) => pod.spec.nodeName !== undefined);
}

export function conditionOf(object: KubeObject | undefined, type: string): string | undefined {
  const conditions: { type: string; status: string }[] = object?.status?.conditions ?? [];
  return conditions.find((condition) => condition.type === type)?.status;
}

export async function itemsOf({ aws }: Account, table: string, pk: string): Promise<readonly Values[]> {
  const { Items } = await aws("dynamodb", "Query", {
    TableName: table,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": { S: pk } },
    ConsistentRead: true,
  });
  return Items as Values[];
}

/** The records of the cluster's claims, as they lie in the table. */
export async function claimItems(account: Account, table: string): Promise<readonly Values[]> {
  const items = await itemsOf(account, table, `cluster#${clusterName}`);
  return items.filter(({ sk }) => String((sk as { S: string }).S).startsWith("claim#"));
}

/** A JSON object out of a bucket, whose name ends in `.gz`. */
export async function readJsonObject({ aws }: Account, Bucket: string, Key: string): Promise<Values> {
  const { Body } = await aws("s3", "GetObject", { Bucket, Key });
  return JSON.parse(unzipSync(Buffer.from(String((Body as Values).$base64), "base64")).toString());
}
