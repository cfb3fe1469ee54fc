import { SQSClient } from "@aws-sdk/client-sqs";
import { clientSettings, type EndpointOptions } from "../aws/index.ts";

const bounds = { requestTimeoutMs: 5_000, maxAttempts: 3 };

/** A repeat of a lost answer sends a wake twice, which is harmless. */
export function createSqsClient(options: EndpointOptions): SQSClient {
  return new SQSClient(clientSettings(options, bounds));
}
