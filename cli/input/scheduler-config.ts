// Karpenter's SCHEDULER_CONFIG: what kube-scheduler's configuration says of topology spread, as JSON.
import type { DefaultSpread } from "../../shared/core/model/index.ts";
import { fieldsOf, isObject, type Json } from "./documents.ts";

const known = ["topologyKey", "maxSkew", "minDomains", "whenUnsatisfiable"];

/** @throws Error that says what is wrong, to follow the setting's value */
export function readDefaultSpread(text: string): DefaultSpread[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error("is not JSON", { cause });
  }
  const constraints = fieldsOf(fieldsOf(value).podTopologySpread).defaultConstraints;
  if (!Array.isArray(constraints) || !constraints.every(isObject)) {
    throw new Error('is not of the form {"podTopologySpread":{"defaultConstraints":[{…}]}}');
  }
  return constraints.map((constraint, index) =>
    constraintOf(constraint, `podTopologySpread.defaultConstraints[${index}]`),
  );
}

function constraintOf(constraint: Json, where: string): DefaultSpread {
  const odd = Object.keys(constraint).find((field) => !known.includes(field));
  if (odd !== undefined)
    throw new Error(
      `has ${where}.${odd}: only ${known.join(", ")} are known; what is counted follows from what owns a pod`,
    );
  const { topologyKey, maxSkew, minDomains, whenUnsatisfiable } = constraint;
  if (typeof topologyKey !== "string" || topologyKey === "") throw new Error(`has no ${where}.topologyKey`);
  const isCount = (count: unknown): count is number => Number.isInteger(count) && (count as number) > 0;
  if (!isCount(maxSkew)) throw new Error(`has no whole number from 1 on in ${where}.maxSkew`);
  if (minDomains !== undefined && !isCount(minDomains))
    throw new Error(`has no whole number from 1 on in ${where}.minDomains`);
  if (whenUnsatisfiable !== "DoNotSchedule" && whenUnsatisfiable !== "ScheduleAnyway") {
    throw new Error(`has neither DoNotSchedule nor ScheduleAnyway in ${where}.whenUnsatisfiable`);
  }
  return { topologyKey, maxSkew, whenUnsatisfiable, ...(minDomains === undefined ? {} : { minDomains }) };
}
