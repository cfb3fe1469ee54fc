import type { Settings } from "../core/model/index.ts";
import { isOnLoopback } from "./loopback.ts";
import { clusterSettingsFrom, type GeneralSettings, settingsWithoutSay } from "./settings.ts";
import type { Complain } from "./variables.ts";

/** A cluster that this deployment serves. */
export interface ServedCluster {
  readonly name: string;
  readonly region: string;
  /** The API server, as this deployment reaches it. */
  readonly server: string;
  /** The API server, as nodes reach it. */
  readonly endpoint: string;
  /** PEM, base64; empty where the server speaks plain HTTP on loopback. */
  readonly caBundle: string;
  /** Bearer token; undefined: an EKS token from the role. */
  readonly token?: string;
  readonly serviceCidr: string;
  /** `1.34`; undefined: what the API server says. */
  readonly kubernetesVersion?: string;
  readonly dnsAddress?: string;
  /** Under which EC2 is called for this cluster and its API server asked; undefined: the function's own role. */
  readonly roleArn?: string;
  readonly settings: Settings;
  /** Settings that are given and change nothing; undefined: none are. */
  readonly settingsWithoutSay?: readonly string[];
}

interface Defaults {
  readonly region: string;
  readonly defaults: GeneralSettings;
}

const known = new Set([
  "name",
  "region",
  "server",
  "endpoint",
  "caBundle",
  "token",
  "serviceCidr",
  "kubernetesVersion",
  "dnsAddress",
  "roleArn",
  "settings",
]);

/**
 * Clusters from their list in the configuration; complains of each wrong field, by cluster and field. No value is
 * repeated in a complaint, which ends up in logs: a token that stands in the wrong field is a token still.
 */
export function clustersFrom(value: unknown, given: Defaults, complain: Complain): readonly ServedCluster[] {
  if (!Array.isArray(value)) {
    complain('must be a list: write [{"name":"…","endpoint":"https://…"}]');
    return [];
  }
  const clusters = value
    .map((entry, at) => clusterFrom(entry, at, given, complain))
    .filter((entry) => entry !== undefined);
  const names = clusters.map((cluster) => cluster.name);
  for (const name of new Set(names.filter((name, at) => names.indexOf(name) !== at))) {
    complain(`cluster ${name} is listed twice: list it once`);
  }
  return clusters;
}

function clusterFrom(value: unknown, at: number, given: Defaults, complain: Complain): ServedCluster | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    complain(`entry ${at} must be an object with a name and an endpoint`);
    return undefined;
  }
  const entry = value as Record<string, unknown>;
  const who = isClusterName(entry.name) ? `cluster ${entry.name}` : `entry ${at}`;
  const text = (field: string, wanted: string, isRight: (text: string) => boolean, ifAbsent?: string): string => {
    const found = entry[field] ?? ifAbsent;
    if (typeof found === "string" && isRight(found)) return found;
    complain(`${who}: ${field} is ${found === undefined ? "missing" : "wrong"}: it must be ${wanted}`);
    return "";
  };
  for (const field of Object.keys(entry).filter((field) => !known.has(field))) {
    complain(`${who}: ${field} is not known: use ${[...known].join(", ")}`);
  }
  const optional = <K extends string>(field: K, wanted: string, isRight: (text: string) => boolean) =>
    (entry[field] === undefined ? {} : { [field]: text(field, wanted, isRight) }) as { readonly [F in K]?: string };
  const idle = settingsWithoutSay(entry.settings);
  const name = text("name", "an EKS cluster's name", isClusterName);
  const endpoint = text("endpoint", "the API server's URL", URL.canParse);
  const plain = endpoint.startsWith("http:");
  return {
    name,
    region: text("region", "an AWS region", (found) => /^[a-z0-9-]+$/.test(found), given.region),
    server: text("server", "the API server's URL, https unless on loopback: tokens go to it", isSafe, endpoint),
    endpoint,
    caBundle: text("caBundle", "the CA's PEM in base64", isPem, plain ? "" : undefined),
    ...optional("token", "a bearer token", (found) => found !== ""),
    serviceCidr: text("serviceCidr", "the service CIDR, e.g. 10.100.0.0/16", isCidr, "10.100.0.0/16"),
    ...optional("kubernetesVersion", 'a version such as "1.34", or left out', (found) => /^1\.\d+$/.test(found)),
    ...optional("dnsAddress", "an IP address", (found) => /^[0-9a-f.:]+$/i.test(found)),
    ...optional("roleArn", "the ARN of an IAM role", isRoleArn),
    ...(idle.length === 0 ? {} : { settingsWithoutSay: idle }),
    settings: {
      ...clusterSettingsFrom(entry.settings, given.defaults, (problem) => complain(`${who}: ${problem}`)),
      clusterName: name,
      clusterEndpoint: endpoint,
    },
  };
}

function isClusterName(value: unknown): value is string {
  return typeof value === "string" && /^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$/.test(value);
}

function isSafe(url: string): boolean {
  return URL.canParse(url) && (new URL(url).protocol === "https:" || isOnLoopback(url));
}

function isPem(text: string): boolean {
  return text === "" || Buffer.from(text, "base64").toString("latin1").startsWith("-----BEGIN CERTIFICATE-----");
}

function isRoleArn(text: string): boolean {
  return /^arn:[a-z-]+:iam::\d{12}:role\/\S+$/.test(text);
}

function isCidr(text: string): boolean {
  return /^[0-9a-f.:]+\/\d{1,3}$/i.test(text);
}
