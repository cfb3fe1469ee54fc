import { type AwsCredentials, assumedRole, translate } from "../../shared/adapters/aws/index.ts";
import { createDynamoClaimStore, createDynamoClient, createRegistry } from "../../shared/adapters/dynamodb/index.ts";
import { createEc2Client, createEc2Cloud } from "../../shared/adapters/ec2/index.ts";
import { type KubeCluster, openKubeCluster } from "../../shared/adapters/kube/index.ts";
import { tokenConnection } from "../../shared/adapters/kube/kubeconfig.ts";
import type { ClaimStore, Clock, Cloud } from "../../shared/ports/index.ts";
import { registrySource } from "../../shared/runtime/cluster-source.ts";
import { createEksToken } from "../../shared/runtime/eks-token.ts";
import type { ServedCluster } from "../../shared/runtime/served-clusters.ts";
import { defaultSettings } from "../../shared/runtime/settings.ts";
import { InputError } from "../input-error.ts";
import type { Place } from "./place.ts";

/** What setting a cluster up speaks to. */
export interface Connected {
  readonly served: ServedCluster;
  readonly store: ClaimStore;
  readonly cloud: Cloud;
  readonly kube: KubeCluster;
  close(): void;
}

const caller = "cli";

/**
 * Finds the cluster in the deployment's registry and reaches it with the caller's own keys, wherever the SDK finds them
 * (the functions' group has no rights in a cluster before the chart is installed). Instances of another account's cluster
 * are looked for under its role. Throws InputError for a cluster that is not registered, else OperationErrors.
 */
export async function connect({ cluster, region, table: tableName }: Place, clock: Clock): Promise<Connected> {
  const client = createDynamoClient({ region, caller });
  const registry = createRegistry({ client, tableName });
  const served = await registrySource({ registry, region, defaults: defaultSettings, clock }).find(cluster);
  if (served === undefined) {
    throw new InputError(
      `cluster ${cluster} is not in the registry of table ${tableName} (${region}): add it to stacks/clusters.ts and deploy`,
    );
  }
  const ownKeys = async (): Promise<AwsCredentials> => {
    try {
      return await client.config.credentials();
    } catch (error) {
      throw translate(error, "looking for AWS credentials");
    }
  };
  const { roleArn } = served;
  const role =
    roleArn === undefined ? {} : { credentials: assumedRole({ region, caller, roleArn, sessionName: caller, clock }) };
  const ec2 = createEc2Client({ region: served.region, caller, ...role });
  return {
    served,
    store: createDynamoClaimStore({ client, tableName }),
    cloud: createEc2Cloud({ client: ec2, clock }),
    kube: openCluster(served, ownKeys, clock),
    close() {
      client.destroy();
      ec2.destroy();
    },
  };
}

/** Configured by the client library, as kubectl would be; functions have a connection of their own, which weighs less. */
function openCluster(served: ServedCluster, keys: () => Promise<AwsCredentials>, clock: Clock): KubeCluster {
  const { name, region, server, caBundle } = served;
  const fetched = createEksToken({ cluster: name, region, keys, clock });
  const connection = tokenConnection({ cluster: name, server, caBundle, token: served.token ?? fetched });
  return openKubeCluster({ connection }, { clock, forgetToken: () => fetched.forget() });
}
