import type { ClusterContext, Clusters } from "../controllers/index.ts";
import { type Clock, type Cloud, type Cluster, OperationError, type Telemetry } from "../ports/index.ts";
import type { ServedCluster } from "./served-clusters.ts";

export interface ClustersOptions {
  readonly served: readonly ServedCluster[];
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  cloudOf(region: string): Cloud;
  connect(cluster: ServedCluster, clock: Clock, telemetry: Telemetry): Promise<Cluster>;
}

/** The clusters of a deployment; each is connected to once, when it is first asked for. */
export function createClusters(options: ClustersOptions): Clusters {
  const served = new Map(options.served.map((cluster) => [cluster.name, cluster]));
  const open = new Map<string, Promise<ClusterContext>>();

  async function connect(cluster: ServedCluster): Promise<ClusterContext> {
    const { name, region, settings, endpoint, caBundle, serviceCidr, kubernetesVersion, dnsAddress } = cluster;
    return {
      name,
      region,
      settings,
      cluster: await options.connect(cluster, options.clock, options.telemetry),
      cloud: options.cloudOf(region),
      bootstrap: {
        endpoint,
        caBundle,
        serviceCidr,
        kubernetesVersion,
        ...(dnsAddress === undefined ? {} : { dnsAddress }),
      },
    };
  }

  return {
    async open(name) {
      const cluster = served.get(name);
      if (cluster === undefined) {
        const names = [...served.keys()].join(", ") || "none";
        throw new OperationError(`cluster ${name} is not served here (TIMMERMAN_CLUSTERS lists: ${names})`, {
          retry: "never",
          code: "not-found",
        });
      }
      const context = open.get(name) ?? connect(cluster);
      open.set(name, context);
      // What failed to connect is tried again by the next who asks.
      context.catch(() => open.delete(name));
      return await context;
    },
    list: async () => [...served.keys()].sort(),
  };
}
