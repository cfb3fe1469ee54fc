// Rolls a Deployment's ReplicaSets forward within maxSurge and maxUnavailable. Proportional scaling, pausing, rollback and
// revision history are left out.
import { createHash } from "node:crypto";
import type { KubeObject, ObjectStore } from "../kube/types.ts";
import { controlledBy, splitKey } from "./controller.ts";
import { writeStatus } from "./replica-set.ts";

function templateHash(template: unknown): string {
  return createHash("sha256").update(JSON.stringify(template)).digest("hex").slice(0, 10);
}

/** "25%" or a count, of `total`; surges round up, unavailability down, as Kubernetes does. */
function share(value: string | number | undefined, total: number, roundUp: boolean): number {
  const text = String(value ?? "25%");
  if (!text.endsWith("%")) return Number(text);
  const exact = (Number(text.slice(0, -1)) * total) / 100;
  return roundUp ? Math.ceil(exact) : Math.floor(exact);
}

function newReplicaSet(deployment: KubeObject, hash: string, replicas: number): KubeObject {
  const template = structuredClone(deployment.spec.template);
  template.metadata = { ...template.metadata, labels: { ...template.metadata?.labels, "pod-template-hash": hash } };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: deployment.metadata.namespace!,
      labels: template.metadata.labels,
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          name: deployment.metadata.name!,
          uid: deployment.metadata.uid!,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      replicas,
      selector: { matchLabels: { ...deployment.spec.selector?.matchLabels, "pod-template-hash": hash } },
      template,
    },
  };
}

function scale(store: ObjectStore, set: KubeObject, replicas: number): void {
  if (set.spec.replicas === replicas) return;
  store.modify("replicasets.apps", { namespace: set.metadata.namespace!, name: set.metadata.name! }, (draft) => {
    draft.spec.replicas = replicas;
  });
}

const sum = (sets: readonly KubeObject[], amount: (s: KubeObject) => number | undefined) =>
  sets.reduce((total, s) => total + (amount(s) ?? 0), 0);

/** Reconciles one Deployment. */
export function reconcileDeployment(store: ObjectStore, key: string): undefined {
  const deployment = store.find("deployments.apps", splitKey(key));
  if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return;
  const wanted: number = deployment.spec.replicas ?? 1;
  const hash = templateHash(deployment.spec.template);
  const sets = controlledBy(store, "replicasets.apps", deployment);
  const old = sets.filter((s) => s.metadata.labels?.["pod-template-hash"] !== hash);
  const rolling = deployment.spec.strategy?.rollingUpdate;
  const surge = share(rolling?.maxSurge, wanted, true);
  const unavailable = share(rolling?.maxUnavailable, wanted, false);
  const oldReplicas = sum(old, (s) => s.spec.replicas);

  let current = sets.find((s) => s.metadata.labels?.["pod-template-hash"] === hash);
  if (current === undefined) {
    const room = oldReplicas === 0 ? wanted : Math.min(wanted, Math.max(0, wanted + surge - oldReplicas));
    current = store.create("replicasets.apps", newReplicaSet(deployment, hash, room));
  } else {
    const room = Math.max(0, wanted + surge - oldReplicas);
    scale(store, current, oldReplicas === 0 ? wanted : Math.min(wanted, Math.max(current.spec.replicas, room)));
  }

  let removable = sum([...old, current], (s) => s.status?.availableReplicas) - (wanted - unavailable);
  for (const set of old) {
    // Pods of an old set that never became available cost nothing to remove.
    const idle = set.spec.replicas - (set.status?.availableReplicas ?? 0);
    const remove = Math.min(set.spec.replicas, idle + Math.max(0, removable));
    if (remove <= 0) continue;
    scale(store, set, set.spec.replicas - remove);
    removable -= remove - idle;
  }

  const now = store.get("replicasets.apps", { namespace: current.metadata.namespace!, name: current.metadata.name! });
  const available = sum([...old, now], (s) => s.status?.availableReplicas);
  writeStatus(store, "deployments.apps", deployment, {
    observedGeneration: deployment.metadata.generation ?? 1,
    replicas: sum([...old, now], (s) => s.status?.replicas),
    updatedReplicas: now.status?.replicas ?? 0,
    readyReplicas: sum([...old, now], (s) => s.status?.readyReplicas),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, wanted - available),
    conditions: conditionsOf(deployment, available >= wanted - unavailable, now),
  });
}

function conditionsOf(deployment: KubeObject, available: boolean, current: KubeObject): unknown[] {
  const before: { type: string; status: string; lastTransitionTime: string }[] = deployment.status?.conditions ?? [];
  const condition = (type: string, status: boolean, reason: string, message: string) => {
    const text = status ? "True" : "False";
    const last = before.find((c) => c.type === type);
    const at = last?.status === text ? last.lastTransitionTime : (current.metadata.creationTimestamp ?? "");
    return { type, status: text, reason, message, lastTransitionTime: at, lastUpdateTime: at };
  };
  return [
    condition(
      "Available",
      available,
      available ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
      available ? "enough replicas are available" : "too few replicas are available",
    ),
    condition("Progressing", true, "NewReplicaSetAvailable", `ReplicaSet ${current.metadata.name} is in place`),
  ];
}
