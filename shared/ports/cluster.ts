import type { ClaimPhase, ClusterView, DefaultSpread, NodeClaim, Taint } from "../core/model/index.ts";

/** A write happens only if the object is still this one, and (where given) still at this version. */
export interface Precondition {
  readonly uid: string;
  readonly resourceVersion?: string;
}

/** `changed`: the precondition failed or the object is gone; look again. */
export type WriteOutcome = "done" | "changed" | "gone";

export interface NodePatch {
  /** Added or replaced; null removes. */
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
  /** The whole new list. Needs a resourceVersion in the precondition. */
  readonly taints?: readonly Taint[];
  readonly cordoned?: boolean;
  /** The whole new list. Needs a resourceVersion in the precondition. */
  readonly finalizers?: readonly string[];
  /** The NodeClaim custom resource that owns the node: added to its owner references, with blockOwnerDeletion. */
  readonly owner?: { readonly name: string; readonly uid: string };
}

/** `blocked`: a disruption budget refuses for now. `misconfigured`: it always will (two budgets on one pod). */
export interface EvictionOutcome {
  readonly kind: "evicted" | "gone" | "blocked" | "misconfigured";
  readonly message?: string;
}

/** A NodeClaim custom resource as found: the mirror of a record, or something that people made. */
export interface ClaimMirror {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly deletionAtMs?: number;
  readonly finalizers: readonly string[];
  /** The record's version that was last mirrored (an annotation of ours). */
  readonly mirroredVersion?: number;
  readonly lastPodEventAtMs?: number;
}

export interface KubeEvent {
  /** Same key: one Event with the latest words, counted, not repeated. */
  readonly key: string;
  readonly kind: "Pod" | "Node" | "NodeClaim" | "NodePool" | "EC2NodeClass";
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** Of what stands for long: in the same words it is said again no sooner than this after the last time, whoever said it. */
  readonly repeatAfterMs?: number;
}

/** Kinds whose status is ours to write. */
export type ConditionedKind = "NodePool" | "EC2NodeClass" | "NodeOverlay" | "CapacityBuffer";

export interface StatusCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/**
 * The Kubernetes cluster, whatever is behind it. Reads give model nouns; writes are data with preconditions and may be
 * repeated. Failures are OperationErrors.
 */
export interface Cluster {
  /**
   * Everything a plan needs, as fresh as `atLeast` (a resourceVersion) where given; pods are read last, in one list.
   * `pods: false` says that the caller has no use for pods: they may be left out. Storage objects may be left out too where
   * no pod without a node has volumes, nor one on `leavingNodes` (names of nodes whose pods need another place). Likewise
   * what devices are claimed and there, which is read only with `devices`. With `defaultSpread` pods that have no spread of
   * their own are shown with these, counted by what Services and workloads select them.
   */
  read(options?: {
    atLeast?: string;
    pods?: boolean;
    leavingNodes?: ReadonlySet<string>;
    overlays?: boolean;
    buffers?: boolean;
    devices?: boolean;
    defaultSpread?: readonly DefaultSpread[];
  }): Promise<ClusterView>;
  /** One node by name, or by provider id: a name that it is thought to have makes that cheap, and may be wrong. */
  findNode(
    by: { providerId: string; name?: string | undefined } | { name: string },
  ): Promise<ClusterView["nodes"][number] | undefined>;
  /** Pods bound to a node, in every phase. */
  podsOn(nodeName: string): Promise<ClusterView["pods"]>;
  listClaimMirrors(): Promise<readonly ClaimMirror[]>;
  /** Creates or updates the custom resource of a record (metadata, spec at creation, status always). */
  mirrorClaim(claim: NodeClaim, phase: ClaimPhase): Promise<{ uid: string }>;
  /** Removes our finalizer and deletes the custom resource, if it is that one. */
  releaseClaim(name: string, precondition: Precondition): Promise<WriteOutcome>;
  patchNode(name: string, precondition: Precondition, patch: NodePatch): Promise<WriteOutcome>;
  deleteNode(name: string, precondition: Precondition): Promise<WriteOutcome>;
  /** Through the eviction API, so that disruption budgets count. `gracePeriodMs` shortens the pod's own, never lengthens it. */
  evictPod(pod: { namespace: string; name: string; uid: string }, gracePeriodMs?: number): Promise<EvictionOutcome>;
  /** Past a deadline: deletes without asking budgets. */
  deletePod(pod: { namespace: string; name: string; uid: string }, gracePeriodMs: number): Promise<WriteOutcome>;
  /** Puts our finalizer on an EC2NodeClass, so that its deletion waits for `releaseNodeClass`. Nothing is written if it is there. */
  holdNodeClass(name: string, precondition: Precondition): Promise<WriteOutcome>;
  /** Takes our finalizer off: a class that is being deleted goes. */
  releaseNodeClass(name: string, precondition: Precondition): Promise<WriteOutcome>;
  /** Sets conditions, and fields of the status to what is given; null takes a field away. Nothing is written if nothing changes. */
  setConditions(
    object: { kind: ConditionedKind; namespace?: string; name: string; uid: string },
    conditions: readonly StatusCondition[],
    status?: Readonly<Record<string, unknown>>,
  ): Promise<WriteOutcome>;
  publish(event: KubeEvent): Promise<void>;
}
