import type { ClusterContext, Clusters } from "../controllers/index.ts";
import type { Head } from "../core/model/index.ts";
import { type Clock, type Cloud, type Cluster, OperationError, type Telemetry } from "../ports/index.ts";
import type { ClusterSource } from "./cluster-source.ts";
import type { ServedCluster } from "./served-clusters.ts";
import { settingsAhead } from "./settings.ts";

/** A cluster that was connected to. */
export interface Connection extends Cluster {
  /** `1.34`, as the API server says. */
  readVersion(): Promise<string>;
  /** What the cluster calls itself, for as long as it lives. */
  readUid(): Promise<string>;
}

export interface ClustersOptions {
  readonly source: ClusterSource;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  cloudOf(cluster: ServedCluster): Cloud;
  connect(cluster: ServedCluster): Promise<Connection>;
  /** The head of a cluster's records; undefined: it has none, which is the controllers' to tell. */
  headOf(name: string): Promise<Pick<Head, "clusterUid"> | undefined>;
}

/** What was written about a cluster is looked at again after this. */
const recheckMs = 5 * 60_000;

/**
 * A control plane is upgraded now and then, and its nodes' images follow; and it may be another one under the same name.
 * It is asked again after this.
 */
const askAgainMs = 60 * 60_000;

interface Opened {
  readonly served: ServedCluster;
  readonly connection: Connection;
  readonly context: ClusterContext;
  readonly checkedAtMs: number;
  readonly askedAtMs: number;
}

/**
 * The clusters of a deployment. Each is connected to when it is first asked for, and again when what is written about it
 * has changed; those who ask at the same time share the work. A failure is nobody else's and is not kept. A cluster that
 * is not the one its records are about is not opened at all.
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
    if (isSame && nowMs - before.askedAtMs < askAgainMs) {
      const kept: Opened = { ...before, checkedAtMs: nowMs };
      opened.set(name, kept);
      return kept;
    }
    const [kubernetesVersion] = await Promise.all([
      served.kubernetesVersion ?? connection.readVersion(),
      requireSameCluster(name, connection),
    ]);
    const isUnchanged = isSame && before.context.bootstrap.kubernetesVersion === kubernetesVersion;
    const made: Opened = {
      served,
      connection,
      context: isUnchanged ? before.context : contextOf(served, connection, options.cloudOf(served), kubernetesVersion),
      checkedAtMs: nowMs,
      askedAtMs: nowMs,
    };
    opened.set(name, made);
    return made;
  }

  /** The records of a cluster say nothing about another that was made anew under its name: nodes of either are not to go. */
  async function requireSameCluster(name: string, connection: Connection): Promise<void> {
    const head = await options.headOf(name);
    if (head === undefined) return;
    const uid = await connection.readUid();
    if (uid === head.clusterUid) return;
    opened.delete(name);
    options.telemetry.count("timmerman_missing_heads_total", 1, { cluster: name });
    throw new OperationError(
      `cluster ${name} is not the one that its records are about: its kube-system has uid ${uid}, that of the records had ${head.clusterUid}. ` +
        "Nothing is done for it. If it was made anew, give it another name in stacks/clusters.ts; or, when no instance of the old one is left, remove the old one's items from the table; then run timmerman init",
      { retry: "never", code: "foreign-cluster" },
    );
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
