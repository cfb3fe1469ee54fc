import { createHash, createHmac } from "node:crypto";
import type { Clock } from "../../ports/index.ts";

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface EksTokenOptions {
  readonly clusterName: string;
  readonly region: string;
  readonly clock: Pick<Clock, "now">;
  /** The role's present credentials; asked for whenever a token is made. */
  readonly credentials: () => Promise<AwsCredentials>;
}

/** EKS takes a token for 15 minutes after it was signed; a new one is made well before that. */
const tokenUseMs = 10 * 60_000;
/** The signed URL itself needs to be valid for only a moment: EKS replays it at once. */
const urlValidSeconds = 60;

/**
 * Bearer tokens for an EKS cluster: a signed URL of STS' GetCallerIdentity that names the cluster in a header. EKS sends it
 * to learn who asks. Source of the form: aws-iam-authenticator, "API Authorization from Outside a Cluster".
 */
export function createEksTokens(options: EksTokenOptions): () => Promise<string> {
  let known: { readonly token: Promise<string>; readonly untilMs: number } | undefined;
  return () => {
    const nowMs = options.clock.now();
    if (known === undefined || nowMs >= known.untilMs) {
      const token = options.credentials().then((credentials) => eksToken(options, credentials, nowMs));
      const made = { token, untilMs: nowMs + tokenUseMs };
      known = made;
      // Credentials that could not be had are asked for again by the next call.
      token.catch(() => {
        if (known === made) known = undefined;
      });
    }
    return known.token;
  };
}

/** One token, signed at that moment. */
export function eksToken(
  { clusterName, region }: Pick<EksTokenOptions, "clusterName" | "region">,
  credentials: AwsCredentials,
  nowMs: number,
): string {
  const host = `sts.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}`;
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/sts/aws4_request`;
  const query = Object.entries({
    Action: "GetCallerIdentity",
    Version: "2011-06-15",
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${credentials.accessKeyId}/${scope}`,
    "X-Amz-Date": time,
    "X-Amz-Expires": String(urlValidSeconds),
    ...(credentials.sessionToken === undefined ? {} : { "X-Amz-Security-Token": credentials.sessionToken }),
    "X-Amz-SignedHeaders": "host;x-k8s-aws-id",
  })
    .map(([key, value]) => `${percentEncoded(key)}=${percentEncoded(value)}`)
    .sort()
    .join("&");
  const request = [
    "GET",
    "/",
    query,
    `host:${host}`,
    `x-k8s-aws-id:${clusterName}`,
    "",
    "host;x-k8s-aws-id",
    sha256(""),
  ];
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(request.join("\n"))].join("\n");
  const key = [day, region, "sts", "aws4_request"].reduce<Buffer>(
    (secret, part) => hmac(secret, part),
    Buffer.from(`AWS4${credentials.secretAccessKey}`),
  );
  const url = `https://${host}/?${query}&X-Amz-Signature=${hmac(key, toSign).toString("hex")}`;
  return `k8s-aws-v1.${Buffer.from(url).toString("base64url")}`;
}

/** Percent-encoding as AWS signs it: everything but letters, digits and `-._~`. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
