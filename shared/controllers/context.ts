import type { ProvisioningPlan, Settings, Snapshot } from "../core/model/index.ts";
import type { CatalogSource, ClaimStore, Clock, Cloud, Cluster, Ids, Telemetry, Wakes } from "../ports/index.ts";

/** What a node's first boot needs to find its cluster. */
export interface ClusterBootstrap {
  /** `https://…`, the API server as nodes reach it. */
  readonly endpoint: string;
  /** PEM, base64. */
  readonly caBundle: string;
  /** Service CIDR, as AL2023's NodeConfig asks for it. */
  readonly serviceCidr: string;
  /** `1.34`: part of the names of EKS images. */
  readonly kubernetesVersion: string;
  /** The cluster's DNS service; undefined: derived by the image. */
  readonly dnsAddress?: string;
}

/** One cluster as a controller sees it. */
export interface ClusterContext {
  readonly name: string;
  readonly region: string;
  readonly cluster: Cluster;
  readonly cloud: Cloud;
  readonly settings: Settings;
  readonly bootstrap: ClusterBootstrap;
}

export interface Clusters {
  /** Throws an OperationError (never) for a cluster that this deployment does not serve. */
  open(name: string): Promise<ClusterContext>;
  /**
   * By name. A cluster that is wrongly described is among them. It may be minutes old, unless it is to be `fresh`: then
   * what is not in it is not served.
   */
  list(options?: { readonly fresh?: boolean }): Promise<readonly ListedCluster[]>;
}

export interface ListedCluster {
  readonly name: string;
  readonly region: string;
}

/** Everything outside that controllers use. One composition root builds it. */
export interface ControllerPorts {
  readonly clusters: Clusters;
  /**
   * The cloud of an account and region, as far as they are given; else the deployment's own. Interrupted instances are
   * looked up there, before it is known whose they are.
   */
  cloudAt(place: { readonly account?: string | undefined; readonly region?: string | undefined }): Promise<Cloud>;
  readonly store: ClaimStore;
  readonly catalog: CatalogSource;
  readonly wakes: Wakes;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly telemetry: Telemetry;
}

/** The pure decisions that the controllers drive, handed in so that a run can be replayed with another. */
export interface Planners {
  /** `planProvisioning` of shared/core/provisioning. */
  readonly provisioning: (snapshot: Snapshot) => ProvisioningPlan;
}

export interface ControllerSettings {
  /** Names this deployment in EC2 tags; instances of others are never touched. */
  readonly deployment: string;
}

/** Of the controllers that plan; the others are bundled without any planner. */
export interface PlanningSettings extends ControllerSettings {
  readonly planners: Planners;
}
