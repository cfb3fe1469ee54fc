import type { NodeSelectorTerm, PersistentVolume, StorageClass } from "../../model/index.ts";
import { normalizeLabelKey, Requirement, Requirements } from "../../requirements/index.ts";
import { nodeNameKey } from "../asks.ts";

/** Which nodes something can be reached from: those that meet one of the alternatives. None: no node. */
export type Reach = readonly Requirements[];

export const anywhere: Reach = [Requirements.none];

/** Reach as text, the same for the same alternatives in any order. */
export function reachText(reach: Reach): string {
  return reach.map(String).sort().join(" or ");
}

/**
 * From where both are reached: every pair of alternatives that goes together. In the order of their texts, so that equal
 * reaches are equal lists.
 */
export function both(a: Reach, b: Reach): Reach {
  if (a === anywhere || a === b) return b;
  if (b === anywhere) return a;
  return simplified(a.flatMap((one) => b.map((other) => one.intersection(other))));
}

/** From where either is reached. */
export function either(all: readonly Reach[]): Reach {
  return simplified(all.flat());
}

function simplified(alternatives: Reach): Reach {
  const byText = new Map<string, Requirements>();
  for (const one of alternatives) if (!one.impossible) byText.set(String(one), one);
  const some = [...byText.keys()].sort().map((text) => byText.get(text)!);
  if (some.some(({ size }) => size === 0)) return anywhere;
  return united(some) ?? some;
}

/** Alternatives that only list values of the same label are one list of values. */
function united(alternatives: Reach): Reach | undefined {
  const values = new Set<string>();
  const keys = new Set<string>();
  for (const one of alternatives) {
    const [requirement] = one;
    if (one.size !== 1 || requirement!.complement || requirement!.absent) return undefined;
    keys.add(requirement!.key);
    for (const value of requirement!.values) values.add(value);
  }
  const [key] = keys;
  return keys.size === 1 ? [Requirements.from([Requirement.in(key!, [...values].sort())])] : undefined;
}

/**
 * From where a volume is reached: by its node affinity, of which a term without any expression selects nothing, and by its
 * zone and region labels, whose values may be several with "__" between them (both are kube-scheduler's rules). Hostname
 * terms count too, unlike in Karpenter: no new node has that name, and kube-scheduler would bind the pod nowhere else.
 * @throws RequirementError for terms that cannot be read
 */
export function reachOfVolume({ nodeAffinity, labels }: PersistentVolume): Reach {
  const placed = Requirements.from(
    Object.entries(labels).map(([key, value]) => Requirement.in(normalizeLabelKey(key), value.split("__"))),
  );
  if (nodeAffinity === undefined) return simplified([placed]);
  return both([placed], reachOfTerms(nodeAffinity));
}

/** From the nodes that meet one of the terms; a term without any expression selects nothing. */
export function reachOfTerms(terms: readonly NodeSelectorTerm[]): Reach {
  const some = terms.filter(({ expressions, fields }) => expressions.length + fields.length > 0);
  return simplified(
    some.map(({ expressions, fields }) =>
      Requirements.of([...expressions, ...fields.map((field) => ({ ...field, key: nodeNameKey }))]),
    ),
  );
}

/** Where volumes of a class can be made: allowedTopologies are OR'd; none: anywhere. */
export function reachOfClass({ allowedTopologies }: StorageClass): Reach {
  const some = allowedTopologies.filter((term) => term.length > 0);
  return some.length === 0 ? anywhere : simplified(some.map((term) => Requirements.of(term)));
}

/** The node of that name alone. */
export function onlyNode(name: string): Reach {
  return [Requirements.from([Requirement.in(nodeNameKey, [name])])];
}

/** For people: `topology.kubernetes.io/zone In ["us-east-1a"]`, a node by its name as such. */
export function reachWords(reach: Reach): string {
  if (reach.length === 0) return "no node";
  const words = reach.map((one) => (one.size === 0 ? "any node" : String(one)));
  return words.join(" or ").replaceAll(nodeNameKey, "node");
}
