import { DeleteMessageCommand, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { startQueues } from "../../../local/aws/queues.ts";
import { createSqsClient, createSqsWakes, parseWake } from "../../../shared/adapters/sqs/index.ts";
import type { Wake } from "../../../shared/ports/index.ts";
import { runWakesSuite } from "./suite.ts";

runWakesSuite("SQS", async () => {
  const queues = await startQueues();
  const client = createSqsClient({
    region: "us-east-1",
    endpoint: queues.url,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const queueUrls = {
    provision: queues.urlOf("provision"),
    disrupt: queues.urlOf("disrupt"),
    lifecycle: queues.urlOf("lifecycle"),
    "resolve-node-classes": queues.urlOf("resolve-node-classes"),
    "collect-garbage": queues.urlOf("collect-garbage"),
  };
  return {
    wakes: createSqsWakes({ client, queueUrls }),
    async receive(target, afterMs) {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      const QueueUrl = queueUrls[target];
      const wakes: Wake[] = [];
      for (;;) {
        const { Messages: messages = [] } = await client.send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
        );
        if (messages.length === 0) return wakes;
        for (const { Body: body = "", ReceiptHandle } of messages) {
          wakes.push(parseWake(body));
          await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        }
      }
    },
    async stop() {
      client.destroy();
      await queues.stop();
    },
  };
});
