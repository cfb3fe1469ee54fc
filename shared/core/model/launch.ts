import type { CapacityType } from "./instance-type.ts";
import type { BlockDevice, NodeClass } from "./node-class.ts";

/** One override of a CreateFleet request: a capacity pool reached through a subnet. */
export interface LaunchOverride {
  readonly instanceType: string;
  readonly zone: string;
  readonly subnetId: string;
  readonly imageId: string;
  /** Lower is tried first where the strategy honours it. */
  readonly priority?: number;
  readonly priceMicroUsd: number;
}

export interface LaunchTemplate {
  /** Derived from the content's hash, so that the same content is the same template. */
  readonly name: string;
  readonly imageId: string;
  readonly userData: string;
  readonly securityGroupIds: readonly string[];
  readonly instanceProfile?: string;
  readonly blockDevices: readonly BlockDevice[];
  readonly metadataOptions: NodeClass["metadataOptions"];
  readonly detailedMonitoring: boolean;
  readonly associatePublicIpAddress?: boolean;
  /** Instances go into this reservation only. */
  readonly capacityReservationId?: string;
  /** Set for reservations that are bought in a market of their own. */
  readonly marketType?: "capacity-block" | "interruptible-capacity-reservation";
  readonly tags: Readonly<Record<string, string>>;
}

/** The sealed request: what is sent to EC2, byte for byte the same at every repetition. */
export interface FleetRequest {
  readonly clientToken: string;
  readonly count: number;
  readonly capacityType: CapacityType;
  /**
   * How EC2 chooses among the overrides: by price and depth of the pool (spot) or by price (the others). Where NodeOverlays
   * changed prices, EC2 does not know them: then by the overrides' priorities.
   */
  readonly allocationStrategy:
    | "price-capacity-optimized"
    | "lowest-price"
    | "capacity-optimized-prioritized"
    | "prioritized";
  readonly templates: readonly LaunchTemplate[];
  readonly overrides: readonly (LaunchOverride & { readonly template: string })[];
  /** Tags of the instances at birth: deployment, epoch, launch id, cluster, pool. */
  readonly tags: Readonly<Record<string, string>>;
}

/** A launch item: written before anything is sent, so that a crash repeats the same request. */
export interface Launch {
  readonly id: string;
  readonly version: number;
  readonly request: FleetRequest;
  /** Names of the claims that share it, in order; instance ids, sorted, are paired with them in this order. */
  readonly claims: readonly string[];
  readonly sealedAtMs: number;
  /** Never sent at or after this time. */
  readonly sendBeforeMs: number;
  /** When a look-up by launch tag first found fewer instances than there are claims, and nothing said why. */
  readonly emptyLookupAtMs?: number;
  readonly settledAtMs?: number;
}

/** An instance as EC2 describes it. */
export interface CloudInstance {
  readonly id: string;
  readonly state: "pending" | "running" | "shutting-down" | "terminated" | "stopping" | "stopped";
  readonly instanceType: string;
  readonly zone: string;
  readonly zoneId?: string;
  readonly capacityType: CapacityType;
  readonly imageId?: string;
  readonly subnetId?: string;
  readonly privateDnsName?: string;
  readonly launchedAtMs: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** Why EC2 refused a pool or a request. */
export interface LaunchRefusal {
  readonly kind: "no-capacity" | "no-addresses" | "quota" | "unauthorized" | "bad-request" | "other";
  readonly code: string;
  readonly message: string;
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: CapacityType;
  readonly subnetId?: string;
  /** The reservation that was asked for. */
  readonly reservationId?: string;
}
