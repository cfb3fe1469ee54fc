import type { Resources } from "./resources.ts";

export type CapacityType = "on-demand" | "spot" | "reserved";

/** One place and way to buy an instance type. */
export interface Offering {
  readonly zone: string;
  readonly zoneId: string;
  readonly capacityType: CapacityType;
  /** USD an hour × 10^6. */
  readonly priceMicroUsd: number;
  /** False while EC2 is known to refuse it. */
  readonly available: boolean;
  readonly reservationId?: string;
  /** Instances left in the reservation. */
  readonly reservationCount?: number;
  /** Absent: default. */
  readonly reservationType?: "default" | "capacity-block";
  /** Absent: false. */
  readonly reservationInterruptible?: boolean;
}

export interface InstanceType {
  readonly name: string;
  /** Well-known labels and their possible values (zone and capacity type: those of its offerings). */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  readonly capacity: Resources;
  /** capacity − kube-reserved − system-reserved − hard eviction threshold. */
  readonly allocatable: Resources;
  readonly offerings: readonly Offering[];
  /** What NodeOverlays changed; absent: nothing. */
  readonly overlaid?: { readonly price: boolean; readonly capacity: boolean };
}

/** One EC2 `DescribeInstanceTypes` object, as far as we read it. */
export interface InstanceTypeDescription {
  readonly InstanceType: string;
  readonly [field: string]: unknown;
}

/** The catalog file (contracts: `timmerman plan`). Prices in USD an hour. */
export interface Catalog {
  readonly region: string;
  readonly zones: readonly { readonly name: string; readonly id: string }[];
  readonly instanceTypes: readonly InstanceTypeDescription[];
  /** Type → zones. A type without an entry is offered in every zone. */
  readonly offerings: Readonly<Record<string, readonly string[]>>;
  readonly onDemand: Readonly<Record<string, number>>;
  readonly spot: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly unavailable: readonly RefusedOffering[];
  readonly reserved: readonly {
    readonly id: string;
    readonly instanceType: string;
    readonly zone: string;
    readonly count: number;
  }[];
}

/**
 * An offering that EC2 refuses, until `untilMs` (absent: as long as the catalog says so). With a reservation it is that one's,
 * whatever others there are of the same type and zone.
 */
export interface RefusedOffering {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: CapacityType;
  readonly reservationId?: string;
  readonly untilMs?: number;
}
