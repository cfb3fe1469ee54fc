import type { AwsCredentials } from "../adapters/aws/index.ts";
import { ConfigError, type Environment } from "./variables.ts";

/** Fetches the keys that requests are signed with. */
export type FetchKeys = () => Promise<AwsCredentials>;

/** The keys of the function's own role, where a Lambda finds them. Rejects with a ConfigError where there are none. */
export function environmentKeys(env: Environment): FetchKeys {
  return async () => {
    const {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
    } = env;
    if (accessKeyId === undefined || secretAccessKey === undefined) {
      throw new ConfigError([
        "there are no AWS keys to make a cluster's token with: run with a role, or give the cluster a token",
      ]);
    }
    return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  };
}
