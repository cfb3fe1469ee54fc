import type {
  LabelSelector,
  NodeSelectorTerm,
  PodAffinityTerm,
  PodSpec,
  PreferredTerm,
  RequirementSpec,
  TopologySpread,
} from "../../core/model/index.ts";
import {
  choice,
  type Document,
  each,
  FieldProblem,
  fieldsOf,
  given,
  inside,
  numberOr,
  text,
  textMap,
  texts,
} from "./fields.ts";

const nodeOperators = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"] as const;
const labelOperators = ["In", "NotIn", "Exists", "DoesNotExist"] as const;

/** A node selector's or label selector's expression; what the API server would refuse is refused here too. */
function expressionOf(item: Document, operators: readonly RequirementSpec["operator"][]): RequirementSpec {
  const operator = choice(item.operator, operators, "operator");
  const values = texts(item.values, "values");
  if ((operator === "In" || operator === "NotIn") && values.length === 0) {
    throw new FieldProblem("values", `operator ${operator} needs at least one value`);
  }
  if ((operator === "Exists" || operator === "DoesNotExist") && values.length > 0) {
    throw new FieldProblem("values", `operator ${operator} takes no values`);
  }
  if ((operator === "Gt" || operator === "Lt") && !(values.length === 1 && /^[+-]?[0-9]+$/.test(values[0]!))) {
    throw new FieldProblem("values", `operator ${operator} takes exactly one whole number`);
  }
  return { key: text(item.key, "key"), operator, values };
}

/** Nodes can be selected by one field only. */
function fieldOf(item: Document): RequirementSpec {
  const field = expressionOf(item, ["In", "NotIn"]);
  if (field.key === "metadata.name") return field;
  throw new FieldProblem(
    "key",
    `matchFields knows only metadata.name, not "${field.key}"; labels go to matchExpressions`,
  );
}

/** One OR'd term of a node selector, of pods and of volumes. */
export function nodeTermOf(term: Document): NodeSelectorTerm {
  return {
    expressions: each(term.matchExpressions, "matchExpressions", (item) => expressionOf(item, nodeOperators)),
    fields: each(term.matchFields, "matchFields", fieldOf),
  };
}

/** A label selector; absent: undefined (selects nothing), empty: selects everything. */
export function labelSelectorOf(value: unknown, field: string): LabelSelector | undefined {
  if (value === undefined || value === null) return undefined;
  const selector = fieldsOf(value, field);
  return {
    matchLabels: textMap(selector.matchLabels, `${field}.matchLabels`),
    matchExpressions: each(selector.matchExpressions, `${field}.matchExpressions`, (item) =>
      expressionOf(item, labelOperators),
    ),
  };
}

function podTermOf(term: Document): PodAffinityTerm {
  return {
    topologyKey: text(term.topologyKey, "topologyKey"),
    ...given("labelSelector", labelSelectorOf(term.labelSelector, "labelSelector")),
    namespaces: texts(term.namespaces, "namespaces"),
    ...given("namespaceSelector", labelSelectorOf(term.namespaceSelector, "namespaceSelector")),
    matchLabelKeys: texts(term.matchLabelKeys, "matchLabelKeys"),
    mismatchLabelKeys: texts(term.mismatchLabelKeys, "mismatchLabelKeys"),
  };
}

/** Preferred terms, with the field that holds the term itself. */
function preferredOf<T>(
  value: unknown,
  field: string,
  inner: string,
  read: (term: Document) => T,
): readonly PreferredTerm<T>[] {
  return each(value, field, (item) => ({
    weight: numberOr(item.weight, 1, "weight"),
    term: inside(item[inner], inner, read),
  }));
}

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

type Affinity = Pick<
  PodSpec,
  | "requiredNodeAffinity"
  | "preferredNodeAffinity"
  | "requiredPodAffinity"
  | "requiredPodAntiAffinity"
  | "preferredPodAffinity"
  | "preferredPodAntiAffinity"
>;

const none: Affinity = Object.freeze({
  preferredNodeAffinity: [],
  requiredPodAffinity: [],
  requiredPodAntiAffinity: [],
  preferredPodAffinity: [],
  preferredPodAntiAffinity: [],
});

/** `spec.affinity` of a pod. */
export function affinityOf(value: unknown): Affinity {
  if (value === undefined || value === null) return none;
  const affinity = fieldsOf(value, "spec.affinity");
  const node = fieldsOf(affinity.nodeAffinity, "spec.affinity.nodeAffinity");
  const pod = fieldsOf(affinity.podAffinity, "spec.affinity.podAffinity");
  const anti = fieldsOf(affinity.podAntiAffinity, "spec.affinity.podAntiAffinity");
  const at = (kind: string, when: string) => `spec.affinity.${kind}.${when}`;
  return {
    ...given("requiredNodeAffinity", nodeTermsOf(node[required], at("nodeAffinity", required))),
    preferredNodeAffinity: preferredOf(node[preferred], at("nodeAffinity", preferred), "preference", nodeTermOf),
    requiredPodAffinity: each(pod[required], at("podAffinity", required), podTermOf),
    requiredPodAntiAffinity: each(anti[required], at("podAntiAffinity", required), podTermOf),
    preferredPodAffinity: preferredOf(pod[preferred], at("podAffinity", preferred), "podAffinityTerm", podTermOf),
    preferredPodAntiAffinity: preferredOf(
      anti[preferred],
      at("podAntiAffinity", preferred),
      "podAffinityTerm",
      podTermOf,
    ),
  };
}

/** OR'd node selector terms; undefined if none are asked for. */
function nodeTermsOf(value: unknown, field: string): readonly NodeSelectorTerm[] | undefined {
  if (value === undefined || value === null) return undefined;
  const terms = each(fieldsOf(value, field).nodeSelectorTerms, `${field}.nodeSelectorTerms`, nodeTermOf);
  if (terms.length === 0) throw new FieldProblem(`${field}.nodeSelectorTerms`, "is empty; give a term or remove it");
  return terms;
}

/** `spec.topologySpreadConstraints` of a pod, with Kubernetes' defaults. */
export function topologySpreadOf(value: unknown): readonly TopologySpread[] {
  return each(value, "spec.topologySpreadConstraints", (spread) => ({
    topologyKey: text(spread.topologyKey, "topologyKey"),
    maxSkew: positive(numberOr(spread.maxSkew, 1, "maxSkew"), "maxSkew"),
    ...given("minDomains", numberOr(spread.minDomains, undefined, "minDomains")),
    whenUnsatisfiable: choice(spread.whenUnsatisfiable, ["DoNotSchedule", "ScheduleAnyway"], "whenUnsatisfiable"),
    ...given("labelSelector", labelSelectorOf(spread.labelSelector, "labelSelector")),
    matchLabelKeys: texts(spread.matchLabelKeys, "matchLabelKeys"),
    nodeAffinityPolicy: choice(spread.nodeAffinityPolicy, ["Honor", "Ignore"], "nodeAffinityPolicy", "Honor"),
    nodeTaintsPolicy: choice(spread.nodeTaintsPolicy, ["Honor", "Ignore"], "nodeTaintsPolicy", "Ignore"),
  }));
}

function positive(value: number, field: string): number {
  if (value < 1) throw new FieldProblem(field, `expected 1 or more, got ${value}`);
  return value;
}
