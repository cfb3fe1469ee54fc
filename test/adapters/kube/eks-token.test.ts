import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import { describe, expect, it } from "vitest";
import { createEksTokens, eksToken } from "../../../shared/adapters/kube/eks-token.ts";

const nowMs = Date.UTC(2026, 5, 1, 12, 0, 7);
const cluster = { clusterName: "shop", region: "eu-west-1" };
const credentials = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG",
  sessionToken: "a+b/c=(d)*",
};

/** What AWS' own signer makes of the same request. */
async function signedByAws(who: typeof credentials | Omit<typeof credentials, "sessionToken">) {
  class Sha256 {
    #hash;
    constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
      this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", secret as Buffer);
    }
    update(part: string | Uint8Array) {
      this.#hash.update(part);
    }
    async digest() {
      return new Uint8Array(this.#hash.digest());
    }
    reset() {}
  }
  const signer = new SignatureV4({ credentials: who, region: "eu-west-1", service: "sts", sha256: Sha256 });
  const request = {
    method: "GET",
    protocol: "https:",
    hostname: "sts.eu-west-1.amazonaws.com",
    path: "/",
    query: { Action: "GetCallerIdentity", Version: "2011-06-15" },
    headers: { host: "sts.eu-west-1.amazonaws.com", "x-k8s-aws-id": "shop" },
  };
  const options = { expiresIn: 60, signingDate: new Date(nowMs), unhoistableHeaders: new Set(["x-k8s-aws-id"]) };
  return (await signer.presign(request, options)).query as Record<string, string>;
}

function urlIn(token: string): URL {
  expect(token).toMatch(/^k8s-aws-v1\.[A-Za-z0-9_-]+$/);
  return new URL(Buffer.from(token.slice("k8s-aws-v1.".length), "base64url").toString());
}

describe("an EKS token", () => {
  it.each([
    ["with a session", credentials],
    ["without one", { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG" }],
  ])("is the URL that AWS' own signer makes, %s", async (_, who) => {
    const url = urlIn(eksToken(cluster, who, nowMs));
    expect(url.host).toBe("sts.eu-west-1.amazonaws.com");
    expect(Object.fromEntries(url.searchParams)).toEqual(await signedByAws(who));
  });

  it("of China asks China's STS", () => {
    const url = urlIn(eksToken({ clusterName: "shop", region: "cn-north-1" }, credentials, nowMs));
    expect(url.host).toBe("sts.cn-north-1.amazonaws.com.cn");
  });

  it("is used for ten minutes, then made anew; a failure is not kept", async () => {
    let asked = 0;
    const clock = { now: () => nowMs + clock.passedMs, passedMs: 0 };
    const tokens = createEksTokens({
      ...cluster,
      clock,
      credentials: async () => {
        asked++;
        if (asked === 1) throw new Error("no role yet");
        return credentials;
      },
    });
    await expect(tokens()).rejects.toThrow("no role yet");
    const first = await tokens();
    clock.passedMs = 599_000;
    expect(await tokens()).toBe(first);
    clock.passedMs = 600_000;
    expect(await tokens()).not.toBe(first);
    expect(asked).toBe(3);
  });
});
