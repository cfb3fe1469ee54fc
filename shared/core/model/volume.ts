import type { NodeSelectorTerm } from "./pod.ts";
import type { RequirementSpec } from "./requirement.ts";

/** A claim on storage, as far as it decides where pods can run. */
export interface PersistentVolumeClaim {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** Undefined: left to the cluster's default class. "": of no class, so that only a volume made by hand can serve it. */
  readonly storageClassName?: string;
  /** The volume that it is bound to, or shall be. */
  readonly volumeName?: string;
  /** Its volume is gone for good. */
  readonly lost: boolean;
  readonly deletionAtMs?: number;
  /** One pod at a time (access mode ReadWriteOncePod). */
  readonly singlePod: boolean;
  readonly accessModes: readonly string[];
  readonly requestedBytes: number;
  /** The node that kube-scheduler chose for it, while its volume is being made. */
  readonly selectedNode?: string;
  /** The pod that it was made for: of a generic ephemeral volume. */
  readonly ownerUid?: string;
}

export interface PersistentVolume {
  readonly name: string;
  readonly storageClassName: string;
  /** Zone and region labels, which volumes of before CSI say their place with. */
  readonly labels: Readonly<Record<string, string>>;
  /** OR'd terms; undefined: reachable from everywhere. */
  readonly nodeAffinity?: readonly NodeSelectorTerm[];
  /** Its CSI driver, also where the volume is still written in the in-tree way. Absent: attached by no driver. */
  readonly driver?: string;
  /** What the driver knows it by. */
  readonly handle?: string;
  /** The claim that it belongs to, as `namespace/name`. */
  readonly claim?: string;
  /** Nobody's yet. */
  readonly available: boolean;
  readonly accessModes: readonly string[];
  readonly capacityBytes: number;
  readonly deletionAtMs?: number;
}

export interface StorageClass {
  readonly name: string;
  readonly createdAtMs: number;
  /** Its CSI driver, also where the class names the in-tree one. */
  readonly driver: string;
  readonly bindingMode: "Immediate" | "WaitForFirstConsumer";
  /** OR'd terms of AND'd requirements; none: anywhere. */
  readonly allowedTopologies: readonly (readonly RequirementSpec[])[];
  readonly isDefault: boolean;
}

/** Which CSI drivers run on a node, and how many volumes each can attach there (null: it sets no bound). */
export interface CsiNode {
  readonly name: string;
  readonly attachLimits: Readonly<Record<string, number | null>>;
}
