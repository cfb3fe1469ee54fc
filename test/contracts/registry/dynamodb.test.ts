import { DeleteItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { dynoxideAvailable } from "../../../local/aws/dynamodb.ts";
import { createRegistry } from "../../../shared/adapters/dynamodb/index.ts";
import { startStoreOnDynoxide } from "../claim-store/dynoxide.ts";
import { runRegistrySuite } from "./suite.ts";

const TableName = "timmerman";

runRegistrySuite(
  "dynoxide",
  async () => {
    const { client, stop } = await startStoreOnDynoxide();
    return {
      registry: createRegistry({ client, tableName: TableName }),
      // As the stacks write it.
      async register({ name, region, document }) {
        const Item = { pk: { S: "registry" }, sk: { S: name }, region: { S: region }, document: { S: document } };
        await client.send(new PutItemCommand({ TableName, Item }));
      },
      async remove(name) {
        await client.send(new DeleteItemCommand({ TableName, Key: { pk: { S: "registry" }, sk: { S: name } } }));
      },
      ...(stop === undefined ? {} : { stop }),
    };
  },
  dynoxideAvailable() ? undefined : "npm serves @dynoxide/linux-x64 for Linux on x64 only",
);
