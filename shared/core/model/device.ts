import type { NodeSelectorTerm } from "./pod.ts";
import type { Taint, Toleration } from "./taint.ts";

/** One of a pod's `spec.resourceClaims`. */
export interface PodResourceClaim {
  readonly name: string;
  /** The ResourceClaim, also where it was made from a template (`status.resourceClaimStatuses`). */
  readonly claimName?: string;
  readonly templateName?: string;
  /** The control plane says that the pod needs none here. */
  readonly isUnneeded?: boolean;
}

/** Kubernetes' typed value; a whole number is held exactly up to 2^53. */
export type DeviceAttribute =
  | { readonly string: string }
  | { readonly int: number }
  | { readonly bool: boolean }
  | { readonly version: string };

/** A device, by names with their domain (`gpu.nvidia.com/productName`). */
export interface Device {
  readonly name: string;
  readonly attributes: Readonly<Record<string, DeviceAttribute>>;
  /** In base units: bytes. */
  readonly capacity: Readonly<Record<string, number>>;
  readonly taints: readonly Taint[];
}

/** Devices of one driver on one node. */
export interface ResourceSlice {
  readonly name: string;
  readonly driver: string;
  readonly pool: string;
  readonly generation: number;
  /** How many slices the pool has; fewer than that: it is not to be allocated from. */
  readonly slicesOfPool: number;
  /** Absent: the devices are reached from several nodes, which is not planned with. */
  readonly nodeName?: string;
  readonly devices: readonly Device[];
}

export interface DeviceClass {
  readonly name: string;
  /** CEL, all of which a device meets. */
  readonly selectors: readonly string[];
}

/** One way to meet a request. */
export interface DeviceAsk {
  readonly deviceClass: string;
  readonly selectors: readonly string[];
  /** "all": every device of the node that is selected. */
  readonly count: number | "all";
  readonly tolerations: readonly Toleration[];
  /** What of it cannot be planned with, in words that complete "the request …". */
  readonly unplanned?: string;
}

export interface DeviceRequest {
  readonly name: string;
  /** `exactly` is one; of `firstAvailable` the first that can be met counts. */
  readonly alternatives: readonly (DeviceAsk & { readonly name: string })[];
}

export interface DeviceConstraint {
  /** `request` or `request/alternative`; none: every request. */
  readonly requests: readonly string[];
  /** All devices have the same value of it. */
  readonly matchAttribute: string;
}

/** What a ResourceClaim or a template of one asks for. */
export interface DeviceDemand {
  readonly requests: readonly DeviceRequest[];
  readonly constraints: readonly DeviceConstraint[];
  /** As in DeviceAsk, to complete "the claim …". */
  readonly unplanned?: string;
}

export interface ResourceClaimTemplate {
  readonly namespace: string;
  readonly name: string;
  readonly demand: DeviceDemand;
}

export interface ResourceClaim {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly deletionAtMs?: number;
  /** The pod that it was made for, from a template. */
  readonly ownerUid?: string;
  readonly demand: DeviceDemand;
  /** Absent: it has no devices yet. */
  readonly allocation?: DeviceAllocation;
  /** Uids of pods that may use it now. */
  readonly reservedFor: readonly string[];
}

export interface DeviceAllocation {
  readonly devices: readonly { readonly driver: string; readonly pool: string; readonly device: string }[];
  /** OR'd terms: the nodes that reach the devices. Absent: every node. */
  readonly nodeSelector?: readonly NodeSelectorTerm[];
}
