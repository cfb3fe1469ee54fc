// Required topology spread (whenUnsatisfiable: DoNotSchedule), as kube-scheduler's PodTopologySpread counts it.
import { own } from "../../../shared/core/model/index.ts";
import type { KubeObject } from "../../kube/types.ts";
import { matchesNode, narrowedSelector, selectsEverything, selectsLabels, toleratesAll } from "../selection.ts";
import { type Filter, labelsOf, type NodeRoom } from "./room.ts";

interface Constraint {
  readonly key: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: KubeObject["selector"];
  readonly heedsAffinity: boolean;
  readonly heedsTaints: boolean;
}

interface Count {
  readonly constraint: Constraint;
  readonly perDomain: ReadonlyMap<string, number>;
  /** Pods in the emptiest domain; 0 while there are fewer domains than asked for. */
  readonly least: number;
  /** 1 if the pod counts for its own rule. */
  readonly self: number;
}

/** Refuses nodes on which the pod would make its domain fuller than the emptiest by more than a constraint's `maxSkew`. */
export function topologySpreadFilter(pod: KubeObject, rooms: readonly NodeRoom[]): Filter {
  const constraints = constraintsOf(pod);
  if (constraints.length === 0) return () => undefined;
  // A node counts for none of them unless it has the labels of all of them.
  const complete = rooms.filter(({ node }) => constraints.every(({ key }) => own(labelsOf(node), key) !== undefined));
  const counts = constraints.map((constraint) => countFor(pod, constraint, complete));
  return ({ node }) => {
    for (const { constraint, perDomain, least, self } of counts) {
      const domain = own(labelsOf(node), constraint.key);
      if (domain === undefined) return "didn't match pod topology spread constraints (missing required label)";
      if ((perDomain.get(domain) ?? 0) + self - least > constraint.maxSkew)
        return "didn't match pod topology spread constraints";
    }
    return undefined;
  };
}

function constraintsOf(pod: KubeObject): Constraint[] {
  const all = (pod.spec.topologySpreadConstraints ?? []) as KubeObject["spec"][];
  return all
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === "DoNotSchedule")
    .map((one) => ({
      key: one.topologyKey,
      maxSkew: one.maxSkew,
      minDomains: one.minDomains ?? 1,
      selector: narrowedSelector(one.labelSelector, labelsOf(pod), one.matchLabelKeys),
      heedsAffinity: (one.nodeAffinityPolicy ?? "Honor") === "Honor",
      heedsTaints: (one.nodeTaintsPolicy ?? "Ignore") === "Honor",
    }));
}

function countFor(pod: KubeObject, constraint: Constraint, rooms: readonly NodeRoom[]): Count {
  const { key, selector, heedsAffinity, heedsTaints } = constraint;
  const perDomain = new Map<string, number>();
  for (const { node, pods } of rooms) {
    if (heedsAffinity && !matchesNode(pod.spec, node)) continue;
    if (heedsTaints && !toleratesAll(pod.spec.tolerations, node.spec?.taints ?? [], ["NoSchedule", "NoExecute"]))
      continue;
    const domain = own(labelsOf(node), key)!;
    perDomain.set(domain, (perDomain.get(domain) ?? 0) + matching(pod, selector, pods));
  }
  const fewest = Math.min(...perDomain.values());
  const least = perDomain.size < constraint.minDomains ? 0 : fewest;
  return { constraint, perDomain, least, self: selectsLabels(selector, labelsOf(pod)) ? 1 : 0 };
}

function matching(pod: KubeObject, selector: KubeObject["selector"], pods: readonly KubeObject[]): number {
  // A selector that selects everything counts nothing: kube-scheduler has it so.
  if (selectsEverything(selector)) return 0;
  return pods.filter(
    ({ metadata: { namespace, deletionTimestamp, labels } }) =>
      namespace === pod.metadata.namespace && deletionTimestamp === undefined && selectsLabels(selector, labels),
  ).length;
}
