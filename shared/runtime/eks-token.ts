import { createHash, createHmac } from "node:crypto";
import type { Clock } from "../ports/index.ts";
import type { FetchKeys } from "./keys.ts";

export interface EksTokenOptions {
  readonly cluster: string;
  readonly region: string;
  /** Keys of the role that the cluster knows. */
  readonly keys: FetchKeys;
  readonly clock: Pick<Clock, "now">;
}

/** Makes tokens and keeps them; one that was refused is to be forgotten. */
export interface EksToken {
  fetch(): Promise<string>;
  forget(): void;
}

/** aws-iam-authenticator takes a token for 15 minutes after it was signed; a new one is made well before. */
const renewAfterMs = 10 * 60_000;
const expiresS = 60;

/**
 * Tokens that EKS takes for a role: a GetCallerIdentity request to STS, signed but not sent, that the
 * cluster sends to learn who asks (aws-iam-authenticator's documented format, `k8s-aws-v1.`).
 */
export function createEksToken({ cluster, region, keys, clock }: EksTokenOptions): EksToken {
  let made: { token: string; atMs: number } | undefined;
  const fetch = async () => {
    const nowMs = clock.now();
    if (made === undefined || nowMs - made.atMs > renewAfterMs) {
      const url = presign({
        host: `sts.${region}.${domainOf(region)}`,
        path: "/",
        query: { Action: "GetCallerIdentity", Version: "2011-06-15" },
        headers: { "x-k8s-aws-id": cluster },
        service: "sts",
        region,
        keys: await keys(),
        nowMs,
        expiresS,
        bodyHash: sha256(""),
      });
      made = { token: `k8s-aws-v1.${Buffer.from(url).toString("base64url")}`, atMs: nowMs };
    }
    return made.token;
  };
  return {
    fetch,
    forget() {
      made = undefined;
    },
  };
}

/** The domain of a region's services, by the region's prefix, as the partitions in AWS's SDKs have them. */
const domains: readonly (readonly [string, string])[] = [
  ["cn-", "amazonaws.com.cn"],
  ["eusc-", "amazonaws.eu"],
  ["us-iso-", "c2s.ic.gov"],
  ["us-isob-", "sc2s.sgov.gov"],
  ["eu-isoe-", "cloud.adc-e.uk"],
  ["us-isof-", "csp.hci.ic.gov"],
];

function domainOf(region: string): string {
  return domains.find(([prefix]) => region.startsWith(prefix))?.[1] ?? "amazonaws.com";
}

export interface PresignInput {
  readonly host: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  readonly region: string;
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string };
  readonly nowMs: number;
  readonly expiresS: number;
  /** SHA-256 of the body, in hex, or what the service takes instead. */
  readonly bodyHash: string;
}

/** A GET request as a signed URL: AWS Signature Version 4 with its parts in the query. */
export function presign(input: PresignInput): string {
  const at = new Date(input.nowMs).toISOString().replace(/[-:]|\.\d{3}/g, "");
  const scope = `${at.slice(0, 8)}/${input.region}/${input.service}/aws4_request`;
  const headers = Object.entries({ ...input.headers, host: input.host }).sort(byName);
  const signedHeaders = headers.map(([name]) => name).join(";");
  const query = Object.entries({
    ...input.query,
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${input.keys.accessKeyId}/${scope}`,
    "X-Amz-Date": at,
    "X-Amz-Expires": String(input.expiresS),
    "X-Amz-SignedHeaders": signedHeaders,
    ...(input.keys.sessionToken === undefined ? {} : { "X-Amz-Security-Token": input.keys.sessionToken }),
  })
    .sort(byName)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join("&");
  const canonicalHeaders = headers.map(([name, value]) => `${name}:${value}\n`).join("");
  const canonical = ["GET", input.path, query, canonicalHeaders, signedHeaders, input.bodyHash].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", at, scope, sha256(canonical)].join("\n");
  const key = scope
    .split("/")
    .reduce<Buffer | string>((secret, part) => hmac(secret, part), `AWS4${input.keys.secretAccessKey}`);
  return `https://${input.host}${input.path}?${query}&X-Amz-Signature=${hmac(key, toSign).toString("hex")}`;
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

/** RFC 3986: what encodeURIComponent leaves alone beyond it is encoded too. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
