import { describe, expect, it } from "vitest";
import { createEksToken, presign } from "../../shared/runtime/eks-token.ts";
import { environmentKeys } from "../../shared/runtime/keys.ts";

describe("a presigned request", () => {
  it("has the signature of AWS's published example", () => {
    // https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
    const url = presign({
      host: "examplebucket.s3.amazonaws.com",
      path: "/test.txt",
      query: {},
      headers: {},
      service: "s3",
      region: "us-east-1",
      keys: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
      nowMs: Date.UTC(2013, 4, 24),
      expiresS: 86_400,
      bodyHash: "UNSIGNED-PAYLOAD",
    });
    expect(url).toBe(
      "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
    );
  });
});

describe("an EKS token", () => {
  const env = { AWS_ACCESS_KEY_ID: "ASIA1", AWS_SECRET_ACCESS_KEY: "secret", AWS_SESSION_TOKEN: "session" };

  it("is a signed request to STS that names the cluster", async () => {
    const token = createEksToken({
      cluster: "blue",
      region: "eu-west-1",
      keys: environmentKeys(env),
      clock: { now: () => 1_760_000_000_000 },
    });
    const text = await token.fetch();
    expect(text.startsWith("k8s-aws-v1.")).toBe(true);
    const url = new URL(Buffer.from(text.slice("k8s-aws-v1.".length), "base64url").toString("utf8"));
    expect(url.host).toBe("sts.eu-west-1.amazonaws.com");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      Action: "GetCallerIdentity",
      Version: "2011-06-15",
      "X-Amz-Credential": "ASIA1/20251009/eu-west-1/sts/aws4_request",
      "X-Amz-Expires": "60",
      "X-Amz-SignedHeaders": "host;x-k8s-aws-id",
      "X-Amz-Security-Token": "session",
      "X-Amz-Signature": expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("is kept for ten minutes and then made anew", async () => {
    let nowMs = 1_760_000_000_000;
    const token = createEksToken({
      cluster: "blue",
      region: "cn-north-1",
      keys: environmentKeys(env),
      clock: { now: () => nowMs },
    });
    const first = await token.fetch();
    nowMs += 600_000;
    expect(await token.fetch()).toBe(first);
    nowMs += 1;
    expect(await token.fetch()).not.toBe(first);
    expect(Buffer.from(first.slice(11), "base64url").toString("utf8")).toContain("sts.cn-north-1.amazonaws.com.cn");
  });

  it("that was refused is made anew", async () => {
    const keys: Record<string, string> = { ...env };
    const clock = { now: () => 1_760_000_000_000 };
    const token = createEksToken({ cluster: "blue", region: "us-east-1", keys: environmentKeys(keys), clock });
    const first = await token.fetch();
    keys.AWS_SESSION_TOKEN = "renewed";
    expect(await token.fetch()).toBe(first);
    token.forget();
    expect(await token.fetch()).not.toBe(first);
  });

  it.each([
    ["us-gov-west-1", "sts.us-gov-west-1.amazonaws.com"],
    ["cn-northwest-1", "sts.cn-northwest-1.amazonaws.com.cn"],
    ["eusc-de-east-1", "sts.eusc-de-east-1.amazonaws.eu"],
    ["us-iso-east-1", "sts.us-iso-east-1.c2s.ic.gov"],
    ["us-isob-east-1", "sts.us-isob-east-1.sc2s.sgov.gov"],
    ["eu-isoe-west-1", "sts.eu-isoe-west-1.cloud.adc-e.uk"],
    ["us-isof-south-1", "sts.us-isof-south-1.csp.hci.ic.gov"],
  ])("of %s asks %s", async (region, host) => {
    const token = await createEksToken({
      cluster: "blue",
      region,
      keys: environmentKeys(env),
      clock: { now: () => 0 },
    }).fetch();
    expect(new URL(Buffer.from(token.slice(11), "base64url").toString("utf8")).host).toBe(host);
  });

  it("needs keys, and says so", async () => {
    const token = createEksToken({
      cluster: "blue",
      region: "us-east-1",
      keys: environmentKeys({}),
      clock: { now: () => 0 },
    });
    await expect(token.fetch()).rejects.toThrow("there are no AWS keys to make a cluster's token with");
  });
});
