import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type AssumedRoleOptions, assumedRole } from "../../../shared/adapters/aws/index.ts";

const nowMs = 1_760_000_000_000;
const minuteMs = 60_000;
const roleArn = "arn:aws:iam::210987654321:role/timmerman-clusters";

/** As STS answers (its API reference's example, with our figures). */
const granted = (
  key: string,
  untilMs: number,
) => `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleResult>
    <AssumedRoleUser>
      <Arn>arn:aws:sts::210987654321:assumed-role/timmerman-clusters/provision</Arn>
      <AssumedRoleId>ARO123EXAMPLE123:provision</AssumedRoleId>
    </AssumedRoleUser>
    <Credentials>
      <AccessKeyId>${key}</AccessKeyId>
      <SecretAccessKey>secret</SecretAccessKey>
      <SessionToken>session</SessionToken>
      <Expiration>${new Date(untilMs).toISOString()}</Expiration>
    </Credentials>
  </AssumeRoleResult>
  <ResponseMetadata><RequestId>c6104cbe-af31-11e0-8154-cbc7ccf896c7</RequestId></ResponseMetadata>
</AssumeRoleResponse>`;
const denied = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <Error><Type>Sender</Type><Code>AccessDenied</Code><Message>not authorized to perform: sts:AssumeRole</Message></Error>
</ErrorResponse>`;

let stop: (() => Promise<void>) | undefined;
afterEach(async () => {
  await stop?.();
  stop = undefined;
});

async function startSts(
  reply: (count: number) => { status: number; body: string },
  more: Pick<AssumedRoleOptions, "loadSts"> = {},
) {
  const seen: { query: URLSearchParams; agent: string }[] = [];
  const server = createServer((incoming, outgoing) => {
    let body = "";
    incoming.on("data", (bytes: Buffer) => {
      body += bytes.toString();
    });
    incoming.on("end", () => {
      seen.push({ query: new URLSearchParams(body), agent: String(incoming.headers["user-agent"]) });
      const { status, body: answer } = reply(seen.length);
      outgoing.writeHead(status, { "content-type": "text/xml" });
      outgoing.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  let atMs = nowMs;
  const fetch = assumedRole({
    region: "us-east-1",
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: "own", secretAccessKey: "own" },
    caller: "provision",
    roleArn,
    sessionName: "timmerman provision/1",
    clock: { now: () => atMs },
    ...more,
  });
  return { fetch, seen, pass: (ms: number) => (atMs += ms) };
}

describe("the credentials of an assumed role", () => {
  it("are asked for once, in a session that is named for the function, by those who ask at the same time", async () => {
    const sts = await startSts(() => ({ status: 200, body: granted("key-1", nowMs + 60 * minuteMs) }));
    const [first, second] = await Promise.all([sts.fetch(), sts.fetch()]);
    expect(first).toEqual({
      accessKeyId: "key-1",
      secretAccessKey: "secret",
      sessionToken: "session",
      expiration: new Date(nowMs + 60 * minuteMs),
    });
    expect(second).toBe(first);
    expect(sts.seen).toHaveLength(1);
    expect(Object.fromEntries(sts.seen[0]!.query)).toMatchObject({
      Action: "AssumeRole",
      RoleArn: roleArn,
      RoleSessionName: "timmerman-provision-1",
    });
    expect(sts.seen[0]!.agent).toMatch(/timmerman\/\d+\.\d+\.\d+ .*function\/provision/);
  });

  it("are kept until ten minutes before they expire", async () => {
    const sts = await startSts((count) => ({ status: 200, body: granted(`key-${count}`, nowMs + 60 * minuteMs) }));
    await sts.fetch();
    sts.pass(50 * minuteMs - 1);
    expect(await sts.fetch()).toMatchObject({ accessKeyId: "key-1" });
    sts.pass(1);
    expect(await sts.fetch()).toMatchObject({ accessKeyId: "key-2" });
    expect(sts.seen).toHaveLength(2);
  });

  it("that are refused say which role, and are asked for again the next time", async () => {
    const sts = await startSts((count) =>
      count === 1 ? { status: 403, body: denied } : { status: 200, body: granted("key", nowMs + 60 * minuteMs) },
    );
    await expect(sts.fetch()).rejects.toMatchObject({
      name: "OperationError",
      code: "unauthorized",
      message: expect.stringContaining(`assuming ${roleArn}: AccessDenied`),
    });
    expect(await sts.fetch()).toMatchObject({ accessKeyId: "key" });
  });

  it("are asked for again after the client itself could not be loaded", async () => {
    let loads = 0;
    const loadSts = async () => {
      loads += 1;
      if (loads === 1) throw new Error("the chunk is not there");
      return await import("@aws-sdk/client-sts");
    };
    const sts = await startSts(() => ({ status: 200, body: granted("key", nowMs + 60 * minuteMs) }), { loadSts });
    await expect(sts.fetch()).rejects.toThrow("the chunk is not there");
    expect(await sts.fetch()).toMatchObject({ accessKeyId: "key" });
    expect(loads).toBe(2);
  });
});
