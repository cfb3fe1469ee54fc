import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { Launch, NodeClaim } from "../../core/model/index.ts";
import type { ClaimStore, StoredCommand } from "../../ports/index.ts";
import { translate } from "../aws/index.ts";
import { getItem, queryAll, type Table } from "./calls.ts";
import { claimFrom, commandFrom, headFrom, headItem, launchFrom, placementsFrom } from "./records.ts";
import { type Item, keys, sortableMs } from "./table.ts";
import { gaveUp } from "./verdicts.ts";

const isAbsent = "attribute_not_exists(pk)";

export function headMethods(table: Table): Pick<ClaimStore, "createHead" | "readHead" | "readState"> {
  const readHead: ClaimStore["readHead"] = async (cluster) => {
    const item = await getItem(table, keys.head(cluster), `reading the head of ${cluster}`);
    return item === undefined ? undefined : headFrom(item);
  };
  return {
    readHead,
    async createHead(cluster, head) {
      const what = `creating the head of ${cluster}`;
      try {
        await table.client.send(
          new PutItemCommand({ TableName: table.name, Item: headItem(cluster, head), ConditionExpression: isAbsent }),
        );
        return head;
      } catch (error) {
        if ((error as Error).name !== "ConditionalCheckFailedException") throw translate(error, what);
      }
      const there = await readHead(cluster);
      if (there === undefined) throw gaveUp(what, false);
      return there;
    },
    async readState(cluster, nowMs) {
      // A query over pages is no snapshot, so the head comes first, by itself: what is committed after it was read makes
      // a commit on it lose, whether or not the query saw its claims.
      const head = await readHead(cluster);
      if (head === undefined) return undefined;
      const [items, plans] = await Promise.all([
        queryAll(table, inPartition(keys.clusterPartition(cluster)), `reading the state of ${cluster}`),
        queryAll(table, livePlans(cluster, nowMs), `reading the placements of ${cluster}`),
      ]);
      return { head, ...sorted(items), placements: plans.flatMap(placementsFrom) };
    },
  };
}

function inPartition(partition: string) {
  return { KeyConditionExpression: "pk = :partition", ExpressionAttributeValues: { ":partition": { S: partition } } };
}

/** Plans are sorted by their end, so that those that ended are never read, however late they expire. */
function livePlans(cluster: string, nowMs: number) {
  return {
    KeyConditionExpression: "pk = :partition AND sk > :endsAfter",
    ExpressionAttributeValues: {
      ":partition": { S: keys.planPartition(cluster) },
      ":endsAfter": { S: sortableMs(nowMs + 1) },
    },
  };
}

/** Items of a cluster's partition, which come in the order of their names. */
function sorted(items: readonly Item[]): { claims: NodeClaim[]; launches: Launch[]; commands: StoredCommand[] } {
  const claims: NodeClaim[] = [];
  const launches: Launch[] = [];
  const commands: StoredCommand[] = [];
  for (const item of items) {
    const kind = item.sk?.S?.split("#", 1)[0];
    if (kind === "claim") claims.push(claimFrom(item));
    else if (kind === "launch") launches.push(launchFrom(item));
    else if (kind === "command") commands.push(commandFrom(item));
  }
  return { claims, launches, commands };
}
