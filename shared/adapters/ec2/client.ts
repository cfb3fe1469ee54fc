// The EC2 client as this product uses it: bounded retries, bounded time.
import { EC2Client, type EC2ClientConfig } from "@aws-sdk/client-ec2";

export interface Ec2ClientOptions {
  readonly region: string;
  /** Another endpoint than AWS's, for the local world. */
  readonly endpoint?: string;
  readonly credentials?: EC2ClientConfig["credentials"];
  /** Attempts of one call, the first included. */
  readonly maxAttempts?: number;
  /** Bound of one attempt. */
  readonly attemptTimeoutMs?: number;
}

// Three attempts of ten seconds end well before a Lambda does. A longer answer than that is as good as lost.
const defaultMaxAttempts = 3;
const defaultAttemptTimeoutMs = 10_000;
const connectionTimeoutMs = 2_000;

/** Repeats of an attempt send the same body, and so the same client token. */
export function createEc2Client(options: Ec2ClientOptions): EC2Client {
  const { region, endpoint, credentials } = options;
  return new EC2Client({
    region,
    maxAttempts: options.maxAttempts ?? defaultMaxAttempts,
    retryMode: "standard",
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: options.attemptTimeoutMs ?? defaultAttemptTimeoutMs,
      throwOnRequestTimeout: true,
    },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  });
}
