// A Kubernetes cluster in memory, as far as the Cluster port sees one: versions, uids, preconditions, finalizers,
// disruption budgets. Beside the port it has hands: what people, kubelets and kube-scheduler do to objects. It runs no
// controller of its own; whoever owns the cluster moves pods and nodes along.
import {
  type CapacityBuffer,
  type ClaimPhase,
  type ClusterView,
  type DaemonSet,
  finalizers,
  type Node,
  type NodeClaim,
  type NodeClass,
  type NodeOverlay,
  type NodePool,
  type Pod,
  type PodDisruptionBudget,
  type WorkloadSelector,
} from "../../core/model/index.ts";
import { withDefaultSpread } from "../../core/provisioning/default-spread.ts";
import type { ClaimMirror, Clock, Cluster, Precondition, WriteOutcome } from "../../ports/index.ts";
import { budgetsOver, withAllowance } from "./budgets.ts";
import { check } from "./precondition.ts";
import { type Statuses, statusMethods } from "./statuses.ts";
import { createTable, type Table } from "./table.ts";

export interface StoredMirror extends ClaimMirror {
  readonly claim: NodeClaim;
  readonly phase: ClaimPhase;
}

export type StoredDaemonSet = DaemonSet & { readonly resourceVersion: string };
export type StoredBudget = PodDisruptionBudget & { readonly uid: string; readonly resourceVersion: string };

/** Kinds that decide where pods can run beside pods and nodes. */
type StorageKind = "persistentVolumeClaims" | "persistentVolumes" | "storageClasses" | "csiNodes";
type DeviceKind = "resourceClaims" | "resourceClaimTemplates" | "deviceClasses" | "resourceSlices";

/** Volumes and devices, with their claims and classes: whoever owns the cluster replaces what it holds. */
export type StoredStorage = { -readonly [K in StorageKind | DeviceKind]: ClusterView[K] };

/** Objects by name; pods, budgets and DaemonSets by `namespace/name`. */
interface Tables {
  readonly nodes: Table<Node>;
  readonly pods: Table<Pod>;
  readonly nodePools: Table<NodePool>;
  readonly nodeClasses: Table<NodeClass>;
  readonly nodeOverlays: Table<NodeOverlay>;
  readonly capacityBuffers: Table<CapacityBuffer>;
  readonly daemonSets: Table<StoredDaemonSet>;
  readonly budgets: Table<StoredBudget>;
  readonly mirrors: Table<StoredMirror>;
}

export interface MemoryCluster extends Cluster, Tables, Statuses {
  readonly storage: StoredStorage;
  /** What Services and workloads select, by any name. */
  readonly selectors: Map<string, WorkloadSelector>;
  /** `kubectl delete`: objects with finalizers stay until these are gone. Pods get their grace period. */
  requestDeletion(kind: "Node" | "NodeClaim" | "EC2NodeClass" | "Pod", key: string): void;
}

export function createMemoryCluster(clock: Pick<Clock, "now">): MemoryCluster {
  let version = 0;
  const nextVersion = () => String(++version);
  const keyed = (o: { readonly namespace: string; readonly name: string }) => `${o.namespace}/${o.name}`;
  const named = (o: { readonly name: string }) => o.name;
  const tables: Tables = {
    nodes: createTable<Node>("node", named, nextVersion),
    pods: createTable<Pod>("pod", keyed, nextVersion),
    nodePools: createTable<NodePool>("pool", named, nextVersion),
    nodeClasses: createTable<NodeClass>("class", named, nextVersion),
    nodeOverlays: createTable<NodeOverlay>("overlay", named, nextVersion),
    capacityBuffers: createTable<CapacityBuffer>("buffer", keyed, nextVersion),
    daemonSets: createTable<StoredDaemonSet>("daemonset", keyed, nextVersion),
    budgets: createTable<StoredBudget>("budget", keyed, nextVersion),
    mirrors: createTable<StoredMirror>("nodeclaim", named, nextVersion),
  };
  const held = new Set<string>();
  const selectors = new Map<string, WorkloadSelector>();
  const storage: StoredStorage = {
    persistentVolumeClaims: [],
    persistentVolumes: [],
    storageClasses: [],
    csiNodes: [],
    resourceClaims: [],
    resourceClaimTemplates: [],
    deviceClasses: [],
    resourceSlices: [],
  };
  return {
    ...tables,
    storage,
    selectors,
    ...readMethods(tables, storage, selectors, () => String(version)),
    ...claimMethods(tables),
    ...nodeMethods(tables, clock),
    ...podMethods(tables, clock),
    ...classMethods(tables, held),
    ...statusMethods(tables, clock),
    requestDeletion(kind, key) {
      if (kind === "Node") markDeleted(tables.nodes, key, clock.now());
      else if (kind === "NodeClaim") markDeleted(tables.mirrors, key, clock.now());
      else if (kind === "EC2NodeClass") deleteClass(tables.nodeClasses, key, held, clock.now());
      else endPod(tables.pods, key, clock.now());
    },
  };
}

