// Labels that Karpenter's nodes get though their NodePool knows nothing of them: a pod that merely says `team NotIn [a]` opens
// the key, and from then on the node is one that has a team, whichever, for all pods that come later.
import type { Pod, Snapshot } from "../../shared/core/model/index.ts";
import { wellKnownLabels } from "../../shared/core/requirements/index.ts";
import type { PrintedPlan } from "../bench/judged.ts";

/** A pod that goes nowhere without the label. */
function needs(pod: Pod, key: string): boolean {
  const asks = (pod.requiredNodeAffinity ?? []).some(({ expressions }) =>
    expressions.some((one) => one.key === key && one.operator !== "NotIn" && one.operator !== "DoesNotExist"),
  );
  const spreads = pod.topologySpread.some(
    ({ topologyKey, whenUnsatisfiable }) => topologyKey === key && whenUnsatisfiable === "DoNotSchedule",
  );
  const near = pod.requiredPodAffinity.some(({ topologyKey }) => topologyKey === key);
  return Object.hasOwn(pod.nodeSelector, key) || asks || spreads || near;
}

/** One line for each new node with pods that need a label which its pool does not give. */
export function labelsBroughtIn({ nodePools, pods }: Snapshot, { nodeClaims }: PrintedPlan): readonly string[] {
  const podOf = new Map(pods.map((pod) => [`${pod.namespace}/${pod.name}`, pod]));
  return nodeClaims.flatMap(({ name, nodePool, requirements, pods: on }) => {
    const pool = nodePools.find((one) => one.name === nodePool)!;
    const given = new Set([...Object.keys(pool.labels), ...pool.requirements.map(({ key }) => key)]);
    const keys = (requirements ?? [])
      .filter(({ key, operator }) => operator !== "DoesNotExist" && !wellKnownLabels.has(key) && !given.has(key))
      .filter(({ key }) => !key.includes("karpenter.") && on.some((pod) => needs(podOf.get(pod)!, key)));
    return keys.map(({ key }) => `${name} has a ${key} that its pool does not give`);
  });
}
