import { readFileSync } from "node:fs";
import { DescribeInstancesCommand, EC2Client as WholeClient } from "@aws-sdk/client-ec2";
import { describe, expect, it } from "vitest";
import { makeSdk } from "../../../shared/adapters/ec2/build-sdk.ts";
import { EC2Client } from "../../../shared/adapters/ec2/sdk.generated.js";

describe("the part of EC2's client that functions carry", () => {
  it("is what `npm run ec2:sdk` makes of the installed package", async () => {
    for (const [name, text] of Object.entries(await makeSdk())) {
      const committed = readFileSync(new URL(`../../../shared/adapters/ec2/${name}`, import.meta.url), "utf8");
      expect(committed === text, `${name} is old: run npm run ec2:sdk and commit what it makes`).toBe(true);
    }
  });

  it("sends the bytes that the whole client sends", async () => {
    const sent: unknown[] = [];
    for (const Client of [EC2Client, WholeClient]) {
      const client = new Client({ region: "eu-west-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } });
      client.middlewareStack.add(
        () => async (args) => {
          const { method, protocol, hostname, path, body } = args.request as Record<string, unknown>;
          sent.push({ method, protocol, hostname, path, body });
          throw new Error("not sent");
        },
        { step: "finalizeRequest", priority: "low" },
      );
      const command = new DescribeInstancesCommand({ Filters: [{ Name: "tag:a", Values: ["b", "c"] }] });
      await expect(client.send(command)).rejects.toThrow("not sent");
    }
    expect(sent[0]).toEqual(sent[1]);
    expect(sent[0]).toMatchObject({ hostname: "ec2.eu-west-1.amazonaws.com", method: "POST" });
  });
});
