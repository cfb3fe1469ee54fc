// Node selection as kube-scheduler defines it (nodeSelector, required node affinity, taints and tolerations, label
// selectors), written apart from the planning core: what the planner says is judged here by other code.
import { own } from "../../shared/core/model/index.ts";
import type { KubeObject } from "../kube/types.ts";

interface SelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

interface Taint {
  key: string;
  value?: string;
  effect: string;
}

interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
}

function matchesExpression(requirement: SelectorRequirement, value: string | undefined): boolean {
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) > Number(values[0]);
    case "Lt":
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

/** A LabelSelector over labels. An absent selector selects nothing, an empty one everything. */
export function selectsLabels(selector: KubeObject["selector"], labels: Record<string, string> | undefined): boolean {
  if (selector === undefined || selector === null) return false;
  const byLabel = Object.entries((selector.matchLabels ?? {}) as Record<string, string>);
  const byExpression = (selector.matchExpressions ?? []) as SelectorRequirement[];
  return (
    byLabel.every(([key, value]) => own(labels ?? {}, key) === value) &&
    byExpression.every((e) => matchesExpression(e, own(labels ?? {}, e.key)))
  );
}

/** The empty selector. */
export function selectsEverything(selector: KubeObject["selector"]): boolean {
  if (selector === undefined || selector === null) return false;
  return Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;
}

/**
 * A rule's selector with its `matchLabelKeys` and `mismatchLabelKeys`: narrowed to pods that have the owner's own values of
 * the first, and not those of the second. Keys that the owner has no label for count for nothing.
 */
export function narrowedSelector(
  selector: KubeObject["selector"],
  ownLabels: Record<string, string>,
  same: readonly string[] = [],
  different: readonly string[] = [],
): KubeObject["selector"] {
  if (selector === undefined || selector === null) return undefined;
  const asks = (keys: readonly string[], operator: string) =>
    keys.flatMap((key) => {
      const value = own(ownLabels, key);
      return value === undefined ? [] : [{ key, operator, values: [value] }];
    });
  const more = [...asks(same, "In"), ...asks(different, "NotIn")];
  return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...more] };
}

/** nodeSelector and required node affinity: the terms are OR'd, an empty term matches nothing. */
export function matchesNode(podSpec: KubeObject["spec"], node: KubeObject): boolean {
  const labels = node.metadata.labels ?? {};
  const wanted = Object.entries((podSpec.nodeSelector ?? {}) as Record<string, string>);
  if (!wanted.every(([key, value]) => own(labels, key) === value)) return false;
  const terms = podSpec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms as
    | { matchExpressions?: SelectorRequirement[]; matchFields?: SelectorRequirement[] }[]
    | undefined;
  if (terms === undefined) return true;
  return terms.some((term) => {
    const expressions = term.matchExpressions ?? [];
    const fields = term.matchFields ?? [];
    if (expressions.length + fields.length === 0) return false;
    return (
      expressions.every((e) => matchesExpression(e, own(labels, e.key))) &&
      fields.every((f) => f.key === "metadata.name" && matchesExpression(f, node.metadata.name))
    );
  });
}

function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === "Exists") return true;
  return toleration.key !== undefined && (toleration.value ?? "") === (taint.value ?? "");
}

/** Every taint with one of these effects is tolerated. */
export function toleratesAll(
  tolerations: readonly Toleration[] | undefined,
  taints: readonly Taint[],
  effects: readonly string[],
): boolean {
  return taints
    .filter((taint) => effects.includes(taint.effect))
    .every((taint) => (tolerations ?? []).some((toleration) => tolerates(toleration, taint)));
}
