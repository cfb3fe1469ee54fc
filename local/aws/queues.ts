import { EventEmitter } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequestHandler } from "local-aws-sqs";
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
  /** Receptions of one message before it is a dead letter. */
  readonly maxReceiveCount?: number;
  /** How long a received message stays hidden, in seconds of the queue's own (real) time. */
  readonly visibilityTimeoutS?: number;
}

const deadSuffix = "-dead";

/** Starts SQS on a free port of 127.0.0.1, in this process, with every queue made. */
export async function startQueues(options: QueuesOptions = {}): Promise<Queues> {
  const { region = "us-east-1", accountId = "123456789012", maxReceiveCount = 5, visibilityTimeoutS = 60 } = options;
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
          VisibilityTimeout: visibilityTimeoutS,
          RedrivePolicy: redriveTo(arnOf(`${name}${deadSuffix}`), maxReceiveCount),
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
