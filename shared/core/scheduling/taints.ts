import type { Taint, Toleration } from "../model/index.ts";

const wholeNumber = /^-?\d+$/;

/** Kubernetes' rule for one toleration; `Lt` and `Gt` compare the taint's value with the toleration's, as integers. */
export function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect !== undefined && toleration.effect !== taint.effect) return false;
  const key = toleration.key ?? "";
  if (key === "") return toleration.operator === "Exists";
  if (key !== taint.key) return false;
  const value = toleration.value ?? "";
  switch (toleration.operator) {
    case "Exists":
      return true;
    case "Equal":
      return value === taint.value;
    default: {
      if (!wholeNumber.test(value) || !wholeNumber.test(taint.value)) return false;
      return toleration.operator === "Gt" ? Number(taint.value) > Number(value) : Number(taint.value) < Number(value);
    }
  }
}

function isTolerated(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some((toleration) => toleratesTaint(toleration, taint));
}

/** The first taint that keeps a pod away; PreferNoSchedule never does. */
export function untoleratedTaint(tolerations: readonly Toleration[], taints: readonly Taint[]): Taint | undefined {
  return taints.find((taint) => taint.effect !== "PreferNoSchedule" && !isTolerated(tolerations, taint));
}

/** A PreferNoSchedule taint that the pod does not tolerate: such a place is taken only when no other will do. */
export function isShunned(tolerations: readonly Toleration[], taints: readonly Taint[]): boolean {
  return taints.some((taint) => taint.effect === "PreferNoSchedule" && !isTolerated(tolerations, taint));
}

export function formatTaint({ key, value, effect }: Taint): string {
  return value === "" ? `${key}:${effect}` : `${key}=${value}:${effect}`;
}

export function sameTaint(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect && a.value === b.value;
}

/** Taints that a young node loses by itself; ignored until its claim is initialised (facts §3.5). */
export function isKnownEphemeral({ key, value, effect }: Taint): boolean {
  switch (key) {
    case "node.kubernetes.io/not-ready":
      return effect !== "PreferNoSchedule";
    case "node.kubernetes.io/unreachable":
      return effect === "NoSchedule";
    case "node.cloudprovider.kubernetes.io/uninitialized":
      return effect === "NoSchedule" && value === "true";
    case "karpenter.sh/unregistered":
      return effect === "NoExecute";
    default:
      return key.startsWith("readiness.k8s.io/");
  }
}
