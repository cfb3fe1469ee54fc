import { type LabelSelector, own, type RequirementSpec } from "../model/index.ts";

/** Kubernetes' label selector rule. An absent selector selects nothing, an empty one everything. */
export function selects(selector: LabelSelector | undefined, labels: Readonly<Record<string, string>>): boolean {
  if (selector === undefined) return false;
  for (const key of Object.keys(selector.matchLabels)) {
    if (own(labels, key) !== selector.matchLabels[key]) return false;
  }
  return selector.matchExpressions.every((expression) => holds(expression, own(labels, expression.key)));
}

function holds({ operator, values }: RequirementSpec, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return false;
  }
}
