// What the engine says that it has deployed: the checkpoint that SST keeps in its state bucket.
import type { Account } from "./account.ts";
import { stage } from "./deployment.ts";
import type { Values } from "./provider/aws.ts";

export interface Resource {
  /** `aws:sqs/queue:Queue`. */
  readonly type: string;
  /** The logical name. */
  readonly name: string;
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
}

/** Every resource that is not a component, in the order in which it was made. */
export async function readCheckpoint({ aws }: Account): Promise<readonly Resource[]> {
  const { Buckets } = await aws("s3", "ListBuckets");
  const Bucket = (Buckets as { Name: string }[]).find((one) => one.Name.startsWith("sst-state-"))?.Name;
  const { Body } = await aws("s3", "GetObject", { Bucket, Key: `app/timmerman/${stage}.json` });
  const state = JSON.parse(Buffer.from(String((Body as Values).$base64), "base64").toString());
  const resources: (Resource & { urn: string; custom: boolean })[] = state.checkpoint.latest?.resources ?? [];
  return resources
    .filter(({ custom, type }) => custom && !type.startsWith("pulumi:"))
    .map(({ type, urn, id, inputs, outputs }) => ({ type, name: urn.split("::").at(-1) ?? "", id, inputs, outputs }));
}
