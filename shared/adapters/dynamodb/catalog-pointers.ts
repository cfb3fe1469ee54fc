import { type DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { CatalogPointer } from "../../ports/index.ts";
import { translate } from "../aws/index.ts";
import { getItem } from "./calls.ts";
import { number } from "./records.ts";
import { type Key, keys } from "./table.ts";

/** Which catalog of a region holds: one item in the region's market partition. */
export interface CatalogPointers {
  find(region: string): Promise<CatalogPointer | undefined>;
  /** Unconditional: refreshes of a region don't overlap, and the later one is right. */
  put(region: string, pointer: CatalogPointer): Promise<void>;
}

export function createCatalogPointers(options: { client: DynamoDBClient; tableName: string }): CatalogPointers {
  const table = { client: options.client, name: options.tableName };
  return {
    async find(region) {
      const item = await getItem(table, keyOf(region), `reading which catalog of ${region} holds`);
      const key = item?.key?.S;
      if (key === undefined) return undefined;
      return { key, atMs: Number(item?.atMs?.N ?? 0), writtenAtMs: Number(item?.writtenAtMs?.N ?? 0) };
    },
    async put(region, { key, atMs, writtenAtMs }) {
      const Item = {
        ...keyOf(region),
        key: { S: key },
        atMs: number(atMs),
        writtenAtMs: number(writtenAtMs),
      };
      await table.client.send(new PutItemCommand({ TableName: table.name, Item })).catch((error: unknown) => {
        throw translate(error, `saying which catalog of ${region} holds`);
      });
    },
  };
}

/** Among the region's refused offerings, whose keys have a zone in them. */
function keyOf(region: string): Key {
  return { pk: { S: keys.marketPartition(region) }, sk: { S: "catalog" } };
}
