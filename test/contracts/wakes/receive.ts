import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { parseWake } from "../../../shared/adapters/sqs/index.ts";
import type { Wake, WakeTarget } from "../../../shared/ports/index.ts";

/** Takes wakes from queues as the suite asks for them. */
export function receiveFrom(client: SQSClient, queueUrls: Readonly<Record<WakeTarget, string>>) {
  return async (target: WakeTarget, afterMs: number): Promise<readonly Wake[]> => {
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
  };
}
