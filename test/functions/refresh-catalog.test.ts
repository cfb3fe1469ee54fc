// The exported handler on the embedded world's EC2 endpoint and doubles of the other services, over the wire.
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { handler as provision } from "../../functions/provision/handler.ts";
import { handler } from "../../functions/refresh-catalog/handler.ts";
import type { Catalog } from "../../shared/core/model/index.ts";
import type { ScheduledEvent } from "../../shared/runtime/event-schemas.ts";
import { composition } from "../../shared/runtime/index.ts";
import { type HttpDouble, startHttpDouble } from "../adapters/http-double.ts";
import { type S3Double, startS3Double } from "../adapters/s3/s3-double.ts";
import { openRegion, type Region, catalog as sold } from "../local/ec2/small-region.ts";
import { composeOnMemory, context, nowMs, sqsEvent } from "./invoke.ts";

/** As EventBridge sends it for a rule with a schedule. */
const hour: ScheduledEvent = {
  version: "0",
  id: "53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa",
  "detail-type": "Scheduled Event",
  source: "aws.events",
  account: "123456789012",
  time: "2026-01-15T12:00:00Z",
  region: "us-east-1",
  resources: ["arn:aws:events:us-east-1:123456789012:rule/refresh-catalog"],
  detail: {},
};

const priced = (instanceType: string, usd: string) =>
  JSON.stringify({
    product: { attributes: { instanceType } },
    terms: { OnDemand: { a: { priceDimensions: { b: { unit: "Hrs", pricePerUnit: { USD: usd } } } } } },
  });

