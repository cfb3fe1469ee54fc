import { product } from "../../ports/index.ts";

/** Keys, and until when they are good. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** Where a service is and who asks. Without an endpoint it is AWS's own; without credentials, the role's. */
export interface EndpointOptions {
  readonly region: string;
  readonly endpoint?: string;
  /** Keys, or who fetches them; the SDK asks again before they expire. */
  readonly credentials?: AwsCredentials | (() => Promise<AwsCredentials>);
  /** The function or program that asks, for the user agent. */
  readonly caller?: string;
}

/** How long one attempt may take, and how many there are, the first included. */
export interface ClientBounds {
  readonly requestTimeoutMs: number;
  readonly maxAttempts: number;
  readonly connectionTimeoutMs?: number;
}

/** A service in the same region takes a connection at once, or not at all. */
const defaultConnectionTimeoutMs = 1_000;

/**
 * The settings of one service's client: bounded attempts of bounded time (an answer that takes longer is lost, and asked
 * for again), connections kept between invocations, and a user agent that CloudTrail shows (`timmerman/0.1.0`).
 */
export function clientSettings(options: EndpointOptions, bounds: ClientBounds) {
  const { region, endpoint, credentials, caller } = options;
  const customUserAgent: [string, string][] = [[product.name, product.version]];
  if (caller !== undefined) customUserAgent.push(["function", caller]);
  return {
    region,
    maxAttempts: bounds.maxAttempts,
    retryMode: "standard",
    requestHandler: {
      requestTimeout: bounds.requestTimeoutMs,
      connectionTimeout: bounds.connectionTimeoutMs ?? defaultConnectionTimeoutMs,
      throwOnRequestTimeout: true,
    },
    customUserAgent,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}
