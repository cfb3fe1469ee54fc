import type { Condition, Statement } from "../../stacks/policies.ts";

// What IAM would say: a request is allowed if a statement allows its action on its resource under its conditions.

export interface AccessRequest {
  /** `dynamodb:GetItem` */
  readonly action: string;
  /** ARN, or `*` where the action has none. */
  readonly resource: string;
  /** Condition keys that the request has, with their values. */
  readonly context: Readonly<Record<string, readonly string[]>>;
}

export function allows(statements: readonly Statement[], request: AccessRequest): boolean {
  return statements.some(
    ({ actions, resources, conditions = [] }) =>
      actions.includes(request.action) &&
      resources.some((resource) => isLike(request.resource, resource)) &&
      conditions.every((condition) => holds(condition, request.context)),
  );
}

/** The operators that the policies here use. A key that is absent fails, but for those made for sets, and `IfExists`. */
function holds({ test, variable, values }: Condition, context: AccessRequest["context"]): boolean {
  const found = context[variable];
  switch (test) {
    case "StringEquals":
      return found?.some((value) => values.includes(value)) ?? false;
    case "StringEqualsIfExists":
      return found === undefined || found.some((value) => values.includes(value));
    case "ForAllValues:StringEquals":
      return (found ?? []).every((value) => values.includes(value));
    case "ForAllValues:StringLike":
      return (found ?? []).every((value) => values.some((pattern) => isLike(value, pattern)));
    case "ArnLike":
      return found?.some((value) => values.some((pattern) => isLike(value, pattern))) ?? false;
    case "Null":
      return String(found === undefined) === values[0];
    default:
      throw new Error(`the policies have an operator that this test does not know: ${test}`);
  }
}

function isLike(text: string, pattern: string): boolean {
  const escaped = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${escaped}$`, "s").test(text);
}
