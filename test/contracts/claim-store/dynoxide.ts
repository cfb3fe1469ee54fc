import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createTable, startDynoxide } from "../../../local/aws/dynamodb.ts";
import { createDynamoClaimStore, createDynamoClient } from "../../../shared/adapters/dynamodb/index.ts";
import type { StoreUnderTest } from "./suite.ts";

export const localCredentials = { accessKeyId: "local", secretAccessKey: "local" };

/** The DynamoDB store on an emulator of its own, and the client behind it, for those who want to disturb it. */
export async function startStoreOnDynoxide(): Promise<StoreUnderTest & { readonly client: DynamoDBClient }> {
  const endpoint = await startDynoxide();
  const client = createDynamoClient({ region: "us-east-1", endpoint: endpoint.url, credentials: localCredentials });
  await createTable(client, "timmerman");
  return {
    client,
    store: createDynamoClaimStore({ client, tableName: "timmerman" }),
    async stop() {
      client.destroy();
      await endpoint.stop();
    },
  };
}
