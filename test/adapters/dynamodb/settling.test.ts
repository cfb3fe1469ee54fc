// What settling a launch makes of a refusal that names several causes at once: only a scripted client can bring it about.
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, it } from "vitest";
import { launchMethods } from "../../../shared/adapters/dynamodb/launches.ts";

const launchItem = { pk: { S: "cluster#c" }, sk: { S: "launch#l" }, version: { N: "1" } };
const pairs = [{ claim: "a", claimVersion: 2, change: { nodeName: "n" }, instanceId: "i-1" }];

/** Takes the answers in their order; one that is an error is thrown. */
function storeThatHears(left: object[]) {
  const send = async () => {
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    if (answer === undefined) throw new TypeError("one call more than the test knows of");
    return answer;
  };
  const client = { send } as unknown as DynamoDBClient;
  return launchMethods({ client, name: "t", pause: async () => {} });
}

/** Reasons in the order of the writes: the launch, its settled item, the instance, the claim. */
function cancelledAt(...failed: readonly boolean[]): Error {
  return Object.assign(new Error("cancelled"), {
    name: "TransactionCanceledException",
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: failed.map((is) => ({ Code: is ? "ConditionalCheckFailed" : "None" })),
  });
}

it("is lost, and takes no instance for stolen, when the launch was settled otherwise meanwhile", async () => {
  const settled = { Item: { ...launchItem, settlement: { S: "another" } } };
  const store = storeThatHears([{ Item: launchItem }, cancelledAt(true, true, true, true), {}, settled]);
  expect(await store.settleLaunch("c", "l", 1, pairs, [])).toBe("lost");
});

it("says that an instance is another claim's when the launch is as it was", async () => {
  const store = storeThatHears([{ Item: launchItem }, cancelledAt(false, false, true, false)]);
  await expect(store.settleLaunch("c", "l", 1, pairs, [])).rejects.toMatchObject({ code: "instance-taken" });
});

it("looks again when the launch moved as well, and says then that the instance is another claim's", async () => {
  const answers = [
    { Item: launchItem },
    cancelledAt(true, false, true, false),
    { Item: { ...launchItem, version: { N: "2" } } },
    cancelledAt(false, false, true, false),
  ];
  const store = storeThatHears(answers);
  await expect(store.settleLaunch("c", "l", 1, pairs, [])).rejects.toMatchObject({ code: "instance-taken" });
  expect(answers).toEqual([]);
});
