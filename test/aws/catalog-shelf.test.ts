// Catalogs in moto's S3 and DynamoDB. Its EC2 takes most of a minute to describe all types, and its spot prices are made up.
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { inject } from "vitest";
import { createTable } from "../../local/aws/dynamodb.ts";
import { createCatalogShelf } from "../../shared/adapters/catalog/index.ts";
import { createCatalogPointers, createDynamoClient } from "../../shared/adapters/dynamodb/index.ts";
import { createS3Client, createS3Objects } from "../../shared/adapters/s3/index.ts";
import { runCatalogShelfSuite } from "../contracts/catalog-shelf/suite.ts";

const noMoto = inject("noMoto");
const place = {
  region: "us-east-1",
  endpoint: inject("moto"),
  credentials: { accessKeyId: "moto", secretAccessKey: "moto" },
};

runCatalogShelfSuite(
  noMoto === "" ? "moto" : `moto (skipped: ${noMoto})`,
  async () => {
    const client = createDynamoClient(place);
    const s3 = createS3Client(place);
    await createTable(client, "catalogs");
    await s3.send(new CreateBucketCommand({ Bucket: "catalogs" }));
    const objects = createS3Objects({ client: s3, bucket: "catalogs" });
    return {
      shelf: createCatalogShelf({
        objects: async () => objects,
        pointers: createCatalogPointers({ client, tableName: "catalogs" }),
      }),
      async stop() {
        client.destroy();
        s3.destroy();
      },
    };
  },
  noMoto !== "",
);
