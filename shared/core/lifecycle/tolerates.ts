import type { Taint, Toleration } from "../model/index.ts";
import { toleratesTaint } from "../scheduling/taints.ts";

/** Whether one of the tolerations matches the taint. */
export function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some((toleration) => toleratesTaint(toleration, taint));
}
