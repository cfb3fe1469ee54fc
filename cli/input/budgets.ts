// What the disruption controller would write into a PodDisruptionBudget's status, for budgets that come from a manifest.
import { toPodDisruptionBudget } from "../../shared/api/index.ts";
import type { Pod, PodDisruptionBudget } from "../../shared/core/model/index.ts";
import { selects } from "../../shared/core/scheduling/index.ts";
import { converted } from "./converted.ts";
import type { Json, SourceDocument } from "./documents.ts";

/** Budgets with the disruptions that they allow now: as their status says, or counted from the pods where they have none. */
export function budgetsOf(sources: readonly SourceDocument[], pods: readonly Pod[]): PodDisruptionBudget[] {
  return sources.map((source) => {
    const budget = converted(source, toPodDisruptionBudget);
    const status = source.document.status as Json | undefined;
    if (status?.disruptionsAllowed !== undefined) return budget;
    return { ...budget, disruptionsAllowed: disruptionsAllowed(budget, pods) };
  });
}

/** Bound pods are taken as healthy. Percentages of pods are rounded up, as Kubernetes does for both kinds of budget. */
function disruptionsAllowed(budget: PodDisruptionBudget, pods: readonly Pod[]): number {
  const own = pods.filter(
    (pod) =>
      pod.namespace === budget.namespace &&
      pod.phase !== "Succeeded" &&
      pod.phase !== "Failed" &&
      selects(budget.selector, pod.labels),
  );
  const healthy = own.filter((pod) => pod.nodeName !== undefined && pod.deletionAtMs === undefined).length;
  const wanted =
    budget.maxUnavailable === undefined
      ? amountOf(budget.minAvailable ?? "0", own.length)
      : own.length - amountOf(budget.maxUnavailable, own.length);
  return Math.max(0, healthy - Math.max(0, wanted));
}

function amountOf(text: string, total: number): number {
  return text.endsWith("%") ? Math.ceil((Number(text.slice(0, -1)) * total) / 100) : Number(text);
}
