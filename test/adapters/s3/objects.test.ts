import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createS3Client, createS3Objects } from "../../../shared/adapters/s3/index.ts";
import { type S3Double, startS3Double } from "./s3-double.ts";

const credentials = { accessKeyId: "local", secretAccessKey: "local" };

describe("objects in S3", () => {
  let double: S3Double;
  beforeEach(async () => {
    double = await startS3Double();
  });
  afterEach(() => double.stop());
  const objects = () => {
    const client = createS3Client({ region: "us-east-1", endpoint: double.url, credentials });
    return createS3Objects({ client, bucket: "store" });
  };

  it("are what was put, with their type and encoding", async () => {
    await objects().put("catalog/a.json.gz", Buffer.from([1, 2, 3]), { type: "application/json", encoding: "gzip" });
    const { bytes, headers } = double.objects.get("store/catalog/a.json.gz")!;
    expect([...bytes]).toEqual([1, 2, 3]);
    expect(headers).toMatchObject({ "content-type": "application/json", "content-encoding": "gzip" });
    expect([...(await objects().get("catalog/a.json.gz"))]).toEqual([1, 2, 3]);
  });

  it("that are missing may come", async () => {
    await expect(objects().get("catalog/none")).rejects.toMatchObject({
      message: "reading s3://store/catalog/none: there is no such object",
      code: "not-found",
      retry: "later",
    });
  });

  it.each([
    [{ status: 403, code: "AccessDenied" }, { code: "unauthorized", retry: "later" }, 1],
    [{ status: 500, code: "InternalError" }, { code: "unavailable", retry: "later" }, 3],
    [{ status: 404, code: "NoSuchBucket" }, { code: "bad-request", retry: "never" }, 1],
  ])("that S3 refuses with %j reject, as often tried as it helps", async (error, verdict, tries) => {
    double.fail(error);
    await expect(objects().get("a")).rejects.toMatchObject(verdict);
    expect(double.requests).toHaveLength(tries);
  });

  it("that cannot be written reject too", async () => {
    double.fail({ status: 403, code: "AccessDenied" });
    await expect(objects().put("a", Buffer.from("x"), { type: "text/plain" })).rejects.toMatchObject({
      message: "writing s3://store/a: AccessDenied: said the double",
      code: "unauthorized",
    });
  });
});
