// Required pod affinity and anti-affinity, that of running pods included, as kube-scheduler's InterPodAffinity has them.
import { own } from "../../../shared/core/model/index.ts";
import type { KubeObject } from "../../kube/types.ts";
import { narrowedSelector, selectsLabels } from "../selection.ts";
import { type Filter, labelsOf, type NodeRoom, type Surroundings } from "./room.ts";

interface Term {
  readonly key: string;
  /** Whether another pod is one that the term means. */
  means(other: KubeObject): boolean;
}

/** Values of a node label, by its key, where pods stand that matter. */
type Domains = Map<string, Set<string>>;

/** Refuses nodes that are away from those the pod wants near, near to those it wants away, or near to one that repels it. */
export function podAffinityFilter(pod: KubeObject, { rooms, namespaces }: Surroundings): Filter {
  const near = termsOf(pod, "podAffinity", namespaces);
  const away = termsOf(pod, "podAntiAffinity", namespaces);
  const repelled: Domains = new Map();
  const wanted: Domains = new Map();
  const shunned: Domains = new Map();
  for (const room of rooms) {
    for (const other of room.pods) {
      for (const term of termsOf(other, "podAntiAffinity", namespaces)) if (term.means(pod)) add(repelled, term, room);
      // A pod counts for the affinity only if all of its terms mean it.
      if (near.length > 0 && near.every((term) => term.means(other))) for (const term of near) add(wanted, term, room);
      for (const term of away) if (term.means(other)) add(shunned, term, room);
    }
  }
  // The first of those who want to be near each other may go where it likes.
  const isFirst = wanted.size === 0 && near.every((term) => term.means(pod));
  return ({ node }) => {
    const labels = labelsOf(node);
    if (near.some(({ key }) => own(labels, key) === undefined)) return "didn't match pod affinity rules";
    if (!isFirst && !near.every(({ key }) => isIn(wanted, key, labels))) return "didn't match pod affinity rules";
    if (away.some(({ key }) => isIn(shunned, key, labels))) return "didn't match pod anti-affinity rules";
    const isRepelled = [...repelled.keys()].some((key) => isIn(repelled, key, labels));
    return isRepelled ? "didn't satisfy existing pods anti-affinity rules" : undefined;
  };
}

function isIn(domains: Domains, key: string, labels: Record<string, string>): boolean {
  const value = own(labels, key);
  return value !== undefined && domains.get(key)?.has(value) === true;
}

function add(domains: Domains, { key }: Term, { node }: NodeRoom): void {
  const value = own(labelsOf(node), key);
  if (value === undefined) return;
  const values = domains.get(key) ?? new Set();
  domains.set(key, values.add(value));
}

function termsOf(
  owner: KubeObject,
  kind: "podAffinity" | "podAntiAffinity",
  namespaces: Surroundings["namespaces"],
): Term[] {
  const terms = owner.spec.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return (terms as KubeObject["spec"][]).map((term) => {
    const named: readonly string[] = term.namespaces ?? [];
    const inOwn = named.length === 0 && term.namespaceSelector === undefined;
    const selector = narrowedSelector(term.labelSelector, labelsOf(owner), term.matchLabelKeys, term.mismatchLabelKeys);
    const covers = (namespace: string) =>
      inOwn
        ? namespace === owner.metadata.namespace
        : named.includes(namespace) || selectsLabels(term.namespaceSelector, namespaces.get(namespace));
    return {
      key: term.topologyKey,
      means: (other) => covers(other.metadata.namespace ?? "") && selectsLabels(selector, other.metadata.labels),
    };
  });
}
