import { startQueues } from "../../../local/aws/queues.ts";
import { createSqsClient, createSqsWakes } from "../../../shared/adapters/sqs/index.ts";
import { receiveFrom } from "./receive.ts";
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
    receive: receiveFrom(client, queueUrls),
    async stop() {
      client.destroy();
      await queues.stop();
    },
  };
});
