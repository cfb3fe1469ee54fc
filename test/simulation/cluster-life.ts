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

const joinMs = 10_000;
const readyMs = 5_000;
const startPodMs = 2_000;
const notReady = { key: "node.kubernetes.io/not-ready", value: "", effect: "NoSchedule" } as const;

export function createClusterLife(cluster: MemoryCluster, cloud: MemoryCloud, clock: Clock): ClusterLife {
  const workloads: Workload[] = [];
  const deaf = new Set<string>();
  const joined = new Set<string>();
  const dues = new Set<number>();
  const types = new Map(typesOfFixtures().map((type) => [type.name, type]));
  const startsAtMs = new Map<string, number>();
  const made = new Map<string, number>();
  /** Done at or after that moment; until then it is noted as due. */
  const isDue = (atMs: number) => {
    if (clock.now() >= atMs) return true;
    dues.add(atMs);
    return false;
  };

  const keepReplicas = () => {
    for (const workload of workloads) {
      const own = cluster.pods
        .list()
        .filter((pod) => pod.labels.app === workload.name && pod.deletionAtMs === undefined);
      for (let i = own.length; i < workload.replicas; i++) {
        const serial = (made.get(workload.name) ?? 0) + 1;
        made.set(workload.name, serial);
        const name = `${workload.name}-${String(serial).padStart(4, "0")}`;
        const owner = { kind: "ReplicaSet", name: workload.name, uid: `rs-${workload.name}` };
        cluster.pods.put(pendingPod(name, clock.now(), { owner, ...workload.pod, labels: { app: workload.name } }));
      }
      const surplus = [...own]
        .sort((a, b) => (a.name < b.name ? 1 : -1))
        .slice(0, Math.max(0, own.length - workload.replicas));
      for (const pod of surplus) cluster.requestDeletion("Pod", `${pod.namespace}/${pod.name}`);
    }
  };

  const joinAndLeave = () => {
    const nodes = new Map(cluster.nodes.list().map((node) => [node.providerId, node]));
    for (const instance of cloud.everyInstance()) {
      const node = nodes.get(`aws:///${instance.zone}/${instance.id}`);
      if (instance.state === "running") {
        if (
          node === undefined &&
          isDue(instance.launchedAtMs + 20_000 + joinMs) &&
          !joined.has(instance.id) &&
          !deaf.has(instance.id)
        ) {
          joined.add(instance.id);
          cluster.nodes.put(joiningNode(instance, types.get(instance.instanceType)!, clock.now()));
        } else if (node !== undefined && !isReadyNode(node) && isDue(node.createdAtMs + readyMs)) {
          cluster.nodes.put(readied(node, clock.now()));
        }
      } else if (instance.state === "pending") {
        isDue(instance.launchedAtMs + 20_000);
      } else {
        if (instance.state === "shutting-down") isDue(clock.now() + 5_000);
        if (node !== undefined && isReadyNode(node)) cluster.nodes.put(downed(node, clock.now()));
      }
    }
  };

  const runPods = () => {
    const nodes = new Map(cluster.nodes.list().map((node) => [node.name, node]));
    for (const pod of cluster.pods.list()) {
      const key = `${pod.namespace}/${pod.name}`;
      if (pod.nodeName === undefined) continue;
      const node = nodes.get(pod.nodeName);
      if (node === undefined) cluster.pods.remove(key);
      else if (pod.deletionAtMs !== undefined) {
        if (isReadyNode(node) ? isDue(Math.min(pod.deletionAtMs, clock.now())) : isDue(pod.deletionAtMs))
          cluster.pods.remove(key);
      } else if (pod.phase === "Pending" && isReadyNode(node)) {
        const atMs = startsAtMs.get(pod.uid) ?? clock.now() + startPodMs;
        startsAtMs.set(pod.uid, atMs);
        if (isDue(atMs)) cluster.pods.put({ ...pod, phase: "Running", ready: true });
      }
    }
  };

  const schedule = () => {
    const free = freeByNode(cluster);
    for (const pod of cluster.pods.list()) {
      if (pod.nodeName !== undefined || pod.deletionAtMs !== undefined) continue;
      const node = [...cluster.nodes.list()].find(
        (n) => takes(n, pod) && fits(addResources(free.get(n.name)!, pod.requests), n.allocatable),
      );
      if (node !== undefined) {
        free.set(node.name, addResources(free.get(node.name)!, pod.requests));
        cluster.pods.put({ ...pod, nodeName: node.name, unschedulable: false });
      } else if (!pod.unschedulable) cluster.pods.put({ ...pod, unschedulable: true });
    }
  };

  return {
    workloads,
    deaf,
    step() {
      dues.clear();
      keepReplicas();
      joinAndLeave();
      runPods();
      schedule();
    },
    nextDueAtMs: () => (dues.size === 0 ? undefined : Math.min(...dues)),
    fitsSomewhere(pod) {
      const used = freeByNode(cluster);
      return cluster.nodes
        .list()
        .some((n) => takes(n, pod) && fits(addResources(used.get(n.name)!, pod.requests), n.allocatable));
    },
  };
}

function typesOfFixtures(): readonly InstanceType[] {
  const resolved = { amis: [], securityGroupIds: [], subnets };
  const withSubnets: NodeClass = { ...nodeClass, uid: "", resourceVersion: "", resolved };
  return buildInstanceTypes(catalog, withSubnets, settings);
}

/** What is requested on each node by pods that have not ended. */
function freeByNode(cluster: MemoryCluster): Map<string, Pod["requests"]> {
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
