import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clientSettings } from "../../../shared/adapters/aws/index.ts";
import { product } from "../../../shared/ports/index.ts";

describe("an AWS client's settings", () => {
  it("bound its attempts and name the product and who asks", () => {
    const keys = { accessKeyId: "k", secretAccessKey: "s" };
    const options = { region: "eu-west-1", endpoint: "http://127.0.0.1:1", credentials: keys, caller: "provision" };
    expect(clientSettings(options, { requestTimeoutMs: 3_000, maxAttempts: 4 })).toEqual({
      region: "eu-west-1",
      endpoint: "http://127.0.0.1:1",
      credentials: keys,
      maxAttempts: 4,
      retryMode: "standard",
      requestHandler: { requestTimeout: 3_000, connectionTimeout: 1_000, throwOnRequestTimeout: true },
      customUserAgent: [
        ["timmerman", product.version],
        ["function", "provision"],
      ],
    });
  });

  it("leave to the SDK what is not given", () => {
    const settings = clientSettings({ region: "eu-west-1" }, { requestTimeoutMs: 1, maxAttempts: 1 });
    expect(Object.keys(settings)).not.toContain("endpoint");
    expect(Object.keys(settings)).not.toContain("credentials");
  });

  it("have the package's version", () => {
    const packageJson = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    expect(product).toEqual({ name: packageJson.name, version: packageJson.version });
  });
});
