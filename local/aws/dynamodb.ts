import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { expiryAttribute, tableDefinition } from "../../shared/adapters/dynamodb/index.ts";

/** A service on loopback, and what ends it. */
export interface Endpoint {
  readonly url: string;
  stop(): Promise<void>;
}

const require = createRequire(import.meta.url);

/** Where the DynamoDB binary is: an optional package, which npm leaves out on other platforms. */
function dynoxidePath(): string | undefined {
  try {
    const path = join(dirname(require.resolve("@dynoxide/linux-x64/package.json")), "dynoxide");
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Whether this machine can run a DynamoDB of its own. */
export function dynoxideAvailable(): boolean {
  return dynoxidePath() !== undefined;
}

/** It takes a twentieth of a second, but on a machine that has much else to do. */
const readyTimeoutMs = 30_000;
const startAttempts = 3;
const pollMs = 10;

/** Starts DynamoDB in memory on a free port of 127.0.0.1. Throws when it is not there or does not come up. */
export async function startDynoxide(): Promise<Endpoint> {
  const path = dynoxidePath();
  if (path === undefined) {
    throw new Error(
      "DynamoDB cannot be started: @dynoxide/linux-x64 is not installed (npm has it for Linux on x64 only)",
    );
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(path, await freePort());
    } catch (cause) {
      // Between finding a free port and listening on it, another program may take it.
      if (attempt === startAttempts || !(cause as Error).message.includes("in use")) throw cause;
    }
  }
}

async function startOn(path: string, port: number): Promise<Endpoint> {
  const child = spawn(path, ["--host", "127.0.0.1", "--port", String(port)], { stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr?.on("data", (bytes: Buffer) => {
    complaint = (complaint + bytes.toString("utf8")).slice(-2_000);
  });
  const url = `http://127.0.0.1:${port}`;
  const endsWithUs = () => child.kill("SIGKILL");
  process.once("exit", endsWithUs);
  try {
    await answering(url, child);
  } catch (cause) {
    child.kill("SIGKILL");
    throw new Error(`DynamoDB did not come up on ${url}: ${complaint.trim() || "no answer"}`, { cause });
  }
  return {
    url,
    async stop() {
      process.removeListener("exit", endsWithUs);
      await ended(child);
    },
  };
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Any HTTP answer will do. */
async function answering(url: string, child: ChildProcess): Promise<void> {
  const giveUpAtMs = Date.now() + readyTimeoutMs;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`);
    try {
      await fetch(url);
      return;
    } catch (cause) {
      if (Date.now() > giveUpAtMs) throw new Error("it did not answer in time", { cause });
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exit;
}

/** Makes Timmerman's table, with its index and expiry, and waits until it can be used. */
export async function createTable(client: DynamoDBClient, TableName: string): Promise<void> {
  await client.send(new CreateTableCommand({ TableName, ...structuredClone(tableDefinition) } as never));
  for (;;) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    if (Table?.TableStatus === "ACTIVE") break;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  const TimeToLiveSpecification = { AttributeName: expiryAttribute, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}
