import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type QueueName, type Queues, queueNames, queueRetries, startQueues } from "../../../local/aws/queues.ts";
import { queueSettings } from "../../../stacks/function-settings.ts";

let queues: Queues;
let client: SQSClient;
beforeAll(async () => {
  queues = await startQueues();
  client = new SQSClient({
    region: "us-east-1",
    endpoint: queues.url,
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
  });
});
afterAll(async () => {
  client.destroy();
  await queues.stop();
});

/** A deployment calls this queue after its function. */
const deployedName = (name: QueueName) => (name === "interruption" ? "interrupt" : name);

it.each(queueNames)("%s hides and gives up messages as a deployment's does", async (name) => {
  const QueueUrl = queues.urlOf(name);
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }));
  const { visibilityTimeoutS, maxReceiveCount } = queueSettings[deployedName(name)];
  expect(queueRetries[name]).toEqual({ visibilityMs: visibilityTimeoutS * 1_000, maxReceiveCount });
  expect(Number(Attributes?.VisibilityTimeout)).toBe(visibilityTimeoutS);
  // Each failure is two receptions to the emulator.
  expect(JSON.parse(Attributes?.RedrivePolicy ?? "{}").maxReceiveCount).toBe(2 * maxReceiveCount);
});

it("wait minutes after a failure, but seconds where a warning lasts for two minutes", () => {
  expect(queueRetries.provision.visibilityMs).toBe(300_000);
  expect(queueRetries.interruption.visibilityMs).toBe(40_000);
});
