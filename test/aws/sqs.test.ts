// Wakes over moto's SQS, whose queues know delays, visibility and batches.
import { CreateQueueCommand } from "@aws-sdk/client-sqs";
import { inject } from "vitest";
import { createSqsClient, createSqsWakes } from "../../shared/adapters/sqs/index.ts";
import { receiveFrom } from "../contracts/wakes/receive.ts";
import { runWakesSuite } from "../contracts/wakes/suite.ts";

const noMoto = inject("noMoto");

runWakesSuite(
  "moto",
  async () => {
    const client = createSqsClient({
      region: "us-east-1",
      endpoint: inject("moto"),
      credentials: { accessKeyId: "moto", secretAccessKey: "moto" },
    });
    const queue = async (name: string) => {
      const { QueueUrl: url } = await client.send(new CreateQueueCommand({ QueueName: name }));
      if (url === undefined) throw new Error(`moto made no queue ${name}`);
      return url;
    };
    const queueUrls = {
      provision: await queue("provision"),
      disrupt: await queue("disrupt"),
      lifecycle: await queue("lifecycle"),
      "resolve-node-classes": await queue("resolve-node-classes"),
      "collect-garbage": await queue("collect-garbage"),
    };
    return {
      wakes: createSqsWakes({ client, queueUrls }),
      receive: receiveFrom(client, queueUrls),
      stop: async () => client.destroy(),
    };
  },
  { skipBecause: noMoto === "" ? undefined : noMoto, delayMs: 5_000 },
);
