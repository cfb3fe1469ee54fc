import { SQSClient } from "@aws-sdk/client-sqs";
import { boundedBy, type EndpointOptions } from "../dynamodb/client.ts";

const requestTimeoutMs = 5_000;
const maxAttempts = 3;

/** A repeat of a lost answer sends a wake twice, which is harmless. */
export function createSqsClient(options: EndpointOptions): SQSClient {
  return new SQSClient({
    ...options,
    maxAttempts,
    requestHandler: boundedBy(requestTimeoutMs),
  });
}
