// Keeps a PodDisruptionBudget's status, which the eviction API reads: how many pods there should be, how many are
// healthy, and how many may go.
import type { KubeObject, ObjectStore } from "../kube/types.ts";
import { splitKey } from "./controller.ts";
import { isReady, isTerminal, writeStatus } from "./replica-set.ts";
import { selectsLabels } from "./selection.ts";

function amount(value: string | number, total: number): number {
  const text = String(value);
  return text.endsWith("%") ? Math.ceil((Number(text.slice(0, -1)) * total) / 100) : Number(text);
}

/** How many pods their controllers ask for: the scale of a ReplicaSet, one of any other owner's pod. */
function expectedPods(store: ObjectStore, pods: readonly KubeObject[]): number {
  const counted = new Set<string>();
  let expected = 0;
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find((o) => o.controller === true);
    if (owner?.kind !== "ReplicaSet") {
      expected++;
      continue;
    }
    if (counted.has(owner.uid)) continue;
    counted.add(owner.uid);
    expected +=
      store.find("replicasets.apps", { namespace: pod.metadata.namespace!, name: owner.name })?.spec.replicas ?? 0;
  }
  return expected;
}

/** Reconciles one PodDisruptionBudget. */
export function reconcileDisruptionBudget(store: ObjectStore, key: string): undefined {
  const budget = store.find("poddisruptionbudgets.policy", splitKey(key));
  if (budget === undefined || budget.metadata.deletionTimestamp !== undefined) return;
  const pods = store
    .list("pods", { namespace: budget.metadata.namespace! })
    .items.filter((p) => selectsLabels(budget.spec.selector, p.metadata.labels) && !isTerminal(p));
  const expected = expectedPods(store, pods);
  const desired =
    budget.spec.maxUnavailable === undefined
      ? amount(budget.spec.minAvailable ?? 1, expected)
      : Math.max(0, expected - amount(budget.spec.maxUnavailable, expected));
  const healthy = pods.filter((p) => isReady(p) && p.metadata.deletionTimestamp === undefined).length;
  writeStatus(store, "poddisruptionbudgets.policy", budget, {
    observedGeneration: budget.metadata.generation ?? 1,
    expectedPods: expected,
    desiredHealthy: desired,
    currentHealthy: healthy,
    disruptionsAllowed: expected > 0 ? Math.max(0, healthy - desired) : 0,
  });
}
