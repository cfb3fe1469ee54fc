import type { Toleration } from "../../core/model/index.ts";
import { choice, type Document, FieldProblem, numberOr, textOr } from "./fields.ts";
import { taintEffects } from "./metadata.ts";

/** A toleration of a pod, or of a request for devices. */
export function tolerationOf(toleration: Document): Toleration {
  const operator = choice(toleration.operator || undefined, ["Equal", "Exists", "Lt", "Gt"], "operator", "Equal");
  const key = textOr(toleration.key, undefined, "key") || undefined;
  const value = textOr(toleration.value, undefined, "value");
  if (key === undefined && operator !== "Exists") {
    throw new FieldProblem("operator", "must be Exists when there is no key");
  }
  if (operator === "Exists" && value) throw new FieldProblem("value", "must be empty when the operator is Exists");
  const result: { -readonly [K in keyof Toleration]: Toleration[K] } = { operator };
  if (key !== undefined) result.key = key;
  if (value !== undefined) result.value = value;
  if (toleration.effect) result.effect = choice(toleration.effect, taintEffects, "effect");
  const seconds = numberOr(toleration.tolerationSeconds, undefined, "tolerationSeconds");
  if (seconds !== undefined) result.tolerationSeconds = seconds;
  return result;
}
