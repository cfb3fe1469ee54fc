import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { explanationMs } from "../../core/limits.ts";
import type { Head, PlanChunk } from "../../core/model/index.ts";
import type { ClaimStore } from "../../ports/index.ts";
import { getItem, pauseAfter, type Table, transact } from "./calls.ts";
import { claimsOf, newRecord, requireChunkFits } from "./chunk.ts";
import { claimItem, commandFrom, commandItem, number, planItem } from "./records.ts";
import { expiresAt, keys } from "./table.ts";
import { claimExists, gaveUp } from "./verdicts.ts";

const isAbsent = "attribute_not_exists(pk)";
const isFreeCandidate = "attribute_exists(pk) AND attribute_not_exists(commandId)";
const isThatHead = "seq = :seq AND epoch = :epoch";
const isInCommand = "commandId = :command";
const isAtVersion = "version = :version";

/** Where the head and the plan stand in a commit's transaction; claims follow. */
const headAt = 0;
const planAt = 1;
const claimsAt = 2;

const maxRounds = 4;

export function commitMethods(table: Table): Pick<ClaimStore, "commit" | "closeCommand"> {
  return {
    async commit(cluster, head, chunk) {
      requireChunkFits(chunk);
      const what = `committing plan ${chunk.id} chunk ${chunk.index} of ${cluster}`;
      const committed = { kind: "committed", head: { ...head, seq: head.seq + 1 } } as const;
      const planKey = keys.plan(cluster, chunk.nominatedUntilMs, chunk.id, chunk.index);
      try {
        const outcome = await transact(table, writesOf(table.name, cluster, head, chunk), what);
        if (outcome.kind === "done") return committed;
        if (outcome.failed[planAt]) return committed;
        if (outcome.failed[headAt]) return { kind: "lost" };
        const taken = claimsOf(chunk).findIndex((_, at) => outcome.failed[claimsAt + at]);
        if (taken >= 0) throw claimExists(claimsOf(chunk)[taken]!.planned.name);
        return { kind: "lost" };
      } catch (error) {
        if (!(error as { outcomeUnknown?: boolean }).outcomeUnknown) throw error;
        // The plan item is the evidence: it is there if and only if the whole chunk is.
        const plan = await getItem(table, planKey, `${what}, settling its outcome`);
        if (plan !== undefined) return committed;
        throw error;
      }
    },
    async closeCommand(cluster, id, version) {
      const what = `closing command ${id} of ${cluster}`;
      for (let round = 0; round < maxRounds; round += 1) {
        if (round > 0) await pauseAfter(table, round);
        const item = await getItem(table, keys.command(cluster, id), what);
        if (item === undefined) return "closed";
        const command = commandFrom(item);
        if (command.version !== version) return "lost";
        const held = await Promise.all(
          command.candidates.map(async (name) => {
            const claim = await getItem(table, keys.claim(cluster, name), what);
            return claim?.commandId?.S === id ? name : undefined;
          }),
        );
        const outcome = await transact(
          table,
          [
            {
              Delete: {
                TableName: table.name,
                Key: keys.command(cluster, id),
                ConditionExpression: isAtVersion,
                ExpressionAttributeValues: { ":version": number(version) },
              },
            },
            ...held.filter((name) => name !== undefined).map((name) => release(table.name, cluster, name, id)),
          ],
          what,
        );
        if (outcome.kind === "done") return "closed";
      }
      throw gaveUp(what, false);
    },
  };
}

function writesOf(TableName: string, cluster: string, head: Head, chunk: PlanChunk): TransactWriteItem[] {
  const made = claimsOf(chunk);
  const nominations = made.map(({ planned }) => ({ target: planned.name, pods: planned.pods }));
  const put = (Item: NonNullable<TransactWriteItem["Put"]>["Item"]) => ({
    Put: { TableName, Item, ConditionExpression: isAbsent },
  });
  return [
    {
      Update: {
        TableName,
        Key: keys.head(cluster),
        UpdateExpression: "SET seq = :next",
        ConditionExpression: isThatHead,
        ExpressionAttributeValues: {
          ":seq": number(head.seq),
          ":next": number(head.seq + 1),
          ":epoch": { S: head.epoch },
        },
      },
    },
    put({
      ...planItem(cluster, chunk, [...chunk.placements, ...nominations]),
      expiresAt: expiresAt(chunk.nominatedUntilMs + explanationMs),
    }),
    ...made.map(({ planned, reason }) => put(claimItem(cluster, newRecord(planned, reason, chunk.createdAtMs)))),
    ...chunk.commands.map((command) =>
      put(
        commandItem(cluster, {
          ...command,
          version: 1,
          openedAtMs: chunk.createdAtMs,
          replacementNames: command.replacements.map((planned) => planned.name),
        }),
      ),
    ),
    ...chunk.commands.flatMap((command) =>
      command.candidates.map((name) => take(TableName, cluster, name, command.id)),
    ),
  ];
}

/** A candidate gets its command: its record must be there and in no other. */
function take(TableName: string, cluster: string, name: string, command: string): TransactWriteItem {
  return {
    Update: {
      TableName,
      Key: keys.claim(cluster, name),
      UpdateExpression: "SET commandId = :command, version = version + :one",
      ConditionExpression: isFreeCandidate,
      ExpressionAttributeValues: { ":command": { S: command }, ":one": number(1) },
    },
  };
}

function release(TableName: string, cluster: string, name: string, command: string): TransactWriteItem {
  return {
    Update: {
      TableName,
      Key: keys.claim(cluster, name),
      UpdateExpression: "SET version = version + :one REMOVE commandId",
      ConditionExpression: isInCommand,
      ExpressionAttributeValues: { ":command": { S: command }, ":one": number(1) },
    },
  };
}
