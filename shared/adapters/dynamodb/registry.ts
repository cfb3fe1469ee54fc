import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Registration, Registry } from "../../ports/index.ts";
import { getItem, queryAll, type Table } from "./calls.ts";
import { type Item, keys } from "./table.ts";

export interface RegistryOptions {
  readonly client: DynamoDBClient;
  readonly tableName: string;
}

/** The registry in the table. The deployment's stacks write it; nothing here does. */
export function createRegistry({ client, tableName }: RegistryOptions): Registry {
  const table: Pick<Table, "client" | "name"> = { client, name: tableName };
  return {
    async find(name) {
      const item = await getItem(
        table,
        keys.registration(name),
        `reading the registration of cluster ${name} in table ${tableName}`,
      );
      return item === undefined ? undefined : registrationFrom(item);
    },
    async list() {
      const inRegistry = {
        KeyConditionExpression: "pk = :registry",
        ExpressionAttributeValues: { ":registry": keys.registration("").pk },
      };
      return (await queryAll(table, inRegistry, `reading which clusters are registered in table ${tableName}`)).map(
        registrationFrom,
      );
    },
  };
}

/** An item that somebody wrote by hand may lack anything: what is missing is complained of where it is read. */
function registrationFrom({ sk, region, document }: Item): Registration {
  return { name: sk?.S ?? "", region: region?.S ?? "", document: document?.S ?? "" };
}
