import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Head, Launch, NodeClaim, Placement, PlanChunk } from "../../core/model/index.ts";
import type { ClaimChange, StoredCommand } from "../../ports/index.ts";
import { pack, packRecord, unpack, unpackKept } from "./codec.ts";
import { type Item, keys, nameIn } from "./table.ts";

// How nouns become items. What a claim was asked for is one compressed body, written once; each piece of evidence is an
// attribute of its own, so that a change is one conditional update that reads nothing first. An attribute wins over the
// body, so a change may also replace what was asked for.

const bookkeeping = new Set(["pk", "sk", "version", "asked", "expiresAt"]);

export function number(value: number): AttributeValue {
  return { N: String(value) };
}

function encode(value: unknown): AttributeValue {
  if (value === null) return { NULL: true };
  if (typeof value === "number") return number(value);
  if (typeof value === "string") return { S: value };
  return { B: pack(value) };
}

function decode(value: AttributeValue, of: string): unknown {
  if (value.N !== undefined) return Number(value.N);
  if (value.S !== undefined) return value.S;
  if (value.B !== undefined) return unpack(value.B, of);
  return null;
}

export function headFrom(item: Item): Head {
  return { seq: Number(item.seq?.N), epoch: item.epoch?.S ?? "", clusterUid: item.clusterUid?.S ?? "" };
}

export function headItem(cluster: string, head: Head): Item {
  return {
    ...keys.head(cluster),
    seq: number(head.seq),
    epoch: { S: head.epoch },
    clusterUid: { S: head.clusterUid },
  };
}

export function claimItem(cluster: string, claim: NodeClaim): Item {
  const { name, version, ...asked } = claim;
  return {
    ...keys.claim(cluster, name),
    version: number(version),
    asked: { B: packRecord(`claim ${name}`, asked) },
  };
}

export function claimFrom(item: Item): NodeClaim {
  const name = nameIn(item.sk);
  const of = `claim ${name}`;
  const evidence = Object.entries(item)
    .filter(([attribute]) => !bookkeeping.has(attribute))
    .map(([attribute, value]) => [attribute, decode(value, of)]);
  return {
    name,
    version: Number(item.version?.N),
    ...(item.asked?.B === undefined ? {} : unpackKept(item.asked.B, of)),
    ...Object.fromEntries(evidence),
  };
}

/** An update of a claim's record, to be sent alone or in a transaction. */
export interface ClaimUpdate {
  readonly Key: Item;
  readonly UpdateExpression: string;
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, AttributeValue>;
}

/** Writes a change if the record is still at `version`; `also` is a further condition in its own right. */
export function claimUpdate(
  cluster: string,
  name: string,
  version: number,
  change: ClaimChange,
  also?: string,
): ClaimUpdate {
  const names: Record<string, string> = { "#version": "version" };
  const values: Record<string, AttributeValue> = { ":version": number(version), ":next": number(version + 1) };
  const sets = ["#version = :next"];
  const removes: string[] = [];
  for (const [field, value] of Object.entries(change)) {
    names[`#${field}`] = field;
    if (value === undefined) {
      removes.push(`#${field}`);
    } else {
      sets.push(`#${field} = :${field}`);
      values[`:${field}`] = encode(value);
    }
  }
  const isAtVersion = "#version = :version";
  return {
    Key: keys.claim(cluster, name),
    UpdateExpression: `SET ${sets.join(", ")}${removes.length === 0 ? "" : ` REMOVE ${removes.join(", ")}`}`,
    ConditionExpression: also === undefined ? isAtVersion : `${isAtVersion} AND ${also}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}

export function launchItem(cluster: string, launch: Launch): Item {
  return {
    ...keys.launch(cluster, launch.id),
    version: number(launch.version),
    request: { B: packRecord(`launch ${launch.id}`, launch.request) },
    claims: { B: pack(launch.claims) },
    sealedAtMs: number(launch.sealedAtMs),
    sendBeforeMs: number(launch.sendBeforeMs),
  };
}

export function launchFrom(item: Item): Launch {
  const id = nameIn(item.sk);
  const of = `launch ${id}`;
  return {
    id,
    version: Number(item.version?.N),
    request: unpack(item.request?.B ?? new Uint8Array(), of),
    claims: unpack(item.claims?.B ?? new Uint8Array(), of),
    sealedAtMs: Number(item.sealedAtMs?.N),
    sendBeforeMs: Number(item.sendBeforeMs?.N),
    ...(item.emptyLookupAtMs === undefined ? {} : { emptyLookupAtMs: Number(item.emptyLookupAtMs.N) }),
    ...(item.settledAtMs === undefined ? {} : { settledAtMs: Number(item.settledAtMs.N) }),
  };
}

export function commandItem(cluster: string, command: StoredCommand): Item {
  const { id, version, ...body } = command;
  return {
    ...keys.command(cluster, id),
    version: number(version),
    body: { B: packRecord(`command ${id}`, body) },
  };
}

export function commandFrom(item: Item): StoredCommand {
  const id = nameIn(item.sk);
  const body = unpack<Omit<StoredCommand, "id" | "version">>(item.body?.B ?? new Uint8Array(), `command ${id}`);
  return { id, version: Number(item.version?.N), ...body };
}

export function planItem(cluster: string, chunk: PlanChunk, placements: readonly Placement[]): Item {
  return {
    ...keys.plan(cluster, chunk.nominatedUntilMs, chunk.id, chunk.index),
    planId: { S: chunk.id },
    untilMs: number(chunk.nominatedUntilMs),
    createdAtMs: number(chunk.createdAtMs),
    reason: { S: chunk.reason },
    placements: { B: packRecord(`plan ${chunk.id} chunk ${chunk.index}`, placements) },
  };
}

export function placementsFrom(item: Item): (Placement & { planId: string; untilMs: number })[] {
  const planId = item.planId?.S ?? "";
  const placements = unpack<Placement[]>(item.placements?.B ?? new Uint8Array(), `plan ${planId}`);
  return placements.map((placement) => ({ ...placement, planId, untilMs: Number(item.untilMs?.N) }));
}
