// The claim store on moto: a second opinion on expressions, reserved words, conditions and cancellation reasons. moto does
// not know idempotent transactions, so a repeat there is refused and has to recognise itself by what it reads.
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { inject } from "vitest";
import { createTable } from "../../local/aws/dynamodb.ts";
import { createDynamoClaimStore, createDynamoClient } from "../../shared/adapters/dynamodb/index.ts";
import { runClaimStoreSuite } from "../contracts/claim-store/suite.ts";

const noMoto = inject("noMoto");

/**
 * moto checks conditions and writes without a lock, on a thread for each request, and a refused transaction puts the whole
 * table back as it was before. Requests that DynamoDB would isolate from each other therefore have to go one after another;
 * the runs that race still interleave, request by request.
 */
function oneAtATime(client: DynamoDBClient): void {
  let last: Promise<unknown> = Promise.resolve();
  client.middlewareStack.add(
    (next) => (args) => {
      const answer = last.then(() => next(args));
      last = answer.catch(() => undefined);
      return answer;
    },
    { step: "deserialize", priority: "high", name: "oneAtATime" },
  );
}

runClaimStoreSuite(
  "moto",
  async () => {
    const client = createDynamoClient({
      region: "us-east-1",
      endpoint: inject("moto"),
      credentials: { accessKeyId: "moto", secretAccessKey: "moto" },
      // It copies whole tables to be able to roll a transaction back.
      requestTimeoutMs: 60_000,
    });
    oneAtATime(client);
    await createTable(client, "timmerman-claims");
    return {
      store: createDynamoClaimStore({ client, tableName: "timmerman-claims" }),
      stop: async () => client.destroy(),
    };
  },
  { skipBecause: noMoto === "" ? undefined : noMoto, largeClusterClaims: 100 },
);
