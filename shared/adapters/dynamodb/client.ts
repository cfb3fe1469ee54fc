import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { clientSettings, type EndpointOptions } from "../aws/index.ts";

/** Single-digit milliseconds are DynamoDB's rule: an answer that takes longer than this is lost, and asked for again. */
const defaultRequestTimeoutMs = 3_000;
const maxAttempts = 4;

/** The SDK repeats a lost or throttled request up to three times; conditions make a repeat recognise itself. */
export function createDynamoClient(options: EndpointOptions & { readonly requestTimeoutMs?: number }): DynamoDBClient {
  const { requestTimeoutMs = defaultRequestTimeoutMs } = options;
  return new DynamoDBClient(clientSettings(options, { requestTimeoutMs, maxAttempts }));
}
