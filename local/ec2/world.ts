// The state behind the endpoint. Actions read and change it; nothing here knows of HTTP.
import type { Image, RequestLaunchTemplateData } from "@aws-sdk/client-ec2";
import type { Capacity } from "./capacity.ts";
import type { CapacityType, Catalog, PoolName } from "./catalog.ts";
import type { Ec2Event, InstanceState } from "./events.ts";
import type { Network } from "./network.ts";
import type { Quotas } from "./quotas.ts";
import type { Tags } from "./tags.ts";
import type { Timeline } from "./timeline.ts";

export interface Settings {
  /** From launch to running. */
  pendingMs: number;
  /** From TerminateInstances to terminated. */
  shuttingDownMs: number;
  /** How long a new instance stays unknown to every action but its own CreateFleet. */
  visibleAfterMs: number;
  /** How long a terminated instance is still described; AWS says about an hour. */
  terminatedVisibleMs: number;
  /** From the interruption warning to the termination; AWS promises two minutes. */
  interruptionNoticeMs: number;
  /** How long a client token is remembered. */
  tokenLifetimeMs: number;
  /** What CreateFleet answers to a repeated token: the first answer, or one without instances and errors (AWS promises only that nothing more is launched). */
  replay: "same" | "no-instances";
  /** Names of the instance profiles that exist; undefined lets every name pass. */
  instanceProfiles: readonly string[] | undefined;
}

export const defaultSettings: Settings = {
  pendingMs: 6_000,
  shuttingDownMs: 20_000,
  visibleAfterMs: 0,
  terminatedVisibleMs: 3_600_000,
  interruptionNoticeMs: 120_000,
  tokenLifetimeMs: 24 * 3_600_000,
  replay: "same",
  instanceProfiles: undefined,
};

/** Instances that are paid for and kept, for one type in one zone. */
export interface CapacityReservation {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly total: number;
  used: number;
}

export interface Instance {
  readonly id: string;
  /** Launch order; also the order of pages. */
  readonly sequence: number;
  readonly reservationId: string;
  readonly pool: PoolName;
  readonly subnetId: string;
  readonly vpcId: string;
  readonly securityGroupIds: readonly string[];
  readonly address: { readonly offset: number; readonly address: string };
  readonly imageId: string;
  readonly architecture: string;
  /** The launch template merged with the override: user data, profile, metadata options and so on. */
  readonly launch: RequestLaunchTemplateData;
  readonly clientToken: string | undefined;
  readonly spotRequestId: string | undefined;
  /** The reservation whose capacity it holds; undefined: that of its pool. */
  readonly reservation: CapacityReservation | undefined;
  readonly launchedAt: number;
  state: InstanceState;
  stateReason: { readonly Code: string; readonly Message: string } | undefined;
  terminatedAt: number | undefined;
  /** When a warned spot instance will be terminated. */
  interruptedAt: number | undefined;
}

export interface LaunchTemplateVersionRecord {
  readonly number: number;
  readonly createdAt: number;
  readonly description: string | undefined;
  readonly content: RequestLaunchTemplateData;
}

export interface LaunchTemplateRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly versions: LaunchTemplateVersionRecord[];
  defaultVersion: number;
}

/** A remembered client token: the request that used it, and what it was answered. */
export interface TokenRecord {
  readonly request: string;
  readonly answer: unknown;
  readonly at: number;
}

export interface World {
  readonly clock: { now(): number };
  readonly newId: (prefix: string) => string;
  /** Grows by one at each instance. */
  readonly nextSequence: () => number;
  readonly accountId: string;
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly capacity: Capacity;
  readonly network: Network;
  readonly quotas: Quotas;
  readonly timeline: Timeline;
  readonly tags: Tags;
  readonly images: Map<string, Image>;
  readonly templates: Map<string, LaunchTemplateRecord>;
  readonly instances: Map<string, Instance>;
  readonly tokens: Map<string, TokenRecord>;
  readonly reservations: ReadonlyMap<string, CapacityReservation>;
  readonly vcpusInUse: Map<string, number>;
  readonly emit: (event: Ec2Event) => void;
}

/** The two words that EC2 uses: an instance's lifecycle field is absent when it is on demand. */
export function lifecycleOf(capacityType: CapacityType): "spot" | undefined {
  return capacityType === "spot" ? "spot" : undefined;
}
