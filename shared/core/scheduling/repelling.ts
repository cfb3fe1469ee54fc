import type { Pod, PodAffinityTerm, Snapshot } from "../model/index.ts";
import { own, labels as wellKnown } from "../model/index.ts";
import { selects } from "./label-selector.ts";
import type { NodeBin } from "./node-bins.ts";
import { podKey } from "./pod-class.ts";

/** Terms that are alike, as those of one workload's pods are, with who has them. */
interface RepellingGroup {
  readonly term: PodAffinityTerm;
  readonly selector: PodAffinityTerm["labelSelector"];
  readonly namespace: string;
  readonly owners: { readonly pod: Pod; readonly bin: number }[];
}

const none: ReadonlySet<number> = new Set();

/**
 * Required anti-affinity of pods that run already: kube-scheduler honours it against newcomers too. Per host it keeps a
 * newcomer off that node; over any wider topology the newcomer is refused, until topologies are counted.
 */
export class RepellingTerms {
  readonly #groups: readonly RepellingGroup[];
  readonly #owners = new Set<string>();
  readonly #namespaceLabels: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Groups that repel pods of a namespace with some labels. */
  readonly #repelling = new Map<string, readonly number[]>();
  readonly #binsOff = new Map<string, ReadonlySet<number>>();

  constructor(snapshot: Snapshot, bins: readonly NodeBin[], nominated: ReadonlyMap<string, readonly Pod[]>) {
    const groups = new Map<string, RepellingGroup>();
    const binOf = new Map<string, number>();
    bins.forEach(({ nodeName }, index) => {
      if (nodeName !== undefined) binOf.set(nodeName, index);
    });
    const note = (pod: Pod, bin: number): void => {
      this.#owners.add(pod.uid);
      for (const term of pod.requiredPodAntiAffinity) {
        const selector = withLabelKeys(term, pod);
        const key = JSON.stringify([pod.namespace, term, selector]);
        const known = groups.get(key);
        if (known === undefined) groups.set(key, { term, selector, namespace: pod.namespace, owners: [{ pod, bin }] });
        else known.owners.push({ pod, bin });
      }
    };
    for (const pod of snapshot.pods) {
      if (pod.nodeName === undefined || pod.requiredPodAntiAffinity.length === 0) continue;
      if (pod.phase !== "Succeeded" && pod.phase !== "Failed") note(pod, binOf.get(pod.nodeName) ?? -1);
    }
    bins.forEach(({ target }, index) => {
      for (const pod of nominated.get(target) ?? []) note(pod, index);
    });
    this.#groups = [...groups.keys()].sort().map((key) => groups.get(key)!);
    this.#namespaceLabels = new Map(snapshot.namespaces.map(({ name, labels }) => [name, labels]));
  }

  get empty(): boolean {
    return this.#groups.length === 0;
  }

  /** Why a pod can be placed nowhere; undefined: it can. */
  refusal(pod: Pod): string | undefined {
    for (const index of this.#repellingGroups(pod)) {
      const { term, owners } = this.#groups[index]!;
      const other = term.topologyKey === wellKnown.hostname ? undefined : owners.find((one) => one.pod.uid !== pod.uid);
      if (other === undefined) continue;
      return `the running pod ${podKey(other.pod)} repels it by required anti-affinity over ${term.topologyKey}, which is not planned for yet`;
    }
    return undefined;
  }

  /** The same text for pods that the same bins repel. */
  mark(pod: Pod): string {
    const groups = this.#repellingGroups(pod);
    if (groups.length === 0) return "";
    return this.#owners.has(pod.uid) ? `${groups.join(",")} but ${pod.uid}` : groups.join(",");
  }

  /** Bins whose pods repel this pod. */
  binsOff(pod: Pod): ReadonlySet<number> {
    const mark = this.mark(pod);
    if (mark === "") return none;
    let off = this.#binsOff.get(mark);
    if (off === undefined) {
      const owners = this.#repellingGroups(pod).flatMap((index) => this.#groups[index]!.owners);
      off = new Set(owners.filter((one) => one.bin >= 0 && one.pod.uid !== pod.uid).map(({ bin }) => bin));
      this.#binsOff.set(mark, off);
    }
    return off;
  }

  #repellingGroups(pod: Pod): readonly number[] {
    const key = JSON.stringify([pod.namespace, pod.labels]);
    let found = this.#repelling.get(key);
    if (found === undefined) {
      found = [...this.#groups.keys()].filter((index) => {
        const group = this.#groups[index]!;
        return this.#isInNamespace(group, pod) && selects(group.selector, pod.labels);
      });
      this.#repelling.set(key, found);
    }
    return found;
  }

  #isInNamespace({ term, namespace }: RepellingGroup, pod: Pod): boolean {
    if (term.namespaces.includes(pod.namespace)) return true;
    if (term.namespaceSelector !== undefined) {
      return selects(term.namespaceSelector, this.#namespaceLabels.get(pod.namespace) ?? {});
    }
    return term.namespaces.length === 0 && pod.namespace === namespace;
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
