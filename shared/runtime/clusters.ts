import type { ClusterContext, Clusters } from "../controllers/index.ts";
import { type Clock, type Cloud, type Cluster, OperationError, type Telemetry } from "../ports/index.ts";
import type { ClusterSource } from "./cluster-source.ts";
import type { ServedCluster } from "./served-clusters.ts";
import { settingsAhead } from "./settings.ts";

/** A cluster that was connected to. */
export interface Connection extends Cluster {
  /** `1.34`, as the API server says. */
  readVersion(): Promise<string>;
}

export interface ClustersOptions {
  readonly source: ClusterSource;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  cloudOf(cluster: ServedCluster): Cloud;
  connect(cluster: ServedCluster): Promise<Connection>;
}

/** What was written about a cluster is looked at again after this. */
const recheckMs = 5 * 60_000;

/** A control plane is upgraded now and then, and its nodes' images follow: its version is read again after this. */
const reversionMs = 60 * 60_000;

interface Opened {
  readonly served: ServedCluster;
  readonly connection: Connection;
  readonly context: ClusterContext;
  readonly checkedAtMs: number;
  readonly versionAtMs: number;
}

/**
 * The clusters of a deployment. Each is connected to when it is first asked for, and again when what is written about it
 * has changed; those who ask at the same time share the work. A failure is nobody else's and is not kept.
 */
export function createClusters(options: ClustersOptions): Clusters {
  const { source, clock } = options;
  const opened = new Map<string, Opened>();
  const underWay = new Map<string, Promise<Opened>>();

  async function renew(name: string, before: Opened | undefined): Promise<Opened> {
    const nowMs = clock.now();
    const served = await source.find(name);
    if (served === undefined) {
      opened.delete(name);
      throw new OperationError(
        `cluster ${name} is not served here: add it to ${source.place} and deploy, or stop what sends wakes for it`,
        { retry: "never", code: "not-found" },
      );
    }
    const isSame = before?.served === served;
    if (!isSame) tellOfIdleSettings(served, options.telemetry);
    const connection = isSame ? before.connection : await options.connect(served);
    const isVersionFresh =
      isSame && (served.kubernetesVersion !== undefined || nowMs - before.versionAtMs < reversionMs);
    const kubernetesVersion = isVersionFresh
      ? before.context.bootstrap.kubernetesVersion
      : (served.kubernetesVersion ?? (await connection.readVersion()));
    const made: Opened = {
      served,
      connection,
      context: isVersionFresh
        ? before.context
        : contextOf(served, connection, options.cloudOf(served), kubernetesVersion),
      checkedAtMs: nowMs,
      versionAtMs: isVersionFresh ? before.versionAtMs : nowMs,
    };
    opened.set(name, made);
    return made;
  }

  return {
    async open(name) {
      const there = opened.get(name);
      if (there !== undefined && clock.now() - there.checkedAtMs < recheckMs) return there.context;
      const renewal = underWay.get(name) ?? renew(name, there).finally(() => underWay.delete(name));
      underWay.set(name, renewal);
      return (await renewal).context;
    },
    list: (list) => source.list(list),
  };
}

function contextOf(
  served: ServedCluster,
  cluster: Connection,
  cloud: Cloud,
  kubernetesVersion: string,
): ClusterContext {
  const { name, region, settings, endpoint, caBundle, serviceCidr, dnsAddress } = served;
  return {
    name,
    region,
    settings,
    cluster,
    cloud,
    bootstrap: {
      endpoint,
      caBundle,
      serviceCidr,
      kubernetesVersion,
      ...(dnsAddress === undefined ? {} : { dnsAddress }),
    },
  };
}

function tellOfIdleSettings({ name, settings, settingsWithoutSay = [] }: ServedCluster, telemetry: Telemetry): void {
  const say = (why: string, fields: readonly string[]) => {
    if (fields.length === 0) return;
    telemetry.log("info", `cluster ${name}: without effect here, as ${why}: ${fields.join(", ")}`, { cluster: name });
  };
  say("they configure Karpenter's controller", settingsWithoutSay);
  say("they ask for what is not built yet", settingsAhead(settings));
}
