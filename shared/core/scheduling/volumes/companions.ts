import { labels, type Pod } from "../../model/index.ts";

/** True for values of the label only this module gives out: no label of Kubernetes has a space in its name. */
const label = "volumes in the making";

/**
 * Pods that share a claim whose volume is still to be made: the first that gets a node decides the volume's zone, and the
 * others can only follow it. So they are planned as if they wanted to be near each other. Pods that are to be near others
 * already are left as they are: such terms hold together, and one more would change what they mean.
 * `unmadeOf`: a pod's claims of that kind.
 */
export function withCompanions<P extends Pod>(
  pods: readonly P[],
  unmadeOf: (pod: P) => readonly string[],
): readonly P[] {
  const groups = new Map<string, string>();
  const groupOf = (claim: string): string => {
    let group = claim;
    while (groups.get(group) !== undefined) group = groups.get(group)!;
    return group;
  };
  const users = new Map<string, number>();
  for (const pod of pods) {
    const claims = unmadeOf(pod);
    for (const claim of claims) users.set(claim, (users.get(claim) ?? 0) + 1);
    const [first, ...others] = [...new Set(claims.map(groupOf))].sort();
    for (const other of others) groups.set(other, first!);
  }
  if (![...users.values()].some((count) => count > 1)) return pods;
  return pods.map((pod) => {
    const shared = unmadeOf(pod).find((claim) => users.get(claim)! > 1);
    if (shared === undefined || pod.requiredPodAffinity.length > 0) return pod;
    const mark = { [label]: groupOf(shared) };
    const near = {
      topologyKey: labels.zone,
      labelSelector: { matchLabels: mark, matchExpressions: [] },
      namespaces: [],
      matchLabelKeys: [],
      mismatchLabelKeys: [],
    };
    return { ...pod, labels: { ...pod.labels, ...mark }, requiredPodAffinity: [near] };
  });
}
