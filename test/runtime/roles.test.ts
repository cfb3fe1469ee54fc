// A cluster in another account: who asks EC2 and the cluster, seen at the endpoints.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createMemoryClaimStore } from "../../shared/adapters/memory/claim-store.ts";
import { composeFrom, composition } from "../../shared/runtime/index.ts";
import { environment } from "./environment.ts";

const nowMs = 1_760_000_000_000;
const roleArn = "arn:aws:iam::222222222222:role/timmerman-clusters";

const assumed = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
<AccessKeyId>THEIRS</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>session</SessionToken>
<Expiration>2035-10-09T09:53:20Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;
const noInstances = `<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
<requestId>r</requestId><reservationSet/></DescribeInstancesResponse>`;

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

interface Seen {
  readonly action: string;
  readonly body: string;
  readonly authorization: string;
}

/** STS, EC2 and an API server in one. */
async function startDouble() {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes: Buffer) => {
      body += bytes.toString();
    });
    request.on("end", () => {
      const action = new URLSearchParams(body).get("Action") ?? String(request.url).split("?")[0]!;
      seen.push({ action, body, authorization: String(request.headers.authorization) });
      const isXml = action === "AssumeRole" || action === "DescribeInstances";
      response.setHeader("content-type", isXml ? "text/xml" : "application/json");
      if (isXml) response.end(action === "AssumeRole" ? assumed : noInstances);
      else response.end(JSON.stringify({ major: "1", minor: "35" }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function openWith(more: object, env: Record<string, string> = {}) {
  const { seen, url } = await startDouble();
  composeFrom({
    env: {
      ...environment,
      AWS_ENDPOINT_URL_DYNAMODB: "http://127.0.0.1:9",
      AWS_ENDPOINT_URL_EC2: url,
      AWS_ENDPOINT_URL_STS: url,
      AWS_ACCESS_KEY_ID: "OWN",
      AWS_SECRET_ACCESS_KEY: "own",
      LOG_LEVEL: "SILENT",
      TIMMERMAN_CLUSTERS: JSON.stringify([{ name: "theirs", endpoint: url, ...more }]),
      ...env,
    },
    clock: { now: () => nowMs, sleep: async () => {} },
    instead: { store: createMemoryClaimStore() },
  });
  const { ports } = composition();
  const context = await ports.clusters.open("theirs");
  return { seen, ports, context };
}

/** Who signed the request for the caller's identity that an EKS token is. */
function signerOf({ authorization }: Seen): string | null {
  const token = authorization.replace("Bearer k8s-aws-v1.", "");
  return new URL(Buffer.from(token, "base64url").toString("utf8")).searchParams.get("X-Amz-Credential");
}

describe("a cluster with a role", () => {
  it("is asked under it, as is EC2 for it, with one session that is named for the function", async () => {
    const { seen, context } = await openWith({ roleArn }, { AWS_LAMBDA_FUNCTION_NAME: "timmerman-prod-lifecycle" });
    expect(context.bootstrap.kubernetesVersion).toBe("1.35");
    await context.cloud.findByIds(["i-0123456789abcdef0"]);
    expect(seen.map(({ action }) => action)).toEqual(["AssumeRole", "/version", "DescribeInstances"]);
    expect(seen[0]!.body).toContain("RoleSessionName=timmerman-prod-lifecycle");
    expect(seen[0]!.authorization).toContain("Credential=OWN/");
    expect(signerOf(seen[1]!)).toMatch(/^THEIRS\//);
    expect(seen[2]!.authorization).toContain("Credential=THEIRS/");
  });

  it("is where instances of its account are looked for", async () => {
    const { seen, ports } = await openWith({ roleArn });
    const before = seen.length;
    await (await ports.cloudAt({ account: "222222222222", region: "us-east-1" })).findByIds(["i-0123456789abcdef0"]);
    await (await ports.cloudAt({ account: "123456789012", region: "us-east-1" })).findByIds(["i-0123456789abcdef0"]);
    const asked = seen.slice(before).filter(({ action }) => action === "DescribeInstances");
    expect(asked.map(({ authorization }) => /Credential=(\w+)/.exec(authorization)?.[1])).toEqual(["THEIRS", "OWN"]);
  });
});

describe("a cluster without a role", () => {
  it("is asked under the function's own, and STS is not", async () => {
    const { seen, context } = await openWith({});
    await context.cloud.findByIds(["i-0123456789abcdef0"]);
    expect(seen.map(({ action }) => action)).toEqual(["/version", "DescribeInstances"]);
    expect(signerOf(seen[0]!)).toMatch(/^OWN\//);
    expect(seen[1]!.authorization).toContain("Credential=OWN/");
  });
});
