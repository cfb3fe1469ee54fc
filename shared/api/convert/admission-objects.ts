// What admission consults: PriorityClasses and LimitRanges.
import type { Resources } from "../../core/model/index.ts";
import { amounts, choice, converting, each, FieldProblem, fieldsOf, numberOr } from "./fields.ts";
import { metadataOf } from "./metadata.ts";

export interface PriorityClass {
  readonly name: string;
  readonly value: number;
  readonly globalDefault: boolean;
  readonly preempts: boolean;
}

/** What containers of a namespace get when they don't say. */
export interface LimitRange {
  readonly namespace: string;
  readonly name: string;
  readonly containerDefaults: readonly { readonly requests: Resources; readonly limits: Resources }[];
}

/** @throws UnreadableObjectError */
export function toPriorityClass(document: unknown): PriorityClass {
  return converting("PriorityClass", document, (priorityClass) => {
    const value = numberOr(priorityClass.value, undefined, "value");
    if (value === undefined) throw new FieldProblem("value", "is missing");
    return {
      name: metadataOf(priorityClass).name,
      value,
      globalDefault: priorityClass.globalDefault === true,
      preempts:
        choice(
          priorityClass.preemptionPolicy,
          ["PreemptLowerPriority", "Never"],
          "preemptionPolicy",
          "PreemptLowerPriority",
        ) !== "Never",
    };
  });
}

/** Defaults of limits of `type: Container`; a default limit without a default request is the request too. */
export function toLimitRange(document: unknown): LimitRange {
  return converting("LimitRange", document, (range) => {
    const { namespace, name } = metadataOf(range);
    const containerDefaults = each(fieldsOf(range.spec, "spec").limits, "spec.limits", (item) => {
      const limits = amounts(item.default, "up", "default");
      const requests = { ...limits, ...amounts(item.defaultRequest, "up", "defaultRequest") };
      return item.type === "Container" ? [{ requests, limits }] : [];
    }).flat();
    return { namespace: namespace ?? "default", name, containerDefaults };
  });
}
