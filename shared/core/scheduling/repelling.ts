import type { Pod, PodAffinityTerm, Snapshot } from "../model/index.ts";
import { own, labels as wellKnown } from "../model/index.ts";
import { selects } from "./label-selector.ts";
import type { NodeBin } from "./node-bins.ts";

interface RepellingTerm {
  readonly term: PodAffinityTerm;
  readonly owner: Pod;
  readonly bin: number;
}

/**
 * Required anti-affinity of pods that run already: kube-scheduler honours it against newcomers too. Per host it keeps a
 * newcomer off that node; over any wider topology the newcomer is refused, until topologies are counted.
 */
export class RepellingTerms {
  readonly #terms: readonly RepellingTerm[];
  readonly #namespaceLabels: ReadonlyMap<string, Readonly<Record<string, string>>>;

  constructor(snapshot: Snapshot, bins: readonly NodeBin[], nominated: ReadonlyMap<string, readonly Pod[]>) {
    const terms: RepellingTerm[] = [];
    const binOf = new Map<string, number>();
    bins.forEach(({ nodeName }, index) => {
      if (nodeName !== undefined) binOf.set(nodeName, index);
    });
    const note = (owner: Pod, bin: number): void => {
      for (const term of owner.requiredPodAntiAffinity) terms.push({ term, owner, bin });
    };
    for (const pod of snapshot.pods) {
      if (pod.nodeName === undefined || pod.requiredPodAntiAffinity.length === 0) continue;
      if (pod.phase !== "Succeeded" && pod.phase !== "Failed") note(pod, binOf.get(pod.nodeName) ?? -1);
    }
    bins.forEach(({ target }, index) => {
      for (const pod of nominated.get(target) ?? []) note(pod, index);
    });
    this.#terms = terms;
    this.#namespaceLabels = new Map(snapshot.namespaces.map(({ name, labels }) => [name, labels]));
  }

  get empty(): boolean {
    return this.#terms.length === 0;
  }

  /** Why a pod can be placed nowhere; undefined: it can. */
  refusal(pod: Pod): string | undefined {
    const wide = this.#terms.find(
      (candidate) => candidate.term.topologyKey !== wellKnown.hostname && this.#repels(candidate, pod),
    );
    if (wide === undefined) return undefined;
    return `the running pod ${wide.owner.namespace}/${wide.owner.name} repels it by required anti-affinity over ${wide.term.topologyKey}, which is not planned for yet`;
  }

  /** Bins whose pods repel this pod, ascending. */
  binsOff(pod: Pod): readonly number[] {
    const off = new Set<number>();
    for (const candidate of this.#terms) if (candidate.bin >= 0 && this.#repels(candidate, pod)) off.add(candidate.bin);
    return [...off].sort((a, b) => a - b);
  }

  #repels({ term, owner }: RepellingTerm, pod: Pod): boolean {
    return (
      owner.uid !== pod.uid && this.#isInNamespace(term, owner, pod) && selects(withLabelKeys(term, owner), pod.labels)
    );
  }

  #isInNamespace(term: PodAffinityTerm, owner: Pod, pod: Pod): boolean {
    if (term.namespaces.includes(pod.namespace)) return true;
    if (term.namespaceSelector !== undefined) {
      return selects(term.namespaceSelector, this.#namespaceLabels.get(pod.namespace) ?? {});
    }
    return term.namespaces.length === 0 && pod.namespace === owner.namespace;
  }
}

/** The API server writes matchLabelKeys into the selector at admission; here they are read as it would. */
function withLabelKeys(term: PodAffinityTerm, owner: Pod): PodAffinityTerm["labelSelector"] {
  const { labelSelector, matchLabelKeys, mismatchLabelKeys } = term;
  if (labelSelector === undefined) return undefined;
  const of = (keys: readonly string[], operator: "In" | "NotIn") =>
    keys
      .filter((key) => own(owner.labels, key) !== undefined)
      .map((key) => ({ key, operator, values: [owner.labels[key]!] }));
  return {
    matchLabels: labelSelector.matchLabels,
    matchExpressions: [
      ...labelSelector.matchExpressions,
      ...of(matchLabelKeys, "In"),
      ...of(mismatchLabelKeys, "NotIn"),
    ],
  };
}
