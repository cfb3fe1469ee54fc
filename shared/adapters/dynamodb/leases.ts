import { DeleteItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { ClaimStore } from "../../ports/index.ts";
import { translate } from "../aws/index.ts";
import { pauseAfter, queryAll, type Table, updateItem } from "./calls.ts";
import { number } from "./records.ts";
import { agendaShard, agendaShardOf, agendaShards, keys, nameIn } from "./table.ts";

const isFree = "attribute_not_exists(holder) OR holder = :holder OR untilMs <= :now";
const isTakenByAnother = "attribute_exists(holder) AND holder <> :holder AND untilMs > :now";
const isMineAndUnasked = "holder = :holder AND requested = :requested";
const isMine = "holder = :holder";
const isAbsent = "attribute_not_exists(dueAtMs)";
const isAbsentOrTooLate = `${isAbsent} OR dueAtMs > :latest`;
const isLaterPastOrAbsent = "attribute_not_exists(dueAtMs) OR dueAtMs > :due OR dueAtMs <= :now";

/** A lease that changes hands between two conditions is tried again; more often than this it is somebody's for sure. */
const maxRounds = 5;

export function leaseMethods(table: Table): Pick<ClaimStore, "takeLease" | "releaseLease"> {
  return {
    async takeLease(cluster, controller, holder, nowMs, untilMs) {
      const what = `taking the ${controller} lease of ${cluster}`;
      const Key = keys.lease(cluster, controller);
      const who = { ":holder": { S: holder }, ":now": number(nowMs) };
      for (let round = 0; round < maxRounds; round += 1) {
        if (round > 0) await pauseAfter(table, round);
        const taken = await updateItem(
          table,
          {
            Key,
            UpdateExpression: "SET holder = :holder, untilMs = :until, requested = if_not_exists(requested, :zero)",
            ConditionExpression: isFree,
            ExpressionAttributeValues: { ...who, ":until": number(untilMs), ":zero": number(0) },
          },
          what,
        );
        if (taken.kind === "done") return { kind: "taken", requested: Number(taken.item.requested?.N) };
        // Asked for only while it is held: a holder that released it meanwhile would not see it.
        const asked = await updateItem(
          table,
          {
            Key,
            UpdateExpression: "SET requested = requested + :one",
            ConditionExpression: isTakenByAnother,
            ExpressionAttributeValues: { ...who, ":one": number(1) },
          },
          what,
        );
        if (asked.kind === "done") return { kind: "busy" };
      }
      return { kind: "busy" };
    },

    async releaseLease(cluster, controller, holder, requested) {
      const what = `releasing the ${controller} lease of ${cluster}`;
      const Key = keys.lease(cluster, controller);
      const values = { ":holder": { S: holder }, ":requested": number(requested) };
      const released = await updateItem(
        table,
        {
          Key,
          UpdateExpression: "REMOVE holder, untilMs",
          ConditionExpression: isMineAndUnasked,
          ExpressionAttributeValues: values,
        },
        what,
      );
      if (released.kind === "done") return true;
      // Somebody asked: the run that follows answers all who asked before this write.
      const noted = await updateItem(
        table,
        {
          Key,
          UpdateExpression: "SET requested = :requested",
          ConditionExpression: isMine,
          ExpressionAttributeValues: values,
        },
        what,
      );
      return noted.kind === "refused";
    },
  };
}

/** The condition under which an entry is set, and the values that it names. */
function agendaCondition({
  ifAbsent = false,
  latestMs,
  nowMs,
}: {
  ifAbsent?: boolean;
  latestMs?: number;
  nowMs?: number;
}) {
  if (!ifAbsent) return { condition: isLaterPastOrAbsent, values: { ":now": number(nowMs ?? -1) } };
  if (latestMs === undefined) return { condition: isAbsent, values: {} };
  return { condition: isAbsentOrTooLate, values: { ":latest": number(latestMs) } };
}

export function agendaMethods(table: Table): Pick<ClaimStore, "setAgenda" | "readDue"> {
  return {
    async setAgenda(cluster, controller, dueAtMs, options = {}) {
      const what = `setting when ${controller} of ${cluster} is due`;
      const Key = keys.agenda(cluster, controller);
      const dueShard = { S: agendaShardOf(cluster) };
      if (dueAtMs === null && options.replace !== true) return false;
      try {
        if (dueAtMs === null) {
          await table.client.send(new DeleteItemCommand({ TableName: table.name, Key }));
        } else if (options.replace === true) {
          const Item = { ...Key, dueShard, dueAtMs: number(dueAtMs) };
          await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
        } else {
          const { condition, values } = agendaCondition(options);
          const set = await updateItem(
            table,
            {
              Key,
              UpdateExpression: "SET dueAtMs = :due, dueShard = :shard",
              ConditionExpression: condition,
              ExpressionAttributeValues: { ":due": number(dueAtMs), ":shard": dueShard, ...values },
            },
            what,
          );
          if (set.kind === "done") return true;
          return set.repeated && Number(set.item?.dueAtMs?.N) === dueAtMs;
        }
        return true;
      } catch (error) {
        throw translate(error, what);
      }
    },

    async readDue(nowMs) {
      const shards = await Promise.all(
        Array.from({ length: agendaShards }, (_, shard) =>
          queryAll(
            table,
            {
              IndexName: "due",
              KeyConditionExpression: "dueShard = :shard AND dueAtMs <= :now",
              ExpressionAttributeValues: { ":shard": { S: agendaShard(shard) }, ":now": number(nowMs) },
            },
            "reading what is due",
          ),
        ),
      );
      return shards
        .flat()
        .map((item) => ({
          cluster: nameIn(item.pk),
          controller: item.sk?.S ?? "",
          dueAtMs: Number(item.dueAtMs?.N),
        }))
        .sort(
          (a, b) =>
            a.dueAtMs - b.dueAtMs || compareText(a.cluster, b.cluster) || compareText(a.controller, b.controller),
        );
    },
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