function readMethods(
  tables: Tables,
  storage: StoredStorage,
  selectors: ReadonlyMap<string, WorkloadSelector>,
  version: () => string,
): Pick<Cluster, "read" | "findNode" | "podsOn"> {
  const { nodes, pods, daemonSets, nodePools, nodeClasses, nodeOverlays, capacityBuffers, budgets } = tables;
  return {
    read: async (options = {}): Promise<ClusterView> => ({
      nodes: nodes.list(),
      pods:
        options.pods === false
          ? []
          : withDefaultSpread(pods.list(), options.defaultSpread ?? [], [...selectors.values()]),
      daemonSets: daemonSets.list(),
      nodePools: nodePools.list(),
      nodeClasses: nodeClasses.list(),
      podDisruptionBudgets: budgets.list().map((budget) => withAllowance(budget, pods.list())),
      namespaces: [...new Set(pods.list().map((pod) => pod.namespace))].map((name) => ({ name, labels: {} })),
      ...storage,
      nodeOverlays: options.overlays === true ? nodeOverlays.list() : [],
      capacityBuffers: options.buffers === true ? capacityBuffers.list() : [],
      unreadable: [],
      resourceVersion: version(),
    }),
    findNode: async (by) =>
      nodes.list().find((node) => ("providerId" in by ? node.providerId === by.providerId : node.name === by.name)),
    podsOn: async (nodeName) => pods.list().filter((pod) => pod.nodeName === nodeName),
  };
}

function claimMethods({ mirrors }: Tables): Pick<Cluster, "listClaimMirrors" | "mirrorClaim" | "releaseClaim"> {
  return {
    listClaimMirrors: async () => mirrors.list(),
    mirrorClaim: async (claim, phase) => mirror(mirrors, claim, phase),
    async releaseClaim(name, precondition) {
      const outcome = check(mirrors.get(name), precondition);
      if (outcome === "done") mirrors.remove(name);
      return outcome;
    },
  };
}

function nodeMethods({ nodes }: Tables, clock: Pick<Clock, "now">): Pick<Cluster, "patchNode" | "deleteNode"> {
  return {
    patchNode: async (name, precondition, patch) => patchNode(nodes, name, precondition, patch),
    async deleteNode(name, precondition) {
      const outcome = check(nodes.get(name), precondition);
      if (outcome === "done") markDeleted(nodes, name, clock.now());
      return outcome;
    },
  };
}

function podMethods({ pods, budgets }: Tables, clock: Pick<Clock, "now">): Pick<Cluster, "evictPod" | "deletePod"> {
  return {
    async evictPod({ namespace, name, uid }, gracePeriodMs) {
      const pod = pods.get(`${namespace}/${name}`);
      if (pod === undefined || pod.uid !== uid) return { kind: "gone" };
      const over = budgetsOver(pod, budgets.list(), pods.list());
      if (over.length > 1) {
        return { kind: "misconfigured", message: `budgets ${over.map((b) => b.name).join(", ")} cover the same pod` };
      }
      const [budget] = over;
      if (budget !== undefined && !budget.allows) {
        return { kind: "blocked", message: `budget ${budget.name} allows no disruption now` };
      }
      endPod(pods, `${namespace}/${name}`, clock.now(), gracePeriodMs);
      return { kind: "evicted" };
    },
    async deletePod({ namespace, name, uid }, gracePeriodMs) {
      const outcome = check(pods.get(`${namespace}/${name}`), { uid });
      if (outcome === "done") endPod(pods, `${namespace}/${name}`, clock.now(), gracePeriodMs);
      return outcome;
    },
  };
}

