import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import type { EndpointOptions } from "../dynamodb/client.ts";

const requestTimeoutMs = 3_000;
const connectionTimeoutMs = 1_000;
const maxAttempts = 2;

export function createEventBridgeClient(options: EndpointOptions): EventBridgeClient {
  return new EventBridgeClient({
    ...options,
    maxAttempts,
    requestHandler: {
      requestTimeout: requestTimeoutMs,
      connectionTimeout: connectionTimeoutMs,
      throwOnRequestTimeout: true,
    },
  });
}
