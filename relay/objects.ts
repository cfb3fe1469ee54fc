// What the relay keeps of each object: what decides whom a change wakes, and what the cluster's metrics are made of. All
// else of a pod's ten kilobytes is dropped when it is read. Answers to the fields of Karpenter's informer caches and
// cluster state; on purpose no more than that, since the relay decides nothing.
import type { Budget, ConsolidationPolicy, PodPhase, Resources, Taint } from "../shared/core/model/index.ts";

/** The controller that made an object. Shared between its pods. */
export interface OwnerName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** What a pod asks for and is held to. Pods that are written alike share one object, so compare it by identity first. */
export interface PodResources {
  /** Effective requests, `pods: 1` included. */
  readonly requests: Resources;
  /** Only of the resources that are limited. */
  readonly limits: Resources;
}

export interface KeptPod {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly owner: OwnerName | undefined;
  /** Its controller is a DaemonSet. */
  readonly isDaemon: boolean;
  /** Static: run by its kubelet, mirrored to the API server. */
  readonly isStatic: boolean;
  readonly nodeName: string | undefined;
  readonly phase: PodPhase;
  readonly ready: boolean;
  /** kube-scheduler has said that no node takes it. */
  readonly unschedulable: boolean;
  /** Scheduling gates hold it back. */
  readonly gated: boolean;
  /** kube-scheduler makes room for it on a node by preemption. */
  readonly nominated: boolean;
  /** Value of the annotation karpenter.sh/do-not-disrupt. */
  readonly doNotDisrupt: string | undefined;
  readonly createdAtMs: number;
  /** When PodScheduled became True. */
  readonly scheduledAtMs: number | undefined;
  /** When its kubelet took it up (`status.startTime`). */
  readonly startedAtMs: number | undefined;
  /** Since when it is Ready; undefined: it isn't. */
  readonly readyAtMs: number | undefined;
  /** When it is due to be gone (`deletionTimestamp`); undefined: it isn't being deleted. */
  readonly deletionAtMs: number | undefined;
  readonly resources: PodResources;
}

export interface KeptNode {
  readonly uid: string;
  readonly name: string;
  readonly providerId: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** Only those of Karpenter's groups: what else is annotated changes without meaning anything to us. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly capacity: Resources;
  readonly allocatable: Resources;
  /** Without the times of heartbeats. */
  readonly conditions: readonly Condition[];
  readonly cordoned: boolean;
  readonly createdAtMs: number;
  readonly deletionAtMs: number | undefined;
}

/** A status condition of a custom resource or node. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly changedAtMs: number;
}

interface KeptResource {
  readonly uid: string;
  readonly name: string;
  /** Grows when somebody changes the specification. */
  readonly generation: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly conditions: readonly Condition[];
  readonly createdAtMs: number;
  readonly deletionAtMs: number | undefined;
}

export interface KeptNodePool extends KeptResource {
  readonly weight: number;
  readonly limits: Resources;
  /** What its nodes have, as the functions last wrote it (`status.resources`). */
  readonly usage: Resources;
  readonly nodeClassName: string;
  /** Set on static pools only. */
  readonly replicas: number | undefined;
  readonly consolidationPolicy: ConsolidationPolicy;
  /** null: never. */
  readonly consolidateAfterMs: number | null;
  readonly budgets: readonly Budget[];
}

export interface KeptNodeClass extends KeptResource {
  /** Ids of the images, subnets, security groups and reservations that its selectors found, sorted: nodes drift by them. */
  readonly resolvedIds: string;
  /** What is known of its reservations: ids with state and end, sorted. */
  readonly reservations: string;
}

export interface KeptNodeClaim extends KeptResource {
  /** Only those of Karpenter's groups and ours (`timmerman/`). */
  readonly annotations: Readonly<Record<string, string>>;
  readonly nodePool: string | undefined;
  readonly nodeName: string | undefined;
  readonly providerId: string | undefined;
  readonly lastPodEventAtMs: number | undefined;
}

export interface KeptBudget {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly generation: number;
  readonly disruptionsAllowed: number;
}

export interface KeptDaemonSet {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly generation: number;
}

export interface KeptVolumeClaim {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** Pending, Bound or Lost. */
  readonly phase: string;
}

export interface KeptOverlay {
  readonly uid: string;
  readonly name: string;
  readonly generation: number;
}

export interface KeptBuffer {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly generation: number;
  /** Name of the PodTemplate that it is counted in, in its namespace; undefined: a workload is. */
  readonly podTemplate: string | undefined;
}

export interface KeptPodTemplate {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly generation: number;
}

/** The kinds that the relay watches, by the name of their kind. */
export interface KeptObjects {
  readonly Pod: KeptPod;
  readonly Node: KeptNode;
  readonly NodePool: KeptNodePool;
  readonly EC2NodeClass: KeptNodeClass;
  readonly NodeClaim: KeptNodeClaim;
  readonly PodDisruptionBudget: KeptBudget;
  readonly DaemonSet: KeptDaemonSet;
  readonly PersistentVolumeClaim: KeptVolumeClaim;
  readonly NodeOverlay: KeptOverlay;
  readonly CapacityBuffer: KeptBuffer;
  readonly PodTemplate: KeptPodTemplate;
}

export type Kind = keyof KeptObjects;

export const kinds: readonly Kind[] = [
  "Pod",
  "Node",
  "NodePool",
  "EC2NodeClass",
  "NodeClaim",
  "PodDisruptionBudget",
  "DaemonSet",
  "PersistentVolumeClaim",
  "NodeOverlay",
  "CapacityBuffer",
  "PodTemplate",
];
