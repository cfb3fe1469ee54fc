// What users may say about their deployment and its clusters, as types. Answers to the values of Karpenter's chart.

/** A private network that functions are put into. */
export interface Vpc {
  /** Subnets of the deployment's region, with a way to AWS's APIs (NAT gateway, or endpoints of every service used). */
  readonly subnets: readonly string[];
  /** Groups that the API server's group lets in on 443; the cluster's own security group is one. */
  readonly securityGroups: readonly string[];
}

/** How the relay gets its role. */
export type RelayIdentity = "pod-identity" | "irsa";

/** Settings with Karpenter's names and textual values, as under `settings.` of its chart; absent ones are its defaults. */
export interface KarpenterSettings {
  readonly batchIdleDuration?: string;
  readonly batchMaxDuration?: string;
  readonly preferencePolicy?: "Respect" | "Ignore";
  readonly minValuesPolicy?: "Strict" | "BestEffort";
  readonly vmMemoryOverheadPercent?: number | string;
  readonly reservedENIs?: number | string;
  readonly ignoreDRARequests?: boolean;
  /** Topology spread of pods that have none: an object as in kube-scheduler's configuration, or its JSON. */
  readonly schedulerConfig?: string | Readonly<Record<string, unknown>>;
  readonly isolatedVPC?: boolean;
  readonly featureGates?: Readonly<Record<string, boolean>>;
}

export interface ClusterSpec {
  /** The EKS cluster's name. Unique in the deployment, whatever region or account it is in. */
  readonly name: string;
  readonly region: string;
  /**
   * For a cluster in another account: the ARN of a role there that `sst deploy` assumes to make rules, access entries and
   * roles. It is not the role of the functions, which is made by the deployment and can do less.
   */
  readonly accountRole?: string;
  /** `public`: functions reach the API server over the internet. `private`: they are put into `vpc`. */
  readonly endpointAccess: "public" | "private";
  /** For private endpoints only, and the same for all of them: a function is in one network. */
  readonly vpc?: Vpc;
  /** `pod-identity` needs the EKS Pod Identity agent in the cluster; `irsa` an IAM OIDC provider for it. */
  readonly identity: RelayIdentity;
  /** Names of the IAM roles that nodes may have (`spec.role` of EC2NodeClasses). Functions can give instances no other. */
  readonly nodeRoles: readonly string[];
  /**
   * Instance profiles named like the node roles: `create` (default) makes them, `exist` leaves them alone. A role that was
   * made for EC2 in AWS's console has one already.
   */
  readonly instanceProfiles?: "create" | "exist";
  /** Address of the cluster's DNS service, where images cannot derive it from the service addresses. */
  readonly dnsAddress?: string;
  readonly settings?: KarpenterSettings;
}

export interface Deployment {
  /** Where functions, table and queues are. Clusters may be in any region. */
  readonly region: string;
  /** SNS topic that alarms are sent to; without one they are only seen in CloudWatch. */
  readonly alarmTopic?: string;
  /**
   * The organization (`o-…`) that the accounts of clusters elsewhere are in. Policies of queues, table and bus then name it
   * instead of each account, of which they take some forty. Relays and events of any account in it are let in then.
   */
  readonly organization?: string;
  /** CloudWatch metrics and a dashboard of single clusters, which are billed one by one (docs/monitoring.md). Default true. */
  readonly metricsPerCluster?: boolean;
  /** Alarms for each cluster too, beside those of all together; each costs (docs/monitoring.md). Default false. */
  readonly alarmsPerCluster?: boolean;
  /** Stages whose table cannot be deleted and whose data stays when the stage is removed. Default: `production`. */
  readonly productionStages?: readonly string[];
  /** Default `INFO`. */
  readonly logLevel?: "DEBUG" | "INFO" | "WARN" | "ERROR";
  /** Default `1 month`. */
  readonly logRetention?: "1 day" | "3 days" | "1 week" | "2 weeks" | "1 month" | "3 months" | "1 year";
  /** X-Ray traces of every function; default true. */
  readonly tracing?: boolean;
  /**
   * Reserves the one execution that the tick needs, so that others of the account can't take it; default true. An account
   * whose Lambda quota is still 10 has none to reserve: set it to false there.
   */
  readonly reserveConcurrency?: boolean;
}

/** What stacks/clusters.ts says. */
export interface Given {
  readonly deployment: Deployment;
  readonly clusters: readonly ClusterSpec[];
}

export function isPrivate(cluster: ClusterSpec): boolean {
  return cluster.endpointAccess === "private";
}

/** The account of a cluster in another account; undefined for those of the deployment's own. */
export function foreignAccountOf(cluster: ClusterSpec): string | undefined {
  return cluster.accountRole?.split(":")[4];
}

export function isProduction(deployment: Deployment, stage: string): boolean {
  return (deployment.productionStages ?? ["production"]).includes(stage);
}

/** Roles that nodes of these clusters may have, each once, in order. */
export function nodeRolesOf(clusters: readonly ClusterSpec[]): readonly string[] {
  return [...new Set(clusters.flatMap(({ nodeRoles }) => nodeRoles))].sort();
}
