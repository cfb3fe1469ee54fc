import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { explanationMs } from "../../core/limits.ts";
import type { Launch } from "../../core/model/index.ts";
import type { ClaimStore, LaunchPairing } from "../../ports/index.ts";
import { getItem, pauseAfter, type Table, transact, updateItem } from "./calls.ts";
import { requireLaunchFits, requireNamedOnce } from "./chunk.ts";
import { claimUpdate, launchFrom, launchItem, number } from "./records.ts";
import { expiresAt, type Item, keys } from "./table.ts";
import { gaveUp, instanceTaken } from "./verdicts.ts";

const isAbsent = "attribute_not_exists(pk)";
const isAtVersion = "version = :version";
const hasNoLaunch = "attribute_not_exists(launch)";
const isFreeOrThatClaims = "attribute_not_exists(claim) OR (ofCluster = :cluster AND claim = :claim)";

const maxRounds = 4;

type Failed = Parameters<ClaimStore["settleLaunch"]>[4];

export function launchMethods(
  table: Table,
): Pick<ClaimStore, "sealLaunch" | "readLaunch" | "settleLaunch" | "noteEmptyLookup" | "findInstance"> {
  const TableName = table.name;

  async function readSettled(cluster: string, id: string): Promise<Item | undefined> {
    return await getItem(table, keys.settledLaunch(cluster, id), `reading the settled launch ${id} of ${cluster}`);
  }

  return {
    async sealLaunch(cluster, launch, claims) {
      requireLaunchFits(
        launch.id,
        claims.map((claim) => claim.name),
      );
      const what = `sealing launch ${launch.id} of ${cluster}`;
      const sealed: Launch = { ...launch, version: 1, claims: claims.map((claim) => claim.name) };
      const evidence = { launch: { id: launch.id, sealedAtMs: launch.sealedAtMs } };
      const outcome = await transact(
        table,
        [
          { Put: { TableName, Item: launchItem(cluster, sealed), ConditionExpression: isAbsent } },
          { ConditionCheck: { TableName, Key: keys.settledLaunch(cluster, launch.id), ConditionExpression: isAbsent } },
          ...claims.map(({ name, version }) => ({
            Update: { TableName, ...claimUpdate(cluster, name, version, evidence, hasNoLaunch) },
          })),
        ],
        what,
      );
      if (outcome.kind === "done") return "sealed";
      const item = await getItem(table, keys.launch(cluster, launch.id), what);
      return item !== undefined && isSame(launchFrom(item), sealed) ? "sealed" : "lost";
    },

    async readLaunch(cluster, id) {
      const item = await getItem(table, keys.launch(cluster, id), `reading launch ${id} of ${cluster}`);
      const found = item ?? (await readSettled(cluster, id));
      return found === undefined ? undefined : launchFrom(found);
    },

    async settleLaunch(cluster, id, settledAtMs, pairs, failed) {
      requireLaunchFits(
        id,
        [...pairs, ...failed].map((write) => write.claim),
      );
      requireNamedOnce(
        `launch ${id}`,
        pairs.map((pair) => pair.instanceId),
      );
      const what = `settling launch ${id} of ${cluster}`;
      const settlement = digestOf(pairs, failed);
      for (let round = 0; round < maxRounds; round += 1) {
        if (round > 0) await pauseAfter(table, round);
        const item = await getItem(table, keys.launch(cluster, id), what);
        if (item === undefined) {
          const settled = await readSettled(cluster, id);
          return settled?.settlement?.S === settlement ? "settled" : "lost";
        }
        const writes = settlementWrites(TableName, cluster, item, { id, settledAtMs, settlement, pairs, failed });
        const outcome = await transact(table, writes, what);
        if (outcome.kind === "done") return "settled";
        // The launch item moved (a look-up was noted, or it was settled, with which all else here fails too): look again.
        if (outcome.failed[0]) continue;
        const takenAt = pairs.findIndex((_, at) => outcome.failed[2 + at]);
        if (takenAt >= 0) throw instanceTaken(pairs[takenAt]!.instanceId);
        // A claim moved: the caller must look again.
        if (outcome.failed.slice(2 + pairs.length).some(Boolean)) return "lost";
      }
      throw gaveUp(what, false);
    },

    async noteEmptyLookup(cluster, id, version, atMs) {
      const outcome = await updateItem(
        table,
        {
          Key: keys.launch(cluster, id),
          UpdateExpression: "SET emptyLookupAtMs = :at, version = :next",
          ConditionExpression: isAtVersion,
          ExpressionAttributeValues: { ":at": number(atMs), ":version": number(version), ":next": number(version + 1) },
        },
        `noting an empty look-up of launch ${id} of ${cluster}`,
      );
      if (outcome.kind === "done") return "noted";
      if (outcome.item === undefined) return "lost";
      const there = launchFrom(outcome.item);
      return there.version === version + 1 && there.emptyLookupAtMs === atMs ? "noted" : "lost";
    },

    async findInstance(instanceId) {
      const item = await getItem(table, keys.instance(instanceId), `finding the claim of instance ${instanceId}`);
      const [cluster, claim] = [item?.ofCluster?.S, item?.claim?.S];
      return cluster === undefined || claim === undefined ? undefined : { cluster, claim };
    },
  };
}

interface Settlement {
  readonly id: string;
  readonly settledAtMs: number;
  readonly settlement: string;
  readonly pairs: readonly LaunchPairing[];
  readonly failed: Failed;
}

/** The launch leaves the state, its instances get their names, and its claims their evidence: two items, then two a claim. */
function settlementWrites(TableName: string, cluster: string, item: Item, made: Settlement): TransactWriteItem[] {
  const version = Number(item.version?.N);
  const settled: Item = {
    ...item,
    ...keys.settledLaunch(cluster, made.id),
    version: number(version + 1),
    settledAtMs: number(made.settledAtMs),
    settlement: { S: made.settlement },
    expiresAt: expiresAt(made.settledAtMs + explanationMs),
  };
  return [
    {
      Delete: {
        TableName,
        Key: keys.launch(cluster, made.id),
        ConditionExpression: isAtVersion,
        ExpressionAttributeValues: { ":version": number(version) },
      },
    },
    { Put: { TableName, Item: settled, ConditionExpression: isAbsent } },
    ...made.pairs.map(({ instanceId, claim }) => ({
      Put: {
        TableName,
        Item: { ...keys.instance(instanceId), ofCluster: { S: cluster }, claim: { S: claim } },
        ConditionExpression: isFreeOrThatClaims,
        ExpressionAttributeValues: { ":cluster": { S: cluster }, ":claim": { S: claim } },
      },
    })),
    ...[...made.pairs, ...made.failed].map(({ claim, claimVersion, change }) => ({
      Update: { TableName, ...claimUpdate(cluster, claim, claimVersion, change) },
    })),
  ];
}

function isSame(there: Launch, sealed: Launch): boolean {
  const request = JSON.parse(JSON.stringify(sealed.request)) as Launch["request"];
  return isDeepStrictEqual([there.request, there.claims], [request, sealed.claims]);
}

/** Which instances went to which claims and which claims got none: a repeat says the same, whatever the time. */
function digestOf(pairs: readonly LaunchPairing[], failed: Failed): string {
  const text = JSON.stringify([pairs.map((pair) => [pair.claim, pair.instanceId]), failed.map((claim) => claim.claim)]);
  return createHash("sha256").update(text).digest("hex");
}
