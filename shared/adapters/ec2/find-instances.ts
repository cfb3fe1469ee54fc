// Instances by tag and by id, all pages.

import { type EC2Client, type Filter, paginateDescribeInstances } from "@aws-sdk/client-ec2";
import type { CloudInstance } from "../../core/model/index.ts";
import { OperationError } from "../../ports/index.ts";
import { toCloudInstance } from "./answers.ts";
import { exactValue } from "./selectors.ts";

const instancesPerPage = 1000;
const idsPerCall = 100;
const liveStates = ["pending", "running", "shutting-down", "stopping", "stopped"];

/** Those that carry every tag with exactly that value; terminated ones only if asked for. Sorted by id. */
export async function findByTags(
  client: EC2Client,
  tags: Readonly<Record<string, string>>,
  { includeTerminated = false }: { includeTerminated?: boolean } = {},
): Promise<readonly CloudInstance[]> {
  if (Object.keys(tags).length === 0) {
    throw new OperationError(
      "finding instances needs at least one tag: without any, all of the account's would answer",
      {
        retry: "never",
        code: "bad-request",
      },
    );
  }
  const filters: Filter[] = Object.entries(tags).map(([key, value]) => ({
    Name: `tag:${key}`,
    Values: [exactValue(value)],
  }));
  if (!includeTerminated) filters.push({ Name: "instance-state-name", Values: liveStates });
  return describe(client, filters);
}

/** By filter, not by id: an unknown id in the id list would fail the whole call. */
export async function findByIds(client: EC2Client, ids: readonly string[]): Promise<readonly CloudInstance[]> {
  const found: CloudInstance[] = [];
  for (let from = 0; from < ids.length; from += idsPerCall) {
    found.push(...(await describe(client, [{ Name: "instance-id", Values: ids.slice(from, from + idsPerCall) }])));
  }
  return found.sort(byId);
}

async function describe(client: EC2Client, filters: Filter[]): Promise<CloudInstance[]> {
  const found = new Map<string, CloudInstance>();
  for await (const page of paginateDescribeInstances({ client, pageSize: instancesPerPage }, { Filters: filters })) {
    for (const instance of (page.Reservations ?? []).flatMap((r) => r.Instances ?? [])) {
      const read = toCloudInstance(instance);
      if (read !== undefined) found.set(read.id, read);
    }
  }
  return [...found.values()].sort(byId);
}

function byId(a: CloudInstance, b: CloudInstance): number {
  return a.id < b.id ? -1 : 1;
}
