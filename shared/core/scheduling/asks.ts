import type { NodeSelectorTerm, PodSpec } from "../model/index.ts";
import { labels, type RequirementSpec } from "../model/index.ts";
import { RequirementError, Requirements } from "../requirements/index.ts";

/**
 * A node's own name beside its labels, which `matchFields` asks for. No label can have this key: "metadata.name" alone
 * could.
 */
export const nodeNameKey = "field:metadata.name";

/** What pods may ask of a node's labels, each thing once. Ask 0 is nothing. */
export class AskTable {
  readonly #byText = new Map<string, number>([["", 0]]);
  readonly #all: Requirements[] = [Requirements.none];

  intern(requirements: Requirements): number {
    const text = requirements.size === 0 ? "" : JSON.stringify(requirements.toSpecs());
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    this.#all.push(requirements);
    this.#byText.set(text, this.#all.length - 1);
    return this.#all.length - 1;
  }

  get(ask: number): Requirements {
    return this.#all[ask]!;
  }

  get size(): number {
    return this.#all.length;
  }
}

/** Which nodes a pod selects: it runs where one of the alternatives holds; none at all: nowhere. */
export interface Selection {
  readonly alternatives: readonly number[];
  /** What was wrong with a term that had to be left out. */
  readonly error?: string;
}

/**
 * nodeSelector and the OR'd required terms, in order, each with the selector in it. A term without any expression selects
 * nothing (Kubernetes' rule), and neither does one that cannot be read.
 */
export function selectionOf(
  spec: Pick<PodSpec, "nodeSelector"> & { readonly requiredNodeAffinity?: readonly NodeSelectorTerm[] | undefined },
  asks: AskTable,
  options: { readonly anyHost: boolean },
): Selection {
  const selector = strip(Requirements.fromLabels(spec.nodeSelector), options.anyHost);
  if (spec.requiredNodeAffinity === undefined) return { alternatives: [asks.intern(selector)] };
  const alternatives: number[] = [];
  let error: string | undefined;
  for (const { expressions, fields } of spec.requiredNodeAffinity) {
    if (expressions.length + fields.length === 0) continue;
    try {
      const term = strip(Requirements.of([...expressions, ...fields.map(fieldRequirement)]), options.anyHost);
      const ask = asks.intern(selector.intersection(term));
      if (!alternatives.includes(ask)) alternatives.push(ask);
    } catch (cause) {
      if (!(cause instanceof RequirementError)) throw cause;
      error = cause.message;
    }
  }
  return error === undefined ? { alternatives } : { alternatives, error };
}

/** Kubernetes knows one field only. Throws RequirementError for any other: its term selects nothing. */
function fieldRequirement(spec: RequirementSpec): RequirementSpec {
  if (spec.key === "metadata.name") return { ...spec, key: nodeNameKey };
  throw new RequirementError(spec.key, "matchFields knows only metadata.name; use matchExpressions for labels");
}

/** The DaemonSet controller pins each pod to its host; for the question "would one run there" that is noise (core#1727). */
function strip(requirements: Requirements, anyHost: boolean): Requirements {
  return anyHost ? requirements.without(labels.hostname).without(nodeNameKey) : requirements;
}
