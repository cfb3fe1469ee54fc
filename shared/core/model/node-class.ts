import type { RequirementSpec } from "./requirement.ts";
import type { CapacityReservation, ReservationTerm } from "./reservation.ts";
import type { Resources } from "./resources.ts";

export type AmiFamily = "AL2" | "AL2023" | "Bottlerocket" | "Custom" | "Windows2019" | "Windows2022" | "Windows2025";

export interface ResolvedAmi {
  readonly id: string;
  readonly name?: string;
  readonly requirements: readonly RequirementSpec[];
}

export interface ResolvedSubnet {
  readonly id: string;
  readonly zone: string;
  readonly zoneId?: string;
}

export interface BlockDevice {
  readonly deviceName?: string;
  readonly rootVolume: boolean;
  /** Rounded up to whole GiB, as EC2 takes it. Undefined: the snapshot's size. */
  readonly volumeSizeGiB?: number;
  readonly volumeType?: string;
  readonly iops?: number;
  readonly throughput?: number;
  readonly encrypted?: boolean;
  readonly kmsKeyId?: string;
  readonly snapshotId?: string;
  readonly deleteOnTermination?: boolean;
  readonly volumeInitializationRate?: number;
}

export interface KubeletSettings {
  readonly maxPods?: number;
  readonly podsPerCore?: number;
  readonly kubeReserved?: Resources;
  readonly systemReserved?: Resources;
  /** Signal → amount in bytes or "10%". */
  readonly evictionHard?: Readonly<Record<string, string>>;
  readonly evictionSoft?: Readonly<Record<string, string>>;
}

/** One way to select an EC2 object: by tags (`*` as value: any), id, name, …; the fields of one term are AND'd. */
export interface SelectorTerm {
  readonly tags?: Readonly<Record<string, string>>;
  readonly id?: string;
  readonly name?: string;
  readonly owner?: string;
  readonly alias?: string;
  readonly ssmParameter?: string;
}

/** An EC2NodeClass: what people asked for, and what was found for it (`status`). */
export interface NodeClass {
  readonly uid: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly deletionAtMs?: number;
  readonly hash: string;
  readonly amiFamily: AmiFamily;
  readonly amiSelectorTerms: readonly SelectorTerm[];
  readonly subnetSelectorTerms: readonly SelectorTerm[];
  readonly securityGroupSelectorTerms: readonly SelectorTerm[];
  readonly capacityReservationSelectorTerms: readonly ReservationTerm[];
  readonly role?: string;
  readonly instanceProfile?: string;
  readonly userData?: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly blockDevices: readonly BlockDevice[];
  readonly instanceStorePolicy?: "RAID0";
  readonly kubelet: KubeletSettings;
  readonly metadataOptions: {
    readonly httpEndpoint: "enabled" | "disabled";
    readonly httpProtocolIPv6: "enabled" | "disabled";
    readonly httpPutResponseHopLimit: number;
    readonly httpTokens: "required" | "optional";
  };
  readonly associatePublicIpAddress?: boolean;
  readonly detailedMonitoring?: boolean;
  /** From status; empty until resolved. */
  readonly resolved: {
    readonly amis: readonly ResolvedAmi[];
    readonly subnets: readonly ResolvedSubnet[];
    readonly securityGroupIds: readonly string[];
    readonly capacityReservations: readonly CapacityReservation[];
    readonly instanceProfile?: string;
  };
  /** The Ready condition; `readyMessage` says why not. */
  readonly ready: boolean;
  readonly readyMessage?: string;
}
