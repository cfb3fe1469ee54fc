// The claim store on moto: a second opinion on expressions, reserved words, conditions and cancellation reasons. moto does
// not know idempotent transactions, so a repeat there is refused and has to recognise itself by what it reads.
import { inject } from "vitest";
import { createTable } from "../../local/aws/dynamodb.ts";
import { createDynamoClaimStore, createDynamoClient } from "../../shared/adapters/dynamodb/index.ts";
import { runClaimStoreSuite } from "../contracts/claim-store/suite.ts";

const noMoto = inject("noMoto");

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
    await createTable(client, "timmerman-claims");
    return {
      store: createDynamoClaimStore({ client, tableName: "timmerman-claims" }),
      stop: async () => client.destroy(),
    };
  },
  { skipBecause: noMoto === "" ? undefined : noMoto, largeClusterClaims: 100 },
);
