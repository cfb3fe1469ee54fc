import { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** Where a service is and who asks. Without an endpoint it is AWS's own; without credentials, the role's. */
export interface EndpointOptions {
  readonly region: string;
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** A service in the same region takes a connection at once, or not at all. */
const connectionTimeoutMs = 1_000;

/** Single-digit milliseconds are DynamoDB's rule: an answer that takes longer than this is lost, and asked for again. */
const defaultRequestTimeoutMs = 3_000;
const maxAttempts = 4;

/** One attempt of a request: an answer that takes longer is lost, and the attempt fails. */
export function boundedBy(requestTimeout: number) {
  return { requestTimeout, connectionTimeout: connectionTimeoutMs, throwOnRequestTimeout: true };
}

/** The SDK repeats a lost or throttled request up to three times; conditions make a repeat recognise itself. */
export function createDynamoClient(given: EndpointOptions & { readonly requestTimeoutMs?: number }): DynamoDBClient {
  const { requestTimeoutMs = defaultRequestTimeoutMs, ...options } = given;
  return new DynamoDBClient({
    ...options,
    maxAttempts,
    requestHandler: boundedBy(requestTimeoutMs),
  });
}
