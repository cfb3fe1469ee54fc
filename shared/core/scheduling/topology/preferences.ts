import type { NodeSelectorTerm, Pod, PodAffinityTerm, PreferredTerm, TopologySpread } from "../../model/index.ts";

/** What a pod asks for at some stage of giving in: its demands, and those of its wishes that are still insisted on. */
export interface Demands {
  /** A wish about the node, to be met beside what is required of it. */
  readonly nodeWish: NodeSelectorTerm | undefined;
  readonly together: readonly PodAffinityTerm[];
  readonly apart: readonly PodAffinityTerm[];
  /** As `apart`, but only wished for: it binds the pod itself and nobody else. */
  readonly aside: readonly PodAffinityTerm[];
  readonly spread: readonly TopologySpread[];
}

const heaviestFirst = <T>(terms: readonly PreferredTerm<T>[]): readonly PreferredTerm<T>[] =>
  [...terms].sort((a, b) => b.weight - a.weight);

/** How many times the pod can give in: once for each wish. With `respect` false wishes count for nothing. */
export function stagesOf(pod: Pod, respect: boolean): number {
  if (!respect) return 1;
  const wishes = pod.topologySpread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === "ScheduleAnyway");
  return (
    1 +
    pod.preferredPodAffinity.length +
    pod.preferredPodAntiAffinity.length +
    pod.preferredNodeAffinity.length +
    wishes.length
  );
}

/**
 * The demands at a stage (0: everything that is wished for too). Wishes go one at a time, in Karpenter's order: pods to be
 * near, pods to be far from, nodes (of which only the heaviest is insisted on), spreading; the heaviest of a kind first.
 */
export function demandsAt(pod: Pod, stage: number, respect: boolean): Demands {
  if (!hasWishes(pod)) {
    const { requiredPodAffinity, requiredPodAntiAffinity, topologySpread } = pod;
    return {
      nodeWish: undefined,
      together: requiredPodAffinity,
      apart: requiredPodAntiAffinity,
      aside: [],
      spread: topologySpread,
    };
  }
  const near = heaviestFirst(pod.preferredPodAffinity);
  const far = heaviestFirst(pod.preferredPodAntiAffinity);
  const nodes = heaviestFirst(pod.preferredNodeAffinity);
  const anyway = pod.topologySpread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === "ScheduleAnyway");
  let given = respect ? stage : near.length + far.length + nodes.length + anyway.length;
  const rest = <T>(wishes: readonly T[]): readonly T[] => {
    const gone = Math.min(given, wishes.length);
    given -= gone;
    return wishes.slice(gone);
  };
  const together = [...pod.requiredPodAffinity, ...rest(near).map(({ term }) => term)];
  const aside = rest(far).map(({ term }) => term);
  const [wish] = rest(nodes);
  const still = new Set(rest(anyway));
  return {
    nodeWish: wish?.term,
    together,
    apart: pod.requiredPodAntiAffinity,
    aside,
    spread: pod.topologySpread.filter((one) => one.whenUnsatisfiable === "DoNotSchedule" || still.has(one)),
  };
}

function hasWishes(pod: Pod): boolean {
  return (
    pod.preferredPodAffinity.length + pod.preferredPodAntiAffinity.length + pod.preferredNodeAffinity.length > 0 ||
    pod.topologySpread.some(({ whenUnsatisfiable }) => whenUnsatisfiable === "ScheduleAnyway")
  );
}