describe("the exported handler of refresh-catalog", () => {
  let region: Region;
  let regionMs: number;
  let s3: S3Double;
  let dynamo: HttpDouble;
  let pricing: HttpDouble;
  let priceListFails: boolean;
  let item: Record<string, Record<string, string>> | undefined;

  beforeEach(async () => {
    regionMs = nowMs;
    region = await openRegion({ clock: { now: () => regionMs } });
    s3 = await startS3Double();
    item = undefined;
    priceListFails = false;
    dynamo = await startHttpDouble((target, body) => {
      if (target !== "PutItem") return item === undefined ? {} : { Item: item };
      item = body.Item as typeof item;
      return {};
    });
    pricing = await startHttpDouble((_target, body) => {
      if (priceListFails) return { error: "AccessDeniedException" };
      const isMetal = JSON.stringify(body.Filters).includes("bare metal");
      return { PriceList: isMetal ? [] : [priced("m5.large", "0.0970000000"), priced("m6g.large", "0.0780000000")] };
    });
  });
  afterEach(async () => {
    await Promise.all([region.close(), s3.stop(), dynamo.stop(), pricing.stop()]);
  });

  const compose = () =>
    composeOnMemory({
      env: {
        AWS_ENDPOINT_URL_EC2: region.endpoint,
        AWS_ENDPOINT_URL_DYNAMODB: dynamo.url,
        AWS_ENDPOINT_URL_S3: s3.url,
        AWS_ENDPOINT_URL_PRICING: pricing.url,
        TIMMERMAN_CATALOG_BUCKET: "store",
      },
    });
  const held = (): Catalog => JSON.parse(gunzipSync(s3.objects.get(`store/${item?.key?.S}`)!.bytes).toString("utf8"));

  it("makes the catalog of what the region sells, for all functions to read", async () => {
    const { telemetry } = compose();
    expect(await handler({ ...hour }, context)).toEqual({
      regions: [{ region: "us-east-1", outcome: "changed", instanceTypes: 6, offerings: 15, leftOut: 0 }],
    });
    expect(item).toEqual({
      pk: { S: "market#aws#us-east-1" },
      sk: { S: "catalog" },
      key: { S: expect.stringMatching(/^catalog\/us-east-1\/[0-9a-f]{32}\.json\.gz$/) },
      atMs: { N: String(nowMs) },
      writtenAtMs: { N: String(nowMs) },
    });
    const catalog = held();
    expect(catalog.zones).toEqual(sold.zones);
    expect(catalog.instanceTypes.map((type) => type.InstanceType)).toEqual(
      sold.instanceTypes.map((type) => type.InstanceType),
    );
    expect(catalog.offerings["g5.xlarge"]).toEqual(["us-east-1a"]);
    // Listed; and not listed, so as it was shipped.
    expect(catalog.onDemand).toMatchObject({ "m5.large": 0.097, "m6g.large": 0.078, "c5.large": 0.085 });
    expect(catalog.spot["m5.large"]).toEqual(sold.spot!["m5.large"]);
    expect(telemetry.gauged("timmerman_catalog_estimated_prices", { region: "us-east-1" })).toBe(4);
    expect(await composition().ports.catalog.read("us-east-1")).toEqual(catalog);
  });

  it("writes no file where nothing changed, and another when a price did", async () => {
    compose();
    await handler({ ...hour }, context);
    expect(await handler({ ...hour }, context)).toMatchObject({ regions: [{ outcome: "unchanged" }] });
    expect(s3.objects.size).toBe(1);
    regionMs += 1_000;
    region.ec2.setSpotPrice("m5.large", "us-east-1a", 0.05);
    expect(await handler({ ...hour }, context)).toMatchObject({ regions: [{ outcome: "changed" }] });
    expect(held().spot["m5.large"]!["us-east-1a"]).toBe(0.05);
  });

  it("goes on with the last prices when the list is refused", async () => {
    const { telemetry } = compose();
    await handler({ ...hour }, context);
    priceListFails = true;
    expect(await handler({ ...hour }, context)).toMatchObject({ regions: [{ outcome: "unchanged" }] });
    expect(held().onDemand["m5.large"]).toBe(0.097);
    expect(telemetry.counted("timmerman_catalog_price_list_failures_total", { region: "us-east-1" })).toBe(1);
  });

  it("fails aloud and leaves the last catalog when EC2 or the bucket refuses", async () => {
    const { telemetry } = compose();
    await handler({ ...hour }, context);
    const before = item;
    const refused = { kind: "error-before", code: "UnauthorizedOperation", action: "DescribeInstanceTypes" } as const;
    region.ec2.faults.add({ ...refused, times: 1 });
    await expect(handler({ ...hour }, context)).rejects.toThrow(
      "1 of 1 catalogs were not refreshed: us-east-1: reading what the region sells: UnauthorizedOperation",
    );
    regionMs += 1_000;
    region.ec2.setSpotPrice("m5.large", "us-east-1a", 0.05);
    s3.fail({ status: 403, code: "AccessDenied" });
    await expect(handler({ ...hour }, context)).rejects.toMatchObject({ code: "unauthorized" });
    expect(item).toEqual(before);
    expect(telemetry.counted("timmerman_catalog_refresh_failures_total", { region: "us-east-1" })).toBe(2);
  });

  it("refuses what no schedule sent, and says what it lacks", async () => {
    composeOnMemory();
    await expect(handler({ ...hour, "detail-type": "Other" } as never, context)).rejects.toMatchObject({
      cause: [{ path: ["detail-type"] }],
    });
    await expect(handler({ ...hour }, context)).rejects.toThrow(
      "TIMMERMAN_CATALOG_BUCKET is not set: set it to the S3 bucket of the catalogs",
    );
  });

  it("is what others wait for: without a catalog they try again later", async () => {
    const { store, telemetry } = composeOnMemory({
      env: {
        AWS_REGION: "eu-west-1",
        AWS_ENDPOINT_URL_DYNAMODB: dynamo.url,
        AWS_ENDPOINT_URL_S3: s3.url,
        TIMMERMAN_CATALOG_BUCKET: "store",
      },
    });
    await store.createHead("blue", { seq: 0, epoch: "e1", clusterUid: "u1" });
    await expect(composition().ports.catalog.read("eu-west-1")).rejects.toMatchObject({ retry: "later" });
    const wake = JSON.stringify({ cluster: "blue", target: "provision" });
    const response = await provision(sqsEvent([wake]), context);
    expect(response.batchItemFailures).toEqual([{ itemIdentifier: "message-0" }]);
    expect(telemetry.counted("timmerman_messages_failed_total")).toBe(1);
  });
});
