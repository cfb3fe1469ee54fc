import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { clientSettings, type EndpointOptions } from "../aws/index.ts";

/** Few tries and short ones: nothing depends on a decision that was told, and a run waits for it. */
const bounds = { requestTimeoutMs: 3_000, maxAttempts: 2 };

export function createEventBridgeClient(options: EndpointOptions): EventBridgeClient {
  return new EventBridgeClient(clientSettings(options, bounds));
}
