// What a node is by itself: cordons, node selection, taints and room.
import { own } from "../../../shared/core/model/index.ts";
import type { KubeObject } from "../../kube/types.ts";
import type { Amounts } from "../requests.ts";
import { matchesNode, toleratesAll } from "../selection.ts";
import type { Filter } from "./room.ts";

/** Refuses nodes that are cordoned, not selected, tainted or too full. */
export function nodeFitFilter(pod: KubeObject, requests: Amounts): Filter {
  const asked = Object.entries(requests);
  return ({ node, free }) => {
    if (node.spec?.unschedulable === true) return "were unschedulable";
    if (!matchesNode(pod.spec, node)) return "didn't match the pod's node affinity/selector";
    if (!toleratesAll(pod.spec.tolerations, node.spec?.taints ?? [], ["NoSchedule", "NoExecute"]))
      return "had untolerated taints";
    const short = asked.find(([name, amount]) => amount > 0 && amount > (own(free, name) ?? 0));
    if (short === undefined) return undefined;
    return short[0] === "pods" ? "had too many pods" : `had insufficient ${short[0]}`;
  };
}
