import type { CapacityBuffer } from "./capacity-buffer.ts";
import type { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from "./device.ts";
import type { Catalog, RefusedOffering } from "./instance-type.ts";
import type { Node } from "./node.ts";
import type { NodeClaim } from "./node-claim.ts";
import type { NodeClass } from "./node-class.ts";
import type { NodeOverlay } from "./node-overlay.ts";
import type { NodePool } from "./node-pool.ts";
import type { Command, Placement } from "./plan.ts";
import type { DaemonSet, Pod, PodDisruptionBudget } from "./pod.ts";
import type { ReservationCount } from "./reservation.ts";
import type { Settings } from "./settings.ts";
import type { CsiNode, PersistentVolume, PersistentVolumeClaim, StorageClass } from "./volume.ts";

/** What a claim's names, tags and tokens are made from. */
export interface Head {
  /** Grows by one at each commit; commits are conditional on it. */
  readonly seq: number;
  /** New after recovery or adoption, so that names are never reused. */
  readonly epoch: string;
  readonly clusterUid: string;
}

/** An object that could not be read: named, reported, and in nobody's way. */
export interface UnreadableObject {
  readonly kind: string;
  readonly name: string;
  readonly field: string;
  readonly message: string;
}

/** What the cluster's API server shows. */
export interface ClusterView {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly daemonSets: readonly DaemonSet[];
  readonly nodePools: readonly NodePool[];
  readonly nodeClasses: readonly NodeClass[];
  readonly podDisruptionBudgets: readonly PodDisruptionBudget[];
  readonly namespaces: readonly { readonly name: string; readonly labels: Readonly<Record<string, string>> }[];
  /** Storage: read only where a pod that needs a place has volumes; all four are empty otherwise. */
  readonly persistentVolumeClaims: readonly PersistentVolumeClaim[];
  readonly persistentVolumes: readonly PersistentVolume[];
  readonly storageClasses: readonly StorageClass[];
  readonly csiNodes: readonly CsiNode[];
  /** Devices: read only where a pod that needs a place has resource claims and they are planned with; else empty. */
  readonly resourceClaims: readonly ResourceClaim[];
  readonly resourceClaimTemplates: readonly ResourceClaimTemplate[];
  readonly deviceClasses: readonly DeviceClass[];
  readonly resourceSlices: readonly ResourceSlice[];
  /** These two are read only where Karpenter's feature gate for them is on; empty otherwise. */
  readonly nodeOverlays: readonly NodeOverlay[];
  readonly capacityBuffers: readonly CapacityBuffer[];
  readonly unreadable: readonly UnreadableObject[];
  /** Highest resourceVersion seen. */
  readonly resourceVersion: string;
}

/** Everything that one run may know. A plan is a pure function of it. */
export interface Snapshot extends ClusterView {
  readonly nowMs: number;
  readonly head: Head;
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly claims: readonly NodeClaim[];
  /** Live nominations of earlier plans, on nodes and on claims in flight. */
  readonly placements: readonly Placement[];
  readonly commands: readonly Command[];
  /** What is left of the reservations that node classes select. */
  readonly reservations: readonly ReservationCount[];
  /** Offerings that EC2 refused lately. */
  readonly refusals: readonly RefusedOffering[];
}
