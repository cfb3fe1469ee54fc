// The controllers beside the embedded API that a workload needs: Deployments, ReplicaSets, DaemonSets, disruption budgets,
// node taints, orphaned pods, and the scheduler. On a real control plane none of this runs: the real ones do.
import type { WorldClock } from "../clock.ts";
import type { KubeObject, ObjectStore } from "../kube/types.ts";
import { type ControllerSource, keyOf, ownerKey, splitKey, startController } from "./controller.ts";
import { reconcileDaemonSet } from "./daemon-set.ts";
import { reconcileDeployment } from "./deployment.ts";
import { reconcileDisruptionBudget } from "./disruption-budget.ts";
import { reconcileNodeTaints } from "./node-lifecycle.ts";
import { reconcileReplicaSet } from "./replica-set.ts";
import { startScheduler } from "./scheduler.ts";
import { selectsLabels } from "./selection.ts";

/** How long a pod may outlive its node before it is removed, in the world's time (Kubernetes waits 40 s). */
const orphanedPodMs = 40_000;

export interface ControlPlaneOptions {
  readonly store: ObjectStore;
  readonly clock: WorldClock;
  onError(component: string, key: string, error: unknown): void;
}

/** Starts all of them; returns the function that stops them. */
export function startControlPlane(options: ControlPlaneOptions): () => void {
  const { store, clock, onError } = options;
  const controller = (
    name: string,
    sources: readonly ControllerSource[],
    reconcile: (key: string) => number | undefined,
  ) => startController({ name, store, clock, sources, reconcile, onError });
  const budgetsFor = (pod: KubeObject) =>
    store
      .list("poddisruptionbudgets.policy", { namespace: pod.metadata.namespace! })
      .items.filter((b) => selectsLabels(b.spec.selector, pod.metadata.labels))
      .map(keyOf);
  const all = (resource: string) => store.list(resource).items.map(keyOf);

  const stops = [
    controller(
      "deployment",
      [
        { resource: "deployments.apps", keysOf: (o) => [keyOf(o)] },
        { resource: "replicasets.apps", keysOf: (o) => ownerKey(o, "Deployment") },
      ],
      (key) => reconcileDeployment(store, key),
    ),
    controller(
      "replicaset",
      [
        { resource: "replicasets.apps", keysOf: (o) => [keyOf(o)] },
        { resource: "pods", keysOf: (o) => ownerKey(o, "ReplicaSet") },
      ],
      (key) => reconcileReplicaSet(store, key),
    ),
    controller(
      "daemonset",
      [
        { resource: "daemonsets.apps", keysOf: (o) => [keyOf(o)] },
        { resource: "pods", keysOf: (o) => ownerKey(o, "DaemonSet") },
        { resource: "nodes", keysOf: () => all("daemonsets.apps") },
      ],
      (key) => reconcileDaemonSet(store, key),
    ),
    controller(
      "disruption-budget",
      [
        { resource: "poddisruptionbudgets.policy", keysOf: (o) => [keyOf(o)] },
        { resource: "pods", keysOf: budgetsFor },
      ],
      (key) => reconcileDisruptionBudget(store, key),
    ),
    controller("node-taints", [{ resource: "nodes", keysOf: (o) => [keyOf(o)] }], (key) =>
      reconcileNodeTaints(store, key),
    ),
    controller(
      "orphaned-pods",
      [
        {
          resource: "nodes",
          keysOf: (node, event) =>
            event.type === "DELETED"
              ? store.list("pods", { fieldSelector: `spec.nodeName=${node.metadata.name}` }).items.map(keyOf)
              : [],
        },
      ],
      createOrphanRemoval(store, clock),
    ),
    startScheduler(options),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Removes pods whose node is gone. The first look only sets the time of the second: a deleted node may come straight back. */
function createOrphanRemoval(store: ObjectStore, clock: WorldClock): (key: string) => number | undefined {
  const seenAtMs = new Map<string, number>();
  return (key) => {
    const pod = store.find("pods", splitKey(key));
    if (pod?.spec.nodeName === undefined) return undefined;
    const uid = pod.metadata.uid!;
    if (store.find("nodes", { name: pod.spec.nodeName }) !== undefined) {
      seenAtMs.delete(uid);
      return undefined;
    }
    const since = seenAtMs.get(uid) ?? clock.now();
    seenAtMs.set(uid, since);
    const leftMs = since + orphanedPodMs - clock.now();
    if (leftMs > 0) return leftMs;
    seenAtMs.delete(uid);
    store.delete("pods", splitKey(key), { gracePeriodSeconds: 0, preconditions: { uid } });
    return undefined;
  };
}
