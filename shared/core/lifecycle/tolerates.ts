import type { Taint, Toleration } from "../model/index.ts";

/** Whether one of the tolerations matches the taint, as kube-scheduler decides it (an absent key with Exists: every taint). */
export function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some((toleration) => {
    if (toleration.effect !== undefined && toleration.effect !== taint.effect) return false;
    if (toleration.key === undefined || toleration.key === "") return toleration.operator === "Exists";
    if (toleration.key !== taint.key) return false;
    switch (toleration.operator) {
      case "Exists":
        return true;
      case "Equal":
        return (toleration.value ?? "") === taint.value;
      default:
        return comparesTo(toleration, taint);
    }
  });
}

/** `Gt` and `Lt` compare whole numbers: the taint's value with the toleration's. */
function comparesTo(toleration: Toleration, taint: Taint): boolean {
  const has = Number(taint.value);
  const bound = Number(toleration.value ?? "");
  if (!Number.isSafeInteger(has) || !Number.isSafeInteger(bound) || taint.value === "") return false;
  return toleration.operator === "Gt" ? has > bound : has < bound;
}
