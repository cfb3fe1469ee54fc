import { EventEmitter } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequestHandler } from "local-aws-sqs";
import {
  interruptionVisibilityMs,
  maxInterruptionReceives,
  maxWakeReceives,
  wakeVisibilityMs,
} from "../../shared/core/limits.ts";
import type { Endpoint } from "./dynamodb.ts";

/** The queues of a deployment, each with its dead letters. */
export const queueNames = [
  "provision",
  "disrupt",
  "lifecycle",
  "resolve-node-classes",
  "collect-garbage",
  "interruption",
] as const;
export type QueueName = (typeof queueNames)[number];

export interface Retries {
  /** Until a message that failed is shown again. */
  readonly visibilityMs: number;
  /** Receptions of one message before it is a dead letter. */
  readonly maxReceiveCount: number;
}

const ofWakes: Retries = { visibilityMs: wakeVisibilityMs, maxReceiveCount: maxWakeReceives };

/** As a deployment sets them. */
export const queueRetries: Readonly<Record<QueueName, Retries>> = {
  provision: ofWakes,
  disrupt: ofWakes,
  lifecycle: ofWakes,
  "resolve-node-classes": ofWakes,
  "collect-garbage": ofWakes,
  interruption: { visibilityMs: interruptionVisibilityMs, maxReceiveCount: maxInterruptionReceives },
};

export interface Queues extends Endpoint {
  urlOf(queue: QueueName): string;
  /** Where messages go that were received `maxReceiveCount` times in vain. */
  deadLettersOf(queue: QueueName): string;
  /** Calls back whenever something was sent to the queue; returns what ends that. */
  onSent(queue: QueueName, callback: () => void): () => void;
}

export interface QueuesOptions {
  readonly region?: string;
  readonly accountId?: string;
  /** Instead of what a deployment sets. */
  readonly maxReceiveCount?: number;
}

const deadSuffix = "-dead";

/** Starts SQS on a free port of 127.0.0.1, in this process, with every queue made. */
export async function startQueues(options: QueuesOptions = {}): Promise<Queues> {
  const { region = "us-east-1", accountId = "123456789012", maxReceiveCount } = options;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const arnOf = (name: string) => `arn:aws:sqs:${region}:${accountId}:${name}`;
  const { requestHandler } = createRequestHandler({
    port,
    hostname: "127.0.0.1",
    region,
    accountId,
    queues: [
      ...queueNames.map((name) => ({ QueueName: `${name}${deadSuffix}` })),
      ...queueNames.map((name) => ({
        QueueName: name,
        Attributes: {
          // In real time, as runs are: what fails is shown again by the event source, in the world's time.
          VisibilityTimeout: queueRetries[name].visibilityMs / 1_000,
          RedrivePolicy: redriveTo(
            arnOf(`${name}${deadSuffix}`),
            maxReceiveCount ?? queueRetries[name].maxReceiveCount,
          ),
        },
      })),
    ],
  });
  const sent = new EventEmitter();
  server.on("request", (request, response) => {
    if (String(request.headers["x-amz-target"]).startsWith("AmazonSQS.SendMessage")) {
      let body = "";
      request.on("data", (bytes: Buffer) => {
        body += bytes.toString("utf8");
      });
      response.once("finish", () => sent.emit(queueIn(body)));
    }
    void requestHandler(request, response);
  });
  const url = `http://127.0.0.1:${port}`;
  const urlOf = (name: string) => `${url}/${accountId}/${name}`;
  return {
    url,
    urlOf,
    deadLettersOf: (name) => urlOf(`${name}${deadSuffix}`),
    onSent(queue, callback) {
      sent.on(queue, callback);
      return () => sent.off(queue, callback);
    },
    stop: () => closed(server),
  };
}

/** The emulator counts a changed visibility as one more reception, and an event source changes it after each failure. */
function redriveTo(deadLetterTargetArn: string, maxReceiveCount: number): string {
  return JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 * maxReceiveCount });
}

function queueIn(body: string): string {
  return /"QueueUrl":"[^"]*\/([^"/]+)"/.exec(body)?.[1] ?? "";
}

/** Long polls would keep a server open: they are cut. */
export async function closed(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
