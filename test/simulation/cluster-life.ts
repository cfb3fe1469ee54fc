// What a cluster does by itself, on the memory adapters: workloads keep their replicas, kube-scheduler binds, kubelets
// join and run pods, and what is deleted ends in time. Each `step` does what is due now; `nextDueAtMs` says when more is.
import type { MemoryCloud } from "../../shared/adapters/memory/cloud.ts";
import type { MemoryCluster } from "../../shared/adapters/memory/cluster.ts";
import { buildInstanceTypes } from "../../shared/core/catalog/index.ts";
import { tolerates } from "../../shared/core/lifecycle/index.ts";
import {
  type InstanceType,
  labels,
  type Node,
  type NodeClass,
  type Pod,
  taints,
} from "../../shared/core/model/index.ts";
import { addResources, fits, sumResources } from "../../shared/core/resources/index.ts";
import type { Clock } from "../../shared/ports/index.ts";
import { catalog, nodeClass, pendingPod, settings, subnets } from "./fixtures.ts";

export interface Workload {
  readonly name: string;
  replicas: number;
  readonly pod?: Parameters<typeof pendingPod>[2];
}

export interface ClusterLife {
  readonly workloads: Workload[];
  /** Instances whose kubelet never joins. */
  readonly deaf: Set<string>;
  step(): void;
  nextDueAtMs(): number | undefined;
  /** Whether the pod would fit on a ready node that takes it. */
  fitsSomewhere(pod: Pod): boolean;
}

const bootMs = 20_000;
const joinMs = 10_000;
const readyMs = 5_000;
const startPodMs = 2_000;
const notReady = { key: "node.kubernetes.io/not-ready", value: "", effect: "NoSchedule" } as const;

interface Living {
  readonly cluster: MemoryCluster;
  readonly cloud: MemoryCloud;
  now(): number;
  /** Whether that moment has come; until then it is noted as due. */
  isDue(atMs: number): boolean;
}

export function createClusterLife(cluster: MemoryCluster, cloud: MemoryCloud, clock: Clock): ClusterLife {
  const workloads: Workload[] = [];
  const deaf = new Set<string>();
  const dues = new Set<number>();
  const living: Living = {
    cluster,
    cloud,
    now: clock.now,
    isDue(atMs) {
      if (clock.now() >= atMs) return true;
      dues.add(atMs);
      return false;
    },
  };
  const keepReplicas = createReplicaKeeper(living, workloads);
  const joinAndLeave = createKubelets(living, deaf);
  const runPods = createPodRunner(living);
  return {
    workloads,
    deaf,
    step() {
      dues.clear();
      keepReplicas();
      joinAndLeave();
      runPods();
      schedule(cluster);
    },
    nextDueAtMs: () => (dues.size === 0 ? undefined : Math.min(...dues)),
    fitsSomewhere(pod) {
      const used = usedByNode(cluster);
      return cluster.nodes.list().some((node) => hasRoom(node, pod, used));
    },
  };
}

/** A ReplicaSet's work: as many pods as asked for, the youngest go first. */
function createReplicaKeeper({ cluster, now }: Living, workloads: readonly Workload[]): () => void {
  const made = new Map<string, number>();
  const make = ({ name: app, pod }: Workload) => {
    const serial = (made.get(app) ?? 0) + 1;
    made.set(app, serial);
    const owner = { kind: "ReplicaSet", name: app, uid: `rs-${app}` };
    const name = `${app}-${String(serial).padStart(4, "0")}`;
    cluster.pods.put(pendingPod(name, now(), { owner, ...pod, labels: { app } }));
  };
  return () => {
    for (const workload of workloads) {
      const own = cluster.pods
        .list()
        .filter((pod) => pod.labels.app === workload.name && pod.deletionAtMs === undefined)
        .sort((a, b) => (a.name < b.name ? 1 : -1));
      for (let i = own.length; i < workload.replicas; i++) make(workload);
      for (const pod of own.slice(0, Math.max(0, own.length - workload.replicas))) {
        cluster.requestDeletion("Pod", `${pod.namespace}/${pod.name}`);
      }
    }
  };
}

/** Running instances join once, get ready, and go down with their machine. */
function createKubelets({ cluster, cloud, now, isDue }: Living, deaf: ReadonlySet<string>): () => void {
  const types = new Map(typesOfFixtures().map((type) => [type.name, type]));
  const joined = new Set<string>();
  return () => {
    const nodes = new Map(cluster.nodes.list().map((node) => [node.providerId, node]));
    for (const instance of cloud.everyInstance()) {
      const { id, state, launchedAtMs } = instance;
      const node = nodes.get(`aws:///${instance.zone}/${id}`);
      if (state === "pending") isDue(launchedAtMs + bootMs);
      else if (state !== "running") {
        if (state === "shutting-down") isDue(now() + 5_000);
        if (node !== undefined && isReadyNode(node)) cluster.nodes.put(downed(node, now()));
      } else if (node !== undefined) {
        if (!isReadyNode(node) && isDue(node.createdAtMs + readyMs)) cluster.nodes.put(readied(node, now()));
      } else if (!joined.has(id) && !deaf.has(id) && isDue(launchedAtMs + bootMs + joinMs)) {
        joined.add(id);
        cluster.nodes.put(joiningNode(instance, types.get(instance.instanceType)!, now()));
      }
    }
  };
}

