// The EC2 client as this product uses it: bounded retries, bounded time.

import { EC2Client } from "@aws-sdk/client-ec2";
import { clientSettings, type EndpointOptions } from "../aws/index.ts";

export interface Ec2ClientOptions extends EndpointOptions {
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
  return new EC2Client(
    clientSettings(options, {
      maxAttempts: options.maxAttempts ?? defaultMaxAttempts,
      requestTimeoutMs: options.attemptTimeoutMs ?? defaultAttemptTimeoutMs,
      connectionTimeoutMs,
    }),
  );
}
