import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { newRecord } from "../../../shared/adapters/dynamodb/chunk.ts";
import { pack, unpack } from "../../../shared/adapters/dynamodb/codec.ts";
import { claimFrom, claimItem, claimUpdate } from "../../../shared/adapters/dynamodb/records.ts";
import { agendaShardOf, type Item, keys, sortableMs } from "../../../shared/adapters/dynamodb/table.ts";
import type { NodeClaim } from "../../../shared/core/model/index.ts";
import { instance, planned, t0 } from "../../contracts/claim-store/fixtures.ts";

/** What DynamoDB counts: names and values in UTF-8, numbers at about a byte for two digits, one byte for a null. */
function itemBytes(item: Item): number {
  const valueBytes = (value: AttributeValue) =>
    value.B?.length ?? (value.N === undefined ? Buffer.byteLength(value.S ?? "1") : Math.ceil(value.N.length / 2) + 1);
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

/** A record with all the evidence that a claim can gather while its node lives. */
const living: NodeClaim = {
  ...newRecord(planned("default-3kq7x2mzpa"), "provisioned", t0),
  version: 9,
  launch: { id: "5c1d9e0a7b3f4c2e", sealedAtMs: t0 + 500 },
  instance: instance("i-0a1b2c3d4e5f60718"),
  nodeName: "ip-10-0-143-27.ec2.internal",
  nodeUid: "0d3c1f52-9c6a-4b8e-8b1f-5f6a7c8d9e0f",
  registeredAtMs: t0 + 31_000,
  initializedAtMs: t0 + 38_000,
  lastPodEventAtMs: t0 + 90_000,
};

describe("a claim's item", () => {
  it("holds every field and gives it back", () => {
    const { name, version, createdAtMs: _createdAtMs, ...evidence } = living;
    const values = claimUpdate("c", name, version - 1, evidence).ExpressionAttributeValues;
    const attributes = Object.keys(evidence).map((field) => [field, values[`:${field}`]!]);
    const item = { ...claimItem("c", { ...living, version }), ...Object.fromEntries(attributes) };
    expect(claimFrom(item)).toEqual(living);
  });

  it("takes at most 1 KB with sixty types and all the evidence of a living node", () => {
    const asked = newRecord(planned("default-3kq7x2mzpa"), "provisioned", t0);
    const { launch, instance: made, nodeName, nodeUid, registeredAtMs, initializedAtMs, lastPodEventAtMs } = living;
    const evidence = { launch, instance: made, nodeName, nodeUid, registeredAtMs, initializedAtMs, lastPodEventAtMs };
    const values = claimUpdate("production", living.name, 8, evidence).ExpressionAttributeValues;
    const attributes = Object.keys(evidence).map((field) => [field, values[`:${field}`]!]);
    const item = { ...claimItem("production", asked), ...Object.fromEntries(attributes) };
    expect(JSON.stringify(living).length).toBeGreaterThan(2_500);
    expect(itemBytes(item)).toBeLessThanOrEqual(1_024);
  });
});

describe("a packed value", () => {
  it.each([
    ["an object", { a: 1, b: ["x", null, { c: true }] }],
    ["text beyond ASCII", "größer ≤ 日本"],
    ["an empty list", []],
  ])("comes back: %s", (_name, value) => {
    expect(unpack(pack(value), "it")).toEqual(value);
  });

  it("of a released version is read for ever", () => {
    const bytes = Buffer.from(releasedPack, "base64");
    expect(unpack(bytes, "it")).toEqual([
      { key: "kubernetes.io/arch", operator: "In", values: ["arm64"] },
      { key: "karpenter.sh/capacity-type", operator: "In", values: ["spot"] },
    ]);
  });

  it.each([
    ["a newer version", Buffer.of(9, 1, 2, 3), "claim x was written by a newer version"],
    ["damage", Buffer.of(1, 255, 255, 255), "claim x cannot be read"],
    ["nothing", Buffer.of(), "claim x was written by a newer version"],
  ])("that is unreadable says whose it is: %s", (_name, bytes, message) => {
    expect(() => unpack(bytes, "claim x")).toThrow(expect.objectContaining({ code: "unreadable", retry: "never" }));
    expect(() => unpack(bytes, "claim x")).toThrow(message);
  });
});

describe("keys", () => {
  it("of plans sort by their end", () => {
    const ends = [0, 9, 10, 999_999_999_999, 1_000_000_000_000, 1_760_000_000_000].map(sortableMs);
    expect([...ends].sort()).toEqual(ends);
  });

  it("of a market carry the partition, so that zone ids of different partitions never meet", () => {
    const partitions = [
      "us-east-1",
      "cn-north-1",
      "us-gov-west-1",
      "us-iso-east-1",
      "us-isob-east-1",
      "eusc-de-east-1",
    ];
    expect(partitions.map(keys.marketPartition)).toEqual([
      "market#aws#us-east-1",
      "market#aws-cn#cn-north-1",
      "market#aws-us-gov#us-gov-west-1",
      "market#aws-iso#us-iso-east-1",
      "market#aws-iso-b#us-isob-east-1",
      "market#aws-eusc#eusc-de-east-1",
    ]);
  });

  it("of the agenda spread clusters over all shards, each for ever on its own", () => {
    const shards = Array.from({ length: 400 }, (_, i) => agendaShardOf(`cluster-${i}`));
    expect(new Set(shards).size).toBe(8);
    expect(agendaShardOf("production")).toBe("agenda#2");
  });
});

/** Written by dictionary version 1. */
const releasedPack = "AYsmt7wGl9JIFSGZlQk498bWxgIA";