/** Bound pods start, and end when they are told to; those of a node that is gone are gone. */
function createPodRunner({ cluster, now, isDue }: Living): () => void {
  const startsAtMs = new Map<string, number>();
  return () => {
    const nodes = new Map(cluster.nodes.list().map((node) => [node.name, node]));
    for (const pod of cluster.pods.list()) {
      if (pod.nodeName === undefined) continue;
      const node = nodes.get(pod.nodeName);
      const ready = node !== undefined && isReadyNode(node);
      if (node === undefined || (pod.deletionAtMs !== undefined && (ready || isDue(pod.deletionAtMs)))) {
        cluster.pods.remove(`${pod.namespace}/${pod.name}`);
      } else if (pod.phase === "Pending" && ready) {
        const atMs = startsAtMs.get(pod.uid) ?? now() + startPodMs;
        startsAtMs.set(pod.uid, atMs);
        if (isDue(atMs)) cluster.pods.put({ ...pod, phase: "Running", ready: true });
      }
    }
  };
}

/** kube-scheduler's work: the first node by name that takes the pod and has room, or the word that none does. */
function schedule(cluster: MemoryCluster): void {
  const used = usedByNode(cluster);
  for (const pod of cluster.pods.list()) {
    if (pod.nodeName !== undefined || pod.deletionAtMs !== undefined) continue;
    const node = cluster.nodes.list().find((one) => hasRoom(one, pod, used));
    if (node !== undefined) {
      used.set(node.name, addResources(used.get(node.name)!, pod.requests));
      cluster.pods.put({ ...pod, nodeName: node.name, unschedulable: false });
    } else if (!pod.unschedulable) cluster.pods.put({ ...pod, unschedulable: true });
  }
}

function hasRoom(node: Node, pod: Pod, used: ReadonlyMap<string, Pod["requests"]>): boolean {
  return takes(node, pod) && fits(addResources(used.get(node.name)!, pod.requests), node.allocatable);
}

function typesOfFixtures(): readonly InstanceType[] {
  const resolved = { amis: [], securityGroupIds: [], capacityReservations: [], subnets };
  const withSubnets: NodeClass = { ...nodeClass, uid: "", resourceVersion: "", resolved };
  return buildInstanceTypes(catalog, withSubnets, settings);
}

/** What is requested on each node by pods that have not ended. */
function usedByNode(cluster: MemoryCluster): Map<string, Pod["requests"]> {
  const bound = cluster.pods.list().filter((pod) => pod.phase !== "Succeeded" && pod.phase !== "Failed");
  return new Map(
    cluster.nodes.list().map((node) => {
      const own = bound.filter((pod) => pod.nodeName === node.name);
      return [node.name, sumResources(own.map((pod) => pod.requests))];
    }),
  );
}

function takes(node: Node, pod: Pod): boolean {
  if (node.cordoned || node.deletionAtMs !== undefined || !isReadyNode(node)) return false;
  if (node.taints.some((taint) => taint.effect !== "PreferNoSchedule" && !tolerates(pod.tolerations, taint)))
    return false;
  return Object.entries(pod.nodeSelector).every(([key, value]) => node.labels[key] === value);
}

function isReadyNode(node: Node): boolean {
  return node.conditions.some(({ type, status }) => type === "Ready" && status === "True");
}

function joiningNode(
  instance: ReturnType<MemoryCloud["everyInstance"]>[number],
  type: InstanceType,
  nowMs: number,
): Omit<Node, "uid" | "resourceVersion"> {
  const name = `ip-${instance.id.slice(-6)}.ec2.internal`;
  return {
    name,
    providerId: `aws:///${instance.zone}/${instance.id}`,
    labels: {
      [labels.hostname]: name,
      [labels.instanceType]: instance.instanceType,
      [labels.zone]: instance.zone,
      [labels.arch]: "amd64",
      [labels.os]: "linux",
    },
    annotations: {},
    taints: [taints.unregistered, notReady],
    capacity: type.capacity,
    allocatable: type.allocatable,
    conditions: [{ type: "Ready", status: "False", changedAtMs: nowMs }],
    cordoned: false,
    createdAtMs: nowMs,
    finalizers: [],
  };
}

function readied(node: Node, nowMs: number): Node {
  const kept = node.taints.filter((taint) => taint.key !== notReady.key);
  return { ...node, taints: kept, conditions: [{ type: "Ready", status: "True", changedAtMs: nowMs }] };
}

function downed(node: Node, nowMs: number): Node {
  return { ...node, conditions: [{ type: "Ready", status: "Unknown", changedAtMs: nowMs }] };
}
