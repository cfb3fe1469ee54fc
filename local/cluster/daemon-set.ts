// One pod of a DaemonSet for each node that its template selects and tolerates, pinned by a hostname field affinity and
// with the tolerations that kube-controller-manager adds.
import type { KubeObject, ObjectStore } from "../kube/types.ts";
import { controlledBy, splitKey } from "./controller.ts";
import { isReady, isTerminal, podFromTemplate, writeStatus } from "./replica-set.ts";
import { matchesNode, toleratesAll } from "./selection.ts";

const addedTolerations = [
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/disk-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/pid-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/unschedulable", operator: "Exists", effect: "NoSchedule" },
];

function pinned(set: KubeObject, nodeName: string): KubeObject {
  const pod = podFromTemplate(set, set.spec.template);
  pod.spec.tolerations = [...(pod.spec.tolerations ?? []), ...addedTolerations];
  const field = { key: "metadata.name", operator: "In", values: [nodeName] };
  const nodeAffinity = pod.spec.affinity?.nodeAffinity;
  const terms = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const nodeSelectorTerms =
    terms === undefined ? [{ matchFields: [field] }] : terms.map((t: object) => ({ ...t, matchFields: [field] }));
  pod.spec.affinity = {
    ...pod.spec.affinity,
    nodeAffinity: { ...nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  };
  return pod;
}

function nodeOf(pod: KubeObject): string | undefined {
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return pod.spec.nodeName ?? terms?.[0]?.matchFields?.[0]?.values?.[0];
}

/** Reconciles one DaemonSet. */
export function reconcileDaemonSet(store: ObjectStore, key: string): undefined {
  const set = store.find("daemonsets.apps", splitKey(key));
  if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
  const spec = {
    ...set.spec.template.spec,
    tolerations: [...(set.spec.template.spec.tolerations ?? []), ...addedTolerations],
  };
  const nodes = store
    .list("nodes")
    .items.filter((n) => n.metadata.deletionTimestamp === undefined)
    .filter(
      (n) => matchesNode(spec, n) && toleratesAll(spec.tolerations, n.spec.taints ?? [], ["NoSchedule", "NoExecute"]),
    );
  const wanted = new Set(nodes.map((n) => n.metadata.name!));
  const pods = controlledBy(store, "pods", set).filter(
    (p) => p.metadata.deletionTimestamp === undefined && !isTerminal(p),
  );
  const placed = new Set<string>();
  for (const pod of pods) {
    const node = nodeOf(pod);
    if (node !== undefined && wanted.has(node) && !placed.has(node)) placed.add(node);
    else store.delete("pods", { namespace: pod.metadata.namespace!, name: pod.metadata.name! });
  }
  for (const node of wanted) if (!placed.has(node)) store.create("pods", pinned(set, node));
  const ready = pods.filter((p) => isReady(p) && wanted.has(nodeOf(p) ?? "")).length;
  writeStatus(store, "daemonsets.apps", set, {
    observedGeneration: set.metadata.generation ?? 1,
    desiredNumberScheduled: wanted.size,
    currentNumberScheduled: wanted.size,
    updatedNumberScheduled: wanted.size,
    numberMisscheduled: 0,
    numberReady: ready,
    numberAvailable: ready,
    numberUnavailable: wanted.size - ready,
  });
}
