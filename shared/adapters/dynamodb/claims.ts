import { isDeepStrictEqual } from "node:util";
import type { NodeClaim } from "../../core/model/index.ts";
import type { ClaimChange, ClaimStore, ClaimWrite } from "../../ports/index.ts";
import { getItem, pauseAfter, type Table, transact, updateItem } from "./calls.ts";
import { claimFrom, claimUpdate, number } from "./records.ts";
import { expiresAt, type Item, keys } from "./table.ts";
import { gaveUp } from "./verdicts.ts";

const isAtVersion = "version = :version";

const maxRounds = 4;

export function claimMethods(table: Table): Pick<ClaimStore, "readClaim" | "changeClaim" | "retireClaim"> {
  async function readGone(cluster: string, name: string): Promise<NodeClaim | undefined> {
    const item = await getItem(table, keys.goneClaim(cluster, name), `reading the gone claim ${name} of ${cluster}`);
    return item === undefined ? undefined : claimFrom(item);
  }

  return {
    async readClaim(cluster, name) {
      const item = await getItem(table, keys.claim(cluster, name), `reading claim ${name} of ${cluster}`);
      return item === undefined ? await readGone(cluster, name) : claimFrom(item);
    },

    async changeClaim(cluster, name, version, change) {
      const update = claimUpdate(cluster, name, version, change);
      const outcome = await updateItem(table, update, `changing claim ${name} of ${cluster}`);
      if (outcome.kind === "done") return { kind: "written", claim: claimFrom(outcome.item) };
      if (outcome.item === undefined) return conflict(await readGone(cluster, name));
      const there = claimFrom(outcome.item);
      return isRepeat(there, version, change) ? { kind: "written", claim: there } : conflict(there);
    },

    async retireClaim(cluster, name, version, goneAtMs, forgetAtMs) {
      const what = `retiring claim ${name} of ${cluster}`;
      for (let round = 0; round < maxRounds; round += 1) {
        if (round > 0) await pauseAfter(table, round);
        const item = await getItem(table, keys.claim(cluster, name), what);
        if (item === undefined) {
          const gone = await readGone(cluster, name);
          return gone?.version === version + 1 ? { kind: "written", claim: gone } : conflict(gone);
        }
        const there = claimFrom(item);
        if (there.version !== version) return conflict(there);
        const gone = goneItem(cluster, name, item, goneAtMs, forgetAtMs);
        const outcome = await transact(
          table,
          [
            {
              Delete: {
                TableName: table.name,
                Key: keys.claim(cluster, name),
                ConditionExpression: isAtVersion,
                ExpressionAttributeValues: { ":version": number(version) },
              },
            },
            { Put: { TableName: table.name, Item: gone } },
            ...(there.instance === undefined ? [] : [forget(table.name, there.instance.id, forgetAtMs)]),
          ],
          what,
        );
        if (outcome.kind === "done") return { kind: "written", claim: claimFrom(gone) };
      }
      throw gaveUp(what, false);
    },
  };
}

function conflict(current: NodeClaim | undefined): ClaimWrite {
  return current === undefined ? { kind: "conflict" } : { kind: "conflict", current };
}

/** Whether the record stands exactly where this change would have left it: then a lost answer was a success. */
function isRepeat(there: NodeClaim, version: number, change: ClaimChange): boolean {
  if (there.version !== version + 1) return false;
  const wanted = JSON.parse(JSON.stringify(change)) as Record<string, unknown>;
  const found = there as unknown as Record<string, unknown>;
  return Object.keys(change).every((field) => isDeepStrictEqual(found[field], wanted[field]));
}

function goneItem(cluster: string, name: string, item: Item, goneAtMs: number, forgetAtMs: number): Item {
  return {
    ...item,
    ...keys.goneClaim(cluster, name),
    version: number(Number(item.version?.N) + 1),
    goneAtMs: number(goneAtMs),
    expiresAt: expiresAt(forgetAtMs),
  };
}

function forget(TableName: string, instanceId: string, forgetAtMs: number) {
  return {
    Update: {
      TableName,
      Key: keys.instance(instanceId),
      UpdateExpression: "SET expiresAt = :expiresAt",
      ExpressionAttributeValues: { ":expiresAt": expiresAt(forgetAtMs) },
    },
  };
}
