import { GetItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dynoxideAvailable } from "../../../local/aws/dynamodb.ts";
import { createDynamoClient, createHeartbeat } from "../../../shared/adapters/dynamodb/index.ts";
import { localCredentials, startStoreOnDynoxide } from "../../contracts/claim-store/dynoxide.ts";

const nowMs = 1_760_000_000_000;
const skipped = dynoxideAvailable() ? "" : " (skipped: npm serves @dynoxide/linux-x64 for Linux on x64 only)";

describe.skipIf(skipped !== "")(`a heartbeat${skipped}`, () => {
  let made: Awaited<ReturnType<typeof startStoreOnDynoxide>>;
  beforeAll(async () => {
    made = await startStoreOnDynoxide();
  });
  afterAll(async () => {
    await made?.stop?.();
  });
  const relaysDue = async (atMs: number) =>
    (await made.store.readDue(atMs)).map(({ cluster, controller }) => `${cluster} ${controller}`);

  it("makes a relay due a minute after it was last heard, on the agenda that the tick reads", async () => {
    const { beat } = createHeartbeat({ client: made.client, tableName: "timmerman", cluster: "blue" });
    await beat(nowMs);
    expect(await relaysDue(nowMs + 59_999)).toEqual([]);
    expect(await relaysDue(nowMs + 60_000)).toEqual(["blue relay"]);
    await beat(nowMs + 30_000);
    expect(await relaysDue(nowMs + 89_999)).toEqual([]);
    expect(await relaysDue(nowMs + 90_000)).toEqual(["blue relay"]);
  });

  it("is one update of the attributes that its role names, which asks for nothing back", async () => {
    const sent: unknown[] = [];
    const client = createDynamoClient({ region: "us-east-1", endpoint: "http://127.0.0.1:9" });
    client.send = (async (command: unknown) => void sent.push(command)) as never;
    await createHeartbeat({ client, tableName: "t", cluster: "blue" }).beat(nowMs);
    expect(sent).toEqual([expect.any(UpdateItemCommand)]);
    const { input } = sent[0] as UpdateItemCommand;
    expect(Object.keys(input)).toEqual(["TableName", "Key", "UpdateExpression", "ExpressionAttributeValues"]);
    expect(input.Key).toEqual({ pk: { S: "agenda#blue" }, sk: { S: "relay" } });
    expect(input.UpdateExpression).toBe("SET dueShard = :shard, dueAtMs = :due");
    const { Item: item } = await made.client.send(new GetItemCommand({ TableName: "timmerman", Key: input.Key }));
    expect(Object.keys(item ?? {}).sort()).toEqual(["dueAtMs", "dueShard", "pk", "sk"]);
  });

  it("says of a table that cannot be reached that it may be tried again", async () => {
    const client = createDynamoClient({
      region: "us-east-1",
      endpoint: "http://127.0.0.1:9",
      credentials: localCredentials,
    });
    const { beat } = createHeartbeat({ client, tableName: "t", cluster: "blue" });
    await expect(beat(nowMs)).rejects.toMatchObject({ name: "OperationError", retry: "later", code: "unavailable" });
  });
});
