import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Context, SQSEvent, SQSRecord } from "aws-lambda";
import { createMemoryClaimStore } from "../../shared/adapters/memory/claim-store.ts";
import { createMemoryTelemetry } from "../../shared/adapters/memory/telemetry.ts";
import { createMemoryWakes } from "../../shared/adapters/memory/wakes.ts";
import { composeFrom } from "../../shared/runtime/index.ts";
import { environment } from "../runtime/environment.ts";

export const nowMs = 1_760_000_000_000;

/** Composes the functions on memory, with a Kubernetes API at `server` and everything else unreachable. */
export function composeOnMemory(options: { server?: string; env?: Record<string, string> } = {}) {
  const server = options.server ?? "http://127.0.0.1:9";
  const clock = { now: () => nowMs, sleep: async () => {} };
  const store = createMemoryClaimStore();
  const wakes = createMemoryWakes(clock);
  const telemetry = createMemoryTelemetry();
  let ids = 0;
  composeFrom({
    env: {
      ...environment,
      AWS_ENDPOINT_URL_DYNAMODB: "http://127.0.0.1:9",
      AWS_ENDPOINT_URL_SQS: "http://127.0.0.1:9",
      AWS_ENDPOINT_URL_EC2: "http://127.0.0.1:9",
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
      LOG_LEVEL: "SILENT",
      TIMMERMAN_CLUSTERS: JSON.stringify([
        { name: "blue", endpoint: server, token: "local", kubernetesVersion: "1.34" },
      ]),
      ...options.env,
    },
    clock,
    ids: { next: () => `id${++ids}` },
    instead: { store, wakes, telemetry },
  });
  return { store, wakes, telemetry };
}

export function sqsEvent(bodies: readonly string[]): SQSEvent {
  return { Records: bodies.map((body, at) => record(`message-${at}`, body)) };
}

/** As recorded from a standard queue. */
function record(messageId: string, body: string): SQSRecord {
  return {
    messageId,
    receiptHandle: "AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a",
    body,
    attributes: {
      ApproximateReceiveCount: "1",
      SentTimestamp: "1759999999000",
      SenderId: "AIDAIENQZJOLO23YVJ4VO",
      ApproximateFirstReceiveTimestamp: "1759999999100",
    },
    messageAttributes: {},
    md5OfBody: "e4e68fb7bd0e697a0ae8f1bb342846b3",
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:us-east-1:123456789012:provision",
    awsRegion: "us-east-1",
  };
}

export const context: Context = {
  callbackWaitsForEmptyEventLoop: true,
  functionName: "timmerman-test",
  functionVersion: "$LATEST",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:123456789012:function:timmerman-test",
  memoryLimitInMB: "1769",
  awsRequestId: "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
  logGroupName: "/aws/lambda/timmerman-test",
  logStreamName: "2025/10/09/[$LATEST]0",
  getRemainingTimeInMillis: () => 30_000,
  done: () => {},
  fail: () => {},
  succeed: () => {},
};

export interface EmptyCluster {
  readonly url: string;
  /** `METHOD path` of every request, without queries. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** A Kubernetes API server in which there is nothing but kube-system: lists are empty, what is written is given back. */
export async function startEmptyCluster(): Promise<EmptyCluster> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split("?")[0]}`);
    let body = "";
    request.on("data", (bytes: Buffer) => {
      body += bytes.toString("utf8");
    });
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      const isKubeSystem = request.url === "/api/v1/namespaces/kube-system";
      const empty = JSON.stringify(
        isKubeSystem
          ? { kind: "Namespace", apiVersion: "v1", metadata: { name: "kube-system", uid: "u1" } }
          : { kind: "List", apiVersion: "v1", metadata: { resourceVersion: "100" }, items: [] },
      );
      response.end(request.method === "GET" ? empty : body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
