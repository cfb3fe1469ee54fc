import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { boundedBy, type EndpointOptions } from "../dynamodb/client.ts";

const requestTimeoutMs = 3_000;
const maxAttempts = 2;

/** Few tries and short ones: nothing depends on a decision that was told, and a run waits for it. */
export function createEventBridgeClient(options: EndpointOptions): EventBridgeClient {
  return new EventBridgeClient({
    ...options,
    maxAttempts,
    requestHandler: boundedBy(requestTimeoutMs),
  });
}
