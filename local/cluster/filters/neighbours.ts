// The filters that look at other pods, made once for pods that are alike.
import type { KubeObject } from "../../kube/types.ts";
import { hostPortFilter } from "./host-ports.ts";
import { podAffinityFilter } from "./pod-affinity.ts";
import type { Filter, Surroundings } from "./room.ts";
import { topologySpreadFilter } from "./topology-spread.ts";

/** Host ports, topology spread and pod affinity of one pod, as its surroundings are now. */
export function neighbourFilter(pod: KubeObject, surroundings: Surroundings): Filter {
  const all = [
    hostPortFilter(pod),
    topologySpreadFilter(pod, surroundings.rooms),
    podAffinityFilter(pod, surroundings),
  ];
  return (room) => {
    for (const filter of all) {
      const reason = filter(room);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}

/** The same, remembered for pods that differ in name only. Forget it whenever a pod is bound. */
export function createNeighbourFilters(surroundings: Surroundings): {
  for(pod: KubeObject): Filter;
  forget(): void;
} {
  const known = new Map<string, Filter>();
  return {
    for(pod) {
      const { affinity, topologySpreadConstraints, nodeSelector, tolerations, containers, initContainers } = pod.spec;
      const ports = [...(containers ?? []), ...(initContainers ?? [])].map(
        (one: KubeObject["spec"]) => one.ports && [one.ports, one.restartPolicy],
      );
      const rules = [affinity, topologySpreadConstraints, nodeSelector, tolerations, ports];
      const key = JSON.stringify([pod.metadata.namespace, pod.metadata.labels, rules]);
      const filter = known.get(key) ?? neighbourFilter(pod, surroundings);
      known.set(key, filter);
      return filter;
    },
    forget: () => known.clear(),
  };
}
