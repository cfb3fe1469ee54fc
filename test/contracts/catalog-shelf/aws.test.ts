// Pointers in DynamoDB (dynoxide), files in a double of S3.
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTable, dynoxideAvailable, startDynoxide } from "../../../local/aws/dynamodb.ts";
import { createCatalogShelf } from "../../../shared/adapters/catalog/index.ts";
import {
  createCatalogPointers,
  createDynamoClaimStore,
  createDynamoClient,
} from "../../../shared/adapters/dynamodb/index.ts";
import { createS3Client, createS3Objects } from "../../../shared/adapters/s3/index.ts";
import { type S3Double, startS3Double } from "../../adapters/s3/s3-double.ts";
import { localCredentials } from "../claim-store/dynoxide.ts";
import { catalogOf, runCatalogShelfSuite, t0 } from "./suite.ts";

const missing = dynoxideAvailable() ? "" : " (skipped: npm serves @dynoxide/linux-x64 for Linux on x64 only)";

async function startShelf() {
  const [s3, dynamo] = await Promise.all([startS3Double(), startDynoxide()]);
  const options = { region: "us-east-1", credentials: localCredentials };
  const client = createDynamoClient({ ...options, endpoint: dynamo.url });
  await createTable(client, "timmerman");
  const objects = createS3Objects({ client: createS3Client({ ...options, endpoint: s3.url }), bucket: "store" });
  const pointers = createCatalogPointers({ client, tableName: "timmerman" });
  return {
    s3,
    client,
    shelf: createCatalogShelf({ objects: async () => objects, pointers }),
    async stop() {
      client.destroy();
      await Promise.all([s3.stop(), dynamo.stop()]);
    },
  };
}

runCatalogShelfSuite(`S3 and DynamoDB${missing}`, startShelf, missing !== "");

describe.skipIf(missing !== "")(`files of catalogs${missing}`, () => {
  let made: Awaited<ReturnType<typeof startShelf>>;
  beforeAll(async () => {
    made = await startShelf();
  });
  afterAll(() => made?.stop());
  const puts = (s3: S3Double) => s3.requests.filter((request) => request.startsWith("PUT"));

  it("are compressed JSON, written once for each content, and again before the bucket clears them away", async () => {
    const { shelf, s3 } = made;
    const catalog = catalogOf("us-east-1", 0.04);
    const first = await shelf.put(catalog, undefined, t0);
    const file = s3.objects.get(`store/${first.key}`)!;
    expect(first.key).toMatch(/^catalog\/us-east-1\/[0-9a-f]{32}\.json\.gz$/);
    expect(JSON.parse(gunzipSync(file.bytes).toString("utf8"))).toEqual(catalog);
    const hourLater = await shelf.put(catalog, first, t0 + 3_600_000);
    expect(puts(s3)).toHaveLength(1);
    const dayLater = await shelf.put(catalog, hourLater, t0 + 86_400_000);
    expect(puts(s3)).toHaveLength(2);
    expect(dayLater).toEqual({ key: first.key, atMs: t0 + 86_400_000, writtenAtMs: t0 + 86_400_000 });
  });

  it.each([
    ["no compressed file", Buffer.from("{}"), "is no compressed file"],
    ["not JSON", gzipSync("{"), "not JSON"],
    ["no catalog", gzipSync('{"region":"us-east-1"}'), "zones: expected a list"],
  ])("that are %s are refused by name", async (_what, bytes, message) => {
    made.s3.objects.set("store/catalog/us-east-1/bad.json.gz", { bytes, headers: {} });
    await expect(made.shelf.load("catalog/us-east-1/bad.json.gz")).rejects.toThrow(
      `catalog/us-east-1/bad.json.gz${message.startsWith("is") ? " " : ": "}${message}`,
    );
  });

  it("have pointers that are no refused offerings", async () => {
    const store = createDynamoClaimStore({ client: made.client, tableName: "timmerman" });
    const refused = { instanceType: "m5.large", zoneId: "use1-az1", capacityType: "spot", untilMs: t0 + 1 } as const;
    await store.noteRefusals("us-east-1", [refused]);
    expect(await store.readRefusals("us-east-1", t0)).toEqual([refused]);
  });
});
