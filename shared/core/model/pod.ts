import type { PodResourceClaim } from "./device.ts";
import type { RequirementSpec } from "./requirement.ts";
import type { Resources } from "./resources.ts";
import type { Toleration } from "./taint.ts";

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";

/** The controller that made an object, from the owner reference with `controller: true`. */
export interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** One OR'd term of node affinity. `fields` are `matchFields` (only `metadata.name` exists). An empty term matches nothing. */
export interface NodeSelectorTerm {
  readonly expressions: readonly RequirementSpec[];
  readonly fields: readonly RequirementSpec[];
}

export interface PreferredTerm<T> {
  readonly weight: number;
  readonly term: T;
}

export interface LabelSelector {
  readonly matchLabels: Readonly<Record<string, string>>;
  readonly matchExpressions: readonly RequirementSpec[];
}

export interface TopologySpread {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains?: number;
  readonly whenUnsatisfiable: "DoNotSchedule" | "ScheduleAnyway";
  readonly labelSelector?: LabelSelector;
  readonly matchLabelKeys: readonly string[];
  readonly nodeAffinityPolicy: "Honor" | "Ignore";
  readonly nodeTaintsPolicy: "Honor" | "Ignore";
}

export interface PodAffinityTerm {
  readonly topologyKey: string;
  readonly labelSelector?: LabelSelector;
  readonly namespaces: readonly string[];
  /** Present (even if empty: all namespaces) when the term selects namespaces by label. */
  readonly namespaceSelector?: LabelSelector;
  readonly matchLabelKeys: readonly string[];
  readonly mismatchLabelKeys: readonly string[];
}

export interface HostPort {
  readonly hostIp: string;
  readonly protocol: string;
  readonly port: number;
}

/** A volume that may bind the pod to a place: a claim by name, or an ephemeral volume's claim template. */
export interface PodVolume {
  readonly name: string;
  readonly claimName: string;
  readonly ephemeral: boolean;
  readonly storageClassName?: string;
}

/** What a scheduler needs to know of a pod's specification. Shared by pods and by DaemonSets' templates. */
export interface PodSpec {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Effective requests: init containers, sidecars, overhead, pod level, limits where requests are absent; `pods: 1` included. */
  readonly requests: Resources;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** OR'd required terms; undefined: none asked for. */
  readonly requiredNodeAffinity?: readonly NodeSelectorTerm[];
  readonly preferredNodeAffinity: readonly PreferredTerm<NodeSelectorTerm>[];
  readonly requiredPodAffinity: readonly PodAffinityTerm[];
  readonly requiredPodAntiAffinity: readonly PodAffinityTerm[];
  readonly preferredPodAffinity: readonly PreferredTerm<PodAffinityTerm>[];
  readonly preferredPodAntiAffinity: readonly PreferredTerm<PodAffinityTerm>[];
  readonly topologySpread: readonly TopologySpread[];
  readonly tolerations: readonly Toleration[];
  /** On its node's own network. */
  readonly hostNetwork?: boolean;
  readonly hostPorts: readonly HostPort[];
  readonly volumes: readonly PodVolume[];
  /** Dynamic resource claims (`spec.resourceClaims`). */
  readonly resourceClaims: readonly PodResourceClaim[];
  readonly schedulingGates: readonly string[];
  readonly priority: number;
  readonly priorityClassName?: string;
  readonly terminationGracePeriodMs: number;
}

export interface Pod extends PodSpec {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly createdAtMs: number;
  /** When the pod is due to be gone (`deletionTimestamp`); undefined: not being deleted. */
  readonly deletionAtMs?: number;
  readonly phase: PodPhase;
  /** The node it is bound to. */
  readonly nodeName?: string;
  readonly nominatedNodeName?: string;
  /** kube-scheduler has said that no node takes it, or has said nothing yet (absent condition). */
  readonly unschedulable: boolean;
  readonly ready: boolean;
  readonly owner?: Owner;
  /** A static pod's mirror. */
  readonly mirror: boolean;
}

export interface DaemonSet {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly template: PodSpec;
}

export interface PodDisruptionBudget {
  readonly namespace: string;
  readonly name: string;
  readonly selector?: LabelSelector;
  readonly disruptionsAllowed: number;
  readonly minAvailable?: string;
  readonly maxUnavailable?: string;
  readonly unhealthyPodEvictionPolicy: "IfHealthyBudget" | "AlwaysAllow";
}
