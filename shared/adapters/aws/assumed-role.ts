import { OperationError } from "../../ports/index.ts";
import { type AwsCredentials, clientSettings, type EndpointOptions } from "./client-settings.ts";
import { translate } from "./sdk-error.ts";

export interface AssumedRoleOptions extends EndpointOptions {
  readonly roleArn: string;
  /** Names the session in CloudTrail; what STS does not take in it is replaced. */
  readonly sessionName: string;
  readonly clock: { now(): number };
  /** Left out: the SDK's own. Few deployments have clusters in other accounts, so it is loaded with the first of them. */
  loadSts?(): Promise<Pick<typeof import("@aws-sdk/client-sts"), "AssumeRoleCommand" | "STSClient">>;
}

const bounds = { requestTimeoutMs: 5_000, maxAttempts: 3 };

/** STS gives an hour, and no more when the caller has a role itself (role chaining). */
const durationS = 3_600;

/** Fetched anew this long before they expire: longer than any run, and than the SDK's own margin of five minutes. */
const renewBeforeMs = 10 * 60_000;

/**
 * Credentials of another role (a cluster's, in another account), fetched when first asked for and again before they
 * expire. Those who ask at the same time share one request. Rejects with an OperationError; nothing is kept of a failure.
 */
export function assumedRole(options: AssumedRoleOptions): () => Promise<AwsCredentials> {
  const { roleArn, clock, loadSts = () => import("@aws-sdk/client-sts") } = options;
  const sessionName = options.sessionName.replace(/[^\w+=,.@-]/g, "-").slice(0, 64);
  let kept: AwsCredentials | undefined;
  let underWay: Promise<AwsCredentials> | undefined;

  async function assume(): Promise<AwsCredentials> {
    const { AssumeRoleCommand, STSClient } = await loadSts();
    const client = new STSClient(clientSettings(options, bounds));
    const what = `assuming ${roleArn}`;
    try {
      const request = { RoleArn: roleArn, RoleSessionName: sessionName, DurationSeconds: durationS };
      const { Credentials: keys } = await client.send(new AssumeRoleCommand(request)).catch((error: unknown) => {
        throw translate(error, what);
      });
      if (keys?.AccessKeyId === undefined || keys.SecretAccessKey === undefined) {
        throw new OperationError(`${what}: STS gave no keys`, { retry: "later", code: "unavailable" });
      }
      kept = {
        accessKeyId: keys.AccessKeyId,
        secretAccessKey: keys.SecretAccessKey,
        ...(keys.SessionToken === undefined ? {} : { sessionToken: keys.SessionToken }),
        expiration: keys.Expiration ?? new Date(clock.now() + durationS * 1_000),
      };
      return kept;
    } finally {
      client.destroy();
    }
  }

  return async () => {
    const isGood = kept?.expiration !== undefined && kept.expiration.getTime() - renewBeforeMs > clock.now();
    if (isGood) return kept!;
    underWay ??= assume().finally(() => {
      underWay = undefined;
    });
    return await underWay;
  };
}
