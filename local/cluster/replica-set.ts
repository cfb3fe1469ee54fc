// Keeps the number of a ReplicaSet's pods. Its choice of pods to remove follows kube-controller-manager's ranking as far
// as it matters here: unbound before bound, not ready before ready, younger before older.
import type { KubeObject, ObjectStore } from "../kube/types.ts";
import { controlledBy, splitKey } from "./controller.ts";

export function isTerminal(pod: KubeObject): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

export function isReady(pod: KubeObject): boolean {
  return (
    pod.status?.conditions?.some((c: { type: string; status: string }) => c.type === "Ready" && c.status === "True") ??
    false
  );
}

function removalRank(pod: KubeObject): [number, number, number, string] {
  return [
    pod.spec.nodeName === undefined ? 0 : 1,
    isReady(pod) ? 1 : 0,
    -Date.parse(pod.metadata.creationTimestamp ?? ""),
    pod.metadata.name!,
  ];
}

function byRank(a: KubeObject, b: KubeObject): number {
  const ra = removalRank(a);
  const rb = removalRank(b);
  for (let i = 0; i < ra.length; i++) {
    if (ra[i]! < rb[i]!) return -1;
    if (ra[i]! > rb[i]!) return 1;
  }
  return 0;
}

/** A pod made from a template, owned by `owner`. */
export function podFromTemplate(owner: KubeObject, template: KubeObject["template"]): KubeObject {
  const pod = structuredClone(template) as { metadata?: Record<string, unknown>; spec: Record<string, unknown> };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...pod.metadata,
      generateName: `${owner.metadata.name}-`,
      namespace: owner.metadata.namespace!,
      ownerReferences: [
        {
          apiVersion: owner.apiVersion,
          kind: owner.kind,
          name: owner.metadata.name!,
          uid: owner.metadata.uid!,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: pod.spec,
  };
}

/** Reconciles one ReplicaSet. */
export function reconcileReplicaSet(store: ObjectStore, key: string): undefined {
  const set = store.find("replicasets.apps", splitKey(key));
  if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
  const wanted: number = set.spec.replicas ?? 1;
  const pods = controlledBy(store, "pods", set).filter((p) => !isTerminal(p));
  const active = pods.filter((p) => p.metadata.deletionTimestamp === undefined);
  for (let i = active.length; i < wanted; i++) store.create("pods", podFromTemplate(set, set.spec.template));
  if (active.length > wanted) {
    for (const pod of active.sort(byRank).slice(0, active.length - wanted)) {
      store.delete("pods", { namespace: pod.metadata.namespace!, name: pod.metadata.name! });
    }
  }
  const status = {
    replicas: Math.min(active.length, wanted),
    fullyLabeledReplicas: Math.min(active.length, wanted),
    readyReplicas: active.filter(isReady).length,
    availableReplicas: active.filter(isReady).length,
    observedGeneration: set.metadata.generation ?? 1,
  };
  writeStatus(store, "replicasets.apps", set, status);
}

/** Writes a status if it says something new. */
export function writeStatus(
  store: ObjectStore,
  resource: string,
  object: KubeObject,
  status: Record<string, unknown>,
): void {
  if (JSON.stringify({ ...object.status, ...status }) === JSON.stringify(object.status ?? {})) return;
  store.modify(
    resource,
    {
      name: object.metadata.name!,
      ...(object.metadata.namespace === undefined ? {} : { namespace: object.metadata.namespace }),
    },
    (draft) => {
      draft.status = { ...draft.status, ...status };
    },
    { subresource: "status" },
  );
}
