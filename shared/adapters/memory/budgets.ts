import { type LabelSelector, own, type Pod, type PodDisruptionBudget } from "../../core/model/index.ts";
import { Requirements } from "../../core/requirements/index.ts";

/** The budget with `disruptionsAllowed` as its controller would compute it; one without a bound keeps what it says. */
export function withAllowance<T extends PodDisruptionBudget>(budget: T, pods: readonly Pod[]): T {
  return { ...budget, disruptionsAllowed: allowance(budget, pods).allowed };
}

/** Budgets that cover the pod, and whether each lets it be evicted now. */
export function budgetsOver(
  pod: Pod,
  budgets: readonly PodDisruptionBudget[],
  pods: readonly Pod[],
): readonly { readonly name: string; readonly allows: boolean }[] {
  return budgets
    .filter((budget) => budget.namespace === pod.namespace && selects(budget.selector, pod.labels))
    .map((budget) => {
      const { allowed, healthy, desired } = allowance(budget, pods);
      const unhealthyMayGo = !pod.ready && (budget.unhealthyPodEvictionPolicy === "AlwaysAllow" || healthy >= desired);
      return { name: budget.name, allows: allowed > 0 || unhealthyMayGo };
    });
}

function allowance(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
): { readonly allowed: number; readonly healthy: number; readonly desired: number } {
  const covered = pods.filter(
    (pod) =>
      pod.namespace === budget.namespace &&
      pod.phase !== "Succeeded" &&
      pod.phase !== "Failed" &&
      pod.deletionAtMs === undefined &&
      selects(budget.selector, pod.labels),
  );
  const healthy = covered.filter((pod) => pod.ready).length;
  if (budget.minAvailable !== undefined) {
    const desired = scaled(budget.minAvailable, covered.length);
    return { allowed: Math.max(0, healthy - desired), healthy, desired };
  }
  if (budget.maxUnavailable !== undefined) {
    const desired = Math.max(0, covered.length - scaled(budget.maxUnavailable, covered.length));
    return { allowed: Math.max(0, healthy - desired), healthy, desired };
  }
  return { allowed: budget.disruptionsAllowed, healthy, desired: healthy - budget.disruptionsAllowed };
}

/** A count, or a percentage of the total rounded up, as the disruption controller does for both bounds. */
function scaled(value: string, total: number): number {
  return value.endsWith("%") ? Math.ceil((Number(value.slice(0, -1)) * total) / 100) : Number(value);
}

/** An absent selector selects nothing, an empty one everything. */
export function selects(selector: LabelSelector | undefined, labels: Readonly<Record<string, string>>): boolean {
  if (selector === undefined) return false;
  const wanted = Object.entries(selector.matchLabels).every(([key, value]) => own(labels, key) === value);
  return wanted && Requirements.of(selector.matchExpressions).matchesLabels(labels);
}
