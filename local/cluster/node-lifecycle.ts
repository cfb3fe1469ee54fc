// What kube-controller-manager does for nodes: the not-ready and unschedulable taints follow the node's condition and spec.
import type { ObjectStore } from "../kube/types.ts";

const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
const unschedulable = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

interface Taint {
  key: string;
  effect: string;
}

function withTaint(taints: readonly Taint[], taint: Taint, wanted: boolean): Taint[] {
  const others = taints.filter((t) => !(t.key === taint.key && t.effect === taint.effect));
  return wanted ? [...others, taint] : others;
}

/** Keeps the taints of one node. */
export function reconcileNodeTaints(store: ObjectStore, key: string): undefined {
  const name = key.slice(key.indexOf("/") + 1);
  const node = store.find("nodes", { name });
  if (node === undefined) return;
  const conditions: { type: string; status: string }[] = node.status?.conditions ?? [];
  const ready = conditions.some((c) => c.type === "Ready" && c.status === "True");
  const before: Taint[] = node.spec?.taints ?? [];
  const after = withTaint(withTaint(before, notReady, !ready), unschedulable, node.spec?.unschedulable === true);
  const same =
    after.length === before.length && after.every((t) => before.some((b) => b.key === t.key && b.effect === t.effect));
  if (same) return;
  store.modify("nodes", { name }, (draft) => {
    draft.spec = { ...draft.spec, taints: after };
  });
}
