// Karpenter's SCHEDULER_CONFIG: what kube-scheduler's configuration says of topology spread, as JSON or an object.
import type { DefaultSpread } from "../core/model/index.ts";

type Fields = Readonly<Record<string, unknown>>;

const known = ["topologyKey", "maxSkew", "minDomains", "whenUnsatisfiable"];

/**
 * The spreads of pods without one of their own, from the configuration or its JSON.
 * @throws Error that says what is wrong, to follow the setting's name or value
 */
export function readDefaultSpread(written: unknown): readonly DefaultSpread[] {
  const value = typeof written === "string" ? parsed(written) : written;
  const constraints = fieldsOf(fieldsOf(value).podTopologySpread).defaultConstraints;
  if (!Array.isArray(constraints) || !constraints.every(isObject)) {
    throw new Error('is not of the form {"podTopologySpread":{"defaultConstraints":[{…}]}}');
  }
  return constraints.map((constraint, index) =>
    constraintOf(constraint, `podTopologySpread.defaultConstraints[${index}]`),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error("is not JSON", { cause });
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function constraintOf(constraint: Fields, where: string): DefaultSpread {
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
