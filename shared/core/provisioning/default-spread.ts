// The cluster's default topology spread, as kube-scheduler's PodTopologySpread plugin applies what its configuration names
// (defaultConstraints): Karpenter's SCHEDULER_CONFIG. Kubernetes' own built-in defaults are not mirrored (core#3183).
import type { DefaultSpread, LabelSelector, Pod, TopologySpread, WorkloadSelector } from "../model/index.ts";
import { selects } from "../scheduling/label-selector.ts";

/**
 * The pods, those without any spread of their own with the default ones. These count the pods that every Service,
 * ReplicationController, ReplicaSet and StatefulSet selects that selects the pod; a pod that none selects gets none.
 */
export function withDefaultSpread(
  pods: readonly Pod[],
  defaults: readonly DefaultSpread[],
  selectors: readonly WorkloadSelector[],
): readonly Pod[] {
  if (defaults.length === 0) return pods;
  const byNamespace = new Map<string, WorkloadSelector[]>();
  for (const one of selectors) {
    const known = byNamespace.get(one.namespace);
    if (known === undefined) byNamespace.set(one.namespace, [one]);
    else known.push(one);
  }
  /** Pods that are labelled alike share one look at the selectors, and the spreads that it finds. */
  const known = new Map<string, readonly TopologySpread[]>();
  return pods.map((pod) => {
    if (pod.topologySpread.length > 0) return pod;
    const selectable = byNamespace.get(pod.namespace);
    if (selectable === undefined) return pod;
    const key = `${pod.namespace} ${JSON.stringify(pod.labels)}`;
    let topologySpread = known.get(key);
    if (topologySpread === undefined) {
      const labelSelector = jointSelector(pod, selectable);
      topologySpread = labelSelector === undefined ? [] : defaults.map((one) => spreadOf(one, labelSelector));
      known.set(key, topologySpread);
    }
    return topologySpread.length === 0 ? pod : { ...pod, topologySpread };
  });
}

function spreadOf(one: DefaultSpread, labelSelector: LabelSelector): TopologySpread {
  return { ...one, labelSelector, matchLabelKeys: [], nodeAffinityPolicy: "Honor", nodeTaintsPolicy: "Ignore" };
}

function jointSelector(pod: Pod, selectors: readonly WorkloadSelector[]): LabelSelector | undefined {
  const own = selectors.filter(({ selector }) => !isEmpty(selector) && selects(selector, pod.labels));
  if (own.length === 0) return undefined;
  return {
    matchLabels: Object.assign({}, ...own.map(({ selector }) => selector.matchLabels)) as LabelSelector["matchLabels"],
    matchExpressions: own.flatMap(({ selector }) => selector.matchExpressions),
  };
}

function isEmpty({ matchLabels, matchExpressions }: LabelSelector): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}
