// The embedded Kubernetes API: enough of kube-apiserver for kubectl, for client libraries and for our own Lambdas, in this
// process and on loopback. Karpenter has no such part; its tests start a real control plane (envtest). We do that too, in
// test/cluster, and one HTTP suite (test/contracts/kube-api) holds this one to the real one.
// This file is the public interface: built-in controllers of the embedded world use `ObjectStore` without HTTP.

export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [field: string]: Json };

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  // biome-ignore lint/suspicious/noExplicitAny: opaque bookkeeping that only server-side apply reads
  managedFields?: any[];
}

/**
 * Any object. What the store returns is frozen and shared: copy it (`structuredClone`) before changing it.
 * Fields below metadata are untyped, as the set of kinds is open; callers narrow them.
 */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  // biome-ignore lint/suspicious/noExplicitAny: the set of kinds is open (custom resources), so fields have no static type
  [field: string]: any;
}

/** Which objects: the plural and its group, as kubectl prints it: "pods", "deployments.apps", "nodeclaims.karpenter.sh". */
export type ResourceName = string;

export interface ObjectKey {
  name: string;
  /** Left out for cluster-scoped kinds. */
  namespace?: string;
}

export interface ListOptions {
  /** Left out: every namespace. */
  namespace?: string;
  /** "a=b,c!=d,e in (f,g),!h" */
  labelSelector?: string;
  /** "metadata.name=x,spec.nodeName=y,status.phase!=Running"; fields depend on the kind. */
  fieldSelector?: string;
}

export interface ObjectList {
  items: readonly KubeObject[];
  /** The store's revision when the list was made: the place to watch from. */
  resourceVersion: string;
}

export interface WatchOptions extends ListOptions {
  /** Events after this revision; throws Expired (410) if it is no longer in the history. Left out: from now on. */
  resourceVersion?: string;
  /** First an ADDED event for each object there is, then a BOOKMARK event. Default false. */
  sendInitial?: boolean;
}

export interface WatchEvent {
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  /** For BOOKMARK only metadata.resourceVersion is meant. */
  object: KubeObject;
  /** The revision of this event. */
  resourceVersion: string;
}

export interface WriteOptions {
  /** Who writes, for managedFields. Default "embedded". */
  fieldManager?: string;
  /** Validate and default, change nothing. */
  dryRun?: boolean;
  /** Ignore: drop unknown fields; Warn: drop and report; Strict: refuse. Default Ignore in process, Warn over HTTP. */
  fieldValidation?: "Ignore" | "Warn" | "Strict";
  /** Gets each warning that kube-apiserver would send as a Warning header. */
  onWarning?: (text: string) => void;
}

export interface UpdateOptions extends WriteOptions {
  /** "status" writes only the status (and metadata as the API server allows), "" or absent only the rest. */
  subresource?: "" | "status";
}

export type PatchType = "json" | "merge" | "strategic" | "apply";

export interface PatchOptions extends UpdateOptions {
  /** Server-side apply only: take fields from other managers. */
  force?: boolean;
}

export interface DeleteOptions {
  gracePeriodSeconds?: number;
  propagationPolicy?: "Background" | "Foreground" | "Orphan";
  preconditions?: { uid?: string; resourceVersion?: string };
  dryRun?: boolean;
}

/**
 * The objects, synchronously. Every function throws `ApiError` (status.ts) with kube-apiserver's code and reason:
 * NotFound, AlreadyExists, Conflict, Invalid, BadRequest, Expired, TooManyRequests …
 */
export interface ObjectStore {
  get(resource: ResourceName, key: ObjectKey): KubeObject;
  /** Like get, without throwing NotFound. */
  find(resource: ResourceName, key: ObjectKey): KubeObject | undefined;
  list(resource: ResourceName, options?: ListOptions): ObjectList;
  /** The server fills in uid, creationTimestamp, resourceVersion, generation, defaults and the name after generateName. */
  create(resource: ResourceName, object: KubeObject, options?: WriteOptions): KubeObject;
  /** With metadata.resourceVersion: only if unchanged (Conflict otherwise). Without: last write wins, as for the API server. */
  update(resource: ResourceName, object: KubeObject, options?: UpdateOptions): KubeObject;
  /** Read, change a private copy, write back with its resourceVersion. The edit may not be asynchronous. */
  modify(
    resource: ResourceName,
    key: ObjectKey,
    edit: (draft: KubeObject) => void,
    options?: UpdateOptions,
  ): KubeObject;
  patch(resource: ResourceName, key: ObjectKey, type: PatchType, body: Json, options?: PatchOptions): KubeObject;
  /**
   * Starts deletion: with finalizers, or for a bound pod with a grace period, the object stays with a deletionTimestamp.
   * The kubelet ends a pod with gracePeriodSeconds 0. Returns the object as it last was.
   */
  delete(resource: ResourceName, key: ObjectKey, options?: DeleteOptions): KubeObject;
  /** Binds a pod to a node (pods/binding); Conflict if it is already bound. */
  bind(pod: ObjectKey, nodeName: string): void;
  /** Evicts a pod within its PodDisruptionBudgets; TooManyRequests (429) when a budget is used up. */
  evict(pod: ObjectKey, options?: DeleteOptions): void;
  /**
   * Calls back for each change, in order of revision, always in a microtask after the write (never inside the writer's call).
   * Returns the function that ends the watch. An object that begins or ceases to match the selectors is ADDED or DELETED.
   */
  watch(resource: ResourceName, options: WatchOptions, onEvent: (event: WatchEvent) => void): () => void;
  /** The newest revision of the store. */
  resourceVersion(): string;
}

/** Time for objects' timestamps, in epoch milliseconds. It may be scaled or virtual. */
export interface WorldClock {
  now(): number;
}

export interface WorldIds {
  /** A new RFC 4122 UUID. */
  uid(): string;
  /** Five characters for generateName, of the alphabet that Kubernetes uses. */
  nameSuffix(): string;
}

export interface ApiServerOptions {
  clock: WorldClock;
  ids: WorldIds;
  /** The bearer token that HTTP requests must bring. Default: one by chance, that `kubeconfig()` tells. */
  token?: string;
  /** How many events are kept for watches that resume, over all kinds. Default 10,000. */
  historyEvents?: number;
}

export interface Kubeconfig {
  /** YAML text for a file that kubectl reads. */
  yaml: string;
  server: string;
  token: string;
  /** The server's own certificate in PEM, to be trusted as certificate authority. kubectl sends tokens over TLS only. */
  ca: string;
}

export interface ApiServer {
  readonly store: ObjectStore;
  /** Listens on 127.0.0.1; port 0 picks a free one. Returns the base URL. Rejects if the port is in use. */
  listen(port?: number): Promise<{ url: string; port: number }>;
  /** Ends all watches and closes the port. */
  close(): Promise<void>;
  /** Throws before listen. */
  kubeconfig(): Kubeconfig;
}
