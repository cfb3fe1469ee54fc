import { type AwsCredentials, assumedRole, type EndpointOptions } from "../adapters/aws/index.ts";
import type { Clock, Cloud, Telemetry } from "../ports/index.ts";
import type { ClusterSource } from "./cluster-source.ts";
import type { Config, Endpoints } from "./config.ts";
import { lazyCloud } from "./connections.ts";
import { environmentKeys, type FetchKeys } from "./keys.ts";
import { measuredCloud } from "./measured-cloud.ts";
import type { Environment } from "./variables.ts";

/** Where a service is for this deployment, and who asks it. */
export function endpointOf(config: Config, service: keyof Endpoints): EndpointOptions {
  const { region, endpoints, credentials, functionName: caller } = config;
  const endpoint = endpoints[service];
  return {
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(caller === undefined ? {} : { caller }),
  };
}

/** The function's own role, and the roles of clusters in other accounts. */
export interface AwsAccess {
  keysOf(roleArn: string | undefined): FetchKeys;
  /** EC2 of a region under a role. The same object for the same place, so that its connections are kept. */
  cloudOf(region: string, roleArn?: string): Cloud;
}

export function createAwsAccess(
  config: Config,
  env: Environment,
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Telemetry },
): AwsAccess {
  const ownKeys = environmentKeys(env);
  const roles = new Map<string, () => Promise<AwsCredentials>>();
  const clouds = new Map<string, Cloud>();

  function roleKeys(roleArn: string): FetchKeys {
    const sessionName = config.functionName ?? config.serviceName;
    const keys = roles.get(roleArn) ?? assumedRole({ ...endpointOf(config, "sts"), roleArn, sessionName, clock });
    roles.set(roleArn, keys);
    return keys;
  }

  return {
    keysOf: (roleArn) => (roleArn === undefined ? ownKeys : roleKeys(roleArn)),
    cloudOf(region, roleArn) {
      const place = `${region} ${roleArn ?? ""}`;
      const credentials = roleArn === undefined ? {} : { credentials: roleKeys(roleArn) };
      const there = clouds.get(place);
      if (there !== undefined) return there;
      const cloud = lazyCloud({ ...endpointOf(config, "ec2"), region, ...credentials }, clock);
      const measured = measuredCloud(cloud, { clock, telemetry });
      clouds.set(place, measured);
      return measured;
    },
  };
}

/**
 * The cloud of an account and region: under the role of a cluster in that account where there is one, best of the same
 * region; else the function's own account is meant.
 */
export function cloudFinder({ cloudOf }: AwsAccess, source: ClusterSource, home: string) {
  return async (place: {
    readonly account?: string | undefined;
    readonly region?: string | undefined;
  }): Promise<Cloud> => {
    const region = place.region ?? home;
    const inAccount = place.account === undefined ? [] : (await source.list()).filter(isIn(place.account));
    const cluster = inAccount.find((candidate) => candidate.region === region) ?? inAccount[0];
    return cloudOf(region, cluster?.roleArn);
  };
}

/** An ARN's fifth part is the account. */
function isIn(account: string) {
  return ({ roleArn }: { readonly roleArn?: string }) => roleArn?.split(":")[4] === account;
}