/** `held` has the uids of classes that bear our finalizer. */
function classMethods({ nodeClasses }: Tables, held: Set<string>): Pick<Cluster, "holdNodeClass" | "releaseNodeClass"> {
  return {
    async holdNodeClass(name, precondition) {
      const there = nodeClasses.get(name);
      const outcome = check(there, precondition);
      if (outcome === "done" && there!.deletionAtMs === undefined) held.add(there!.uid);
      return outcome;
    },
    async releaseNodeClass(name, precondition) {
      const there = nodeClasses.get(name);
      const outcome = check(there, precondition);
      if (outcome !== "done") return outcome;
      held.delete(there!.uid);
      if (there!.deletionAtMs !== undefined) nodeClasses.remove(name);
      return "done";
    },
  };
}

function deleteClass(classes: Table<NodeClass>, name: string, held: ReadonlySet<string>, nowMs: number): void {
  const there = classes.get(name);
  if (there === undefined) return;
  if (!held.has(there.uid)) classes.remove(name);
  else if (there.deletionAtMs === undefined) {
    classes.put({ ...there, generation: there.generation + 1, deletionAtMs: nowMs });
  }
}

interface Deletable {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly finalizers: readonly string[];
  readonly deletionAtMs?: number;
}

function markDeleted<T extends Deletable>(table: Table<T>, name: string, nowMs: number): void {
  const there = table.get(name);
  if (there === undefined) return;
  if (there.finalizers.length === 0) table.remove(name);
  else if (there.deletionAtMs === undefined) table.put({ ...there, deletionAtMs: nowMs });
}

/** Deletion of a bound pod gives it its grace period, or less; a second request only shortens. An unbound one goes at once. */
function endPod(pods: Table<Pod>, key: string, nowMs: number, gracePeriodMs?: number): void {
  const pod = pods.get(key);
  if (pod === undefined) return;
  const graceMs = Math.min(gracePeriodMs ?? pod.terminationGracePeriodMs, pod.terminationGracePeriodMs);
  const dueAtMs = Math.min(nowMs + graceMs, pod.deletionAtMs ?? Number.POSITIVE_INFINITY);
  if (pod.nodeName === undefined || graceMs === 0) pods.remove(key);
  else if (pod.deletionAtMs !== dueAtMs) pods.put({ ...pod, deletionAtMs: dueAtMs });
}

/** A writer with an older record than the one mirrored changes nothing. */
function mirror(mirrors: Table<StoredMirror>, claim: NodeClaim, phase: ClaimPhase): { uid: string } {
  const there = mirrors.get(claim.name);
  if (there?.mirroredVersion !== undefined && there.mirroredVersion >= claim.version) return { uid: there.uid };
  const kept = there ?? { name: claim.name, finalizers: [finalizers.termination] };
  const { uid } = mirrors.put({ ...kept, mirroredVersion: claim.version, claim, phase });
  return { uid };
}

function patchNode(
  nodes: Table<Node>,
  name: string,
  precondition: Precondition,
  patch: Parameters<Cluster["patchNode"]>[2],
): WriteOutcome {
  if ((patch.taints ?? patch.finalizers) !== undefined && precondition.resourceVersion === undefined) {
    throw new TypeError("a whole list of taints or finalizers needs a resourceVersion in the precondition");
  }
  const node = nodes.get(name);
  const outcome = check(node, precondition);
  if (outcome !== "done" || node === undefined) return outcome;
  const next: Node = {
    ...node,
    labels: merged(node.labels, patch.labels),
    annotations: merged(node.annotations, patch.annotations),
    taints: patch.taints ?? node.taints,
    cordoned: patch.cordoned ?? node.cordoned,
    finalizers: patch.finalizers ?? node.finalizers,
  };
  if (next.deletionAtMs !== undefined && next.finalizers.length === 0) nodes.remove(name);
  else nodes.put(next);
  return "done";
}

function merged(
  present: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, string | null>> = {},
): Readonly<Record<string, string>> {
  const entries = Object.entries({ ...present, ...patch }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return Object.fromEntries(entries);
}
