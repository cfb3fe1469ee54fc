// What makes a pod's wishes for a place invalid (selectors, affinity, spread, tolerations, host ports), with the API server's
// wording where clients are known to show it. `timmerman plan` reads manifests under the same rules.
import type { FieldError } from "../../../shared/api/schema/field-error.ts";
import { isObject, listAt, objectAt, stringAt } from "../json.ts";
import type { Json, JsonObject } from "../types.ts";
import { labelErrors, qualifiedNameProblem } from "./names.ts";

const hard = "requiredDuringSchedulingIgnoredDuringExecution";
const soft = "preferredDuringSchedulingIgnoredDuringExecution";

export function required(path: string, detail = ""): FieldError {
  return { path, type: "Required", detail };
}

export function unsupported(path: string, value: Json | undefined, allowed: readonly string[]): FieldError {
  const list = allowed.map((v) => JSON.stringify(v)).join(", ");
  return { path, type: "NotSupported", badValue: value ?? "", detail: `supported values: ${list}` };
}

function invalid(path: string, badValue: Json, detail: string): FieldError {
  return { path, type: "Invalid", badValue, detail };
}

function objectsAt(root: unknown, ...path: string[]): JsonObject[] {
  return listAt(root, ...path).filter(isObject);
}

/** Everything that is wrong with where a pod spec at `path` wants to run. */
export function placementErrors(spec: JsonObject, path: string): FieldError[] {
  const affinity = objectAt(spec, "affinity");
  return [
    ...labelErrors(objectAt(spec, "nodeSelector"), `${path}.nodeSelector`),
    ...tolerationErrors(spec, path),
    ...spreadErrors(spec, path),
    ...nodeAffinityErrors(objectAt(affinity, "nodeAffinity"), `${path}.affinity.nodeAffinity`),
    ...podAffinityErrors(objectAt(affinity, "podAffinity"), `${path}.affinity.podAffinity`),
    ...podAffinityErrors(objectAt(affinity, "podAntiAffinity"), `${path}.affinity.podAntiAffinity`),
  ];
}

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function tolerationErrors(spec: JsonObject, path: string): FieldError[] {
  return objectsAt(spec, "tolerations").flatMap((t, i): FieldError[] => {
    const at = `${path}.tolerations[${i}]`;
    const errors: FieldError[] = [];
    const operator = t.operator ?? "Equal";
    if (!["Equal", "Exists"].includes(String(operator)))
      errors.push(unsupported(`${at}.operator`, operator, ["Equal", "Exists"]));
    if ((t.key ?? "") === "" && operator !== "Exists") {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalid(`${at}.operator`, operator, detail));
    }
    const key = stringAt(t, "key") ?? "";
    if (key !== "") errors.push(...labelKeyErrors(key, `${at}.key`));
    if (operator === "Exists" && (t.value ?? "") !== "")
      errors.push(invalid(`${at}.operator`, t.value!, "value must be empty when `operator` is 'Exists'"));
    if (t.effect !== undefined && t.effect !== "" && !effects.includes(String(t.effect)))
      errors.push(unsupported(`${at}.effect`, t.effect, effects));
    if (t.tolerationSeconds !== undefined && t.effect !== "NoExecute") {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalid(`${at}.effect`, t.effect ?? "", detail));
    }
    return errors;
  });
}

const actions = ["DoNotSchedule", "ScheduleAnyway"];
const policies = ["Honor", "Ignore"];

function spreadErrors(spec: JsonObject, path: string): FieldError[] {
  const all = objectsAt(spec, "topologySpreadConstraints");
  return all.flatMap((c, i): FieldError[] => {
    const at = `${path}.topologySpreadConstraints[${i}]`;
    const errors: FieldError[] = [];
    errors.push(...countErrors(c.maxSkew ?? 0, `${at}.maxSkew`), ...topologyKeyErrors(c, at));
    if (!actions.includes(String(c.whenUnsatisfiable)))
      errors.push(unsupported(`${at}.whenUnsatisfiable`, c.whenUnsatisfiable, actions));
    if (c.minDomains !== undefined && c.minDomains !== null) {
      errors.push(...countErrors(c.minDomains, `${at}.minDomains`));
      if (c.whenUnsatisfiable !== "DoNotSchedule") {
        const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${String(c.whenUnsatisfiable)}`;
        errors.push(invalid(`${at}.minDomains`, c.minDomains, detail));
      }
    }
    for (const field of ["nodeAffinityPolicy", "nodeTaintsPolicy"]) {
      const policy = c[field];
      if (policy !== undefined && policy !== null && !policies.includes(String(policy)))
        errors.push(unsupported(`${at}.${field}`, policy, policies));
    }
    if (all.slice(i + 1).some((other) => pairOf(other) === pairOf(c))) {
      const field = "{topologyKey, whenUnsatisfiable}";
      errors.push({ path: `${at}.${field}`, type: "Duplicate", badValue: pairOf(c), detail: "" });
    }
    return [...errors, ...selectorErrors(c, "labelSelector", at), ...keyListErrors(c, "matchLabelKeys", at)];
  });
}

function pairOf({ topologyKey, whenUnsatisfiable }: JsonObject): string {
  return `{${String(topologyKey)}, ${String(whenUnsatisfiable)}}`;
}

function countErrors(value: Json, path: string): FieldError[] {
  if (typeof value !== "number" || !Number.isInteger(value)) return [invalid(path, value, "must be a whole number")];
  return value > 0 ? [] : [invalid(path, value, "must be greater than zero")];
}

function topologyKeyErrors(of: JsonObject, path: string): FieldError[] {
  const key = stringAt(of, "topologyKey") ?? "";
  return key === ""
    ? [required(`${path}.topologyKey`, "can not be empty")]
    : labelKeyErrors(key, `${path}.topologyKey`);
}

function labelKeyErrors(key: string, path: string): FieldError[] {
  const problem = qualifiedNameProblem(key);
  return problem === undefined ? [] : [invalid(path, key, problem)];
}

/** Keys of labels that narrow a selector, which must be there for them. */
function keyListErrors(of: JsonObject, field: string, path: string): FieldError[] {
  const keys = listAt(of, field);
  if (keys.length > 0 && !isObject(of.labelSelector))
    return [
      { path: `${path}.${field}`, type: "Forbidden", detail: "must not be specified when labelSelector is not set" },
    ];
  return keys.flatMap((key, i) => labelKeyErrors(String(key), `${path}.${field}[${i}]`));
}

const selectorOperators = ["In", "NotIn", "Exists", "DoesNotExist"];

function selectorErrors(of: JsonObject, field: string, path: string): FieldError[] {
  const selector = of[field];
  if (!isObject(selector)) return [];
  const at = `${path}.${field}`;
  const expressions = objectsAt(selector, "matchExpressions").flatMap((e, i) =>
    expressionErrors(e, `${at}.matchExpressions[${i}]`, selectorOperators, "not a valid label selector operator"),
  );
  return [...labelErrors(objectAt(selector, "matchLabels"), `${at}.matchLabels`), ...expressions];
}

const nodeOperators = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];

function expressionErrors(e: JsonObject, path: string, operators: readonly string[], otherwise: string): FieldError[] {
  const values = listAt(e, "values");
  const operator = String(e.operator ?? "");
  const errors = labelKeyErrors(stringAt(e, "key") ?? "", `${path}.key`);
  if (!operators.includes(operator)) errors.push(invalid(`${path}.operator`, operator, otherwise));
  else if ((operator === "In" || operator === "NotIn") && values.length === 0)
    errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  else if ((operator === "Exists" || operator === "DoesNotExist") && values.length > 0) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    errors.push({ path: `${path}.values`, type: "Forbidden", detail });
  } else if ((operator === "Gt" || operator === "Lt") && values.length !== 1)
    errors.push(required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
  return errors;
}

function nodeTermErrors(term: JsonObject, path: string): FieldError[] {
  return objectsAt(term, "matchExpressions").flatMap((e, i) =>
    expressionErrors(e, `${path}.matchExpressions[${i}]`, nodeOperators, "not a valid selector operator"),
  );
}

function nodeAffinityErrors(affinity: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (isObject(affinity[hard])) {
    const terms = objectsAt(affinity, hard, "nodeSelectorTerms");
    const at = `${path}.${hard}.nodeSelectorTerms`;
    if (terms.length === 0) errors.push(required(at, "must have at least one node selector term"));
    errors.push(...terms.flatMap((term, i) => nodeTermErrors(term, `${at}[${i}]`)));
  }
  const wishes = objectsAt(affinity, soft).flatMap((wish, i) => {
    const at = `${path}.${soft}[${i}]`;
    return [...weightErrors(wish, at), ...nodeTermErrors(objectAt(wish, "preference"), `${at}.preference`)];
  });
  return [...errors, ...wishes];
}

function weightErrors({ weight = 0 }: JsonObject, path: string): FieldError[] {
  const isWeight = typeof weight === "number" && Number.isInteger(weight) && weight >= 1 && weight <= 100;
  return isWeight ? [] : [invalid(`${path}.weight`, weight, "must be in the range 1-100")];
}

function podAffinityErrors(affinity: JsonObject, path: string): FieldError[] {
  const demands = objectsAt(affinity, hard).flatMap((term, i) => podTermErrors(term, `${path}.${hard}[${i}]`));
  const wishes = objectsAt(affinity, soft).flatMap((wish, i) => {
    const at = `${path}.${soft}[${i}]`;
    return [...weightErrors(wish, at), ...podTermErrors(objectAt(wish, "podAffinityTerm"), `${at}.podAffinityTerm`)];
  });
  return [...demands, ...wishes];
}

function podTermErrors(term: JsonObject, path: string): FieldError[] {
  return [
    ...topologyKeyErrors(term, path),
    ...selectorErrors(term, "labelSelector", path),
    ...selectorErrors(term, "namespaceSelector", path),
    ...keyListErrors(term, "matchLabelKeys", path),
    ...keyListErrors(term, "mismatchLabelKeys", path),
  ];
}

const protocols = ["TCP", "UDP", "SCTP"];
export const portRule = "must be between 1 and 65535, inclusive";

/** Host ports of one container at `path`; `taken` holds the host ports of the containers before it, and gets those of this one. */
export function hostPortErrors(container: JsonObject, path: string, taken: Set<string>): FieldError[] {
  return objectsAt(container, "ports").flatMap((port, i): FieldError[] => {
    const at = `${path}.ports[${i}]`;
    const errors: FieldError[] = [];
    const { hostPort = 0, hostIP = "", protocol = "TCP" } = port;
    if (!protocols.includes(String(protocol))) errors.push(unsupported(`${at}.protocol`, protocol, protocols));
    if (hostPort === 0) return errors;
    if (!isPort(hostPort)) return [...errors, invalid(`${at}.hostPort`, hostPort, portRule)];
    const own = `${String(hostIP)}/${String(protocol)}/${hostPort}`;
    if (taken.has(own)) errors.push({ path: `${at}.hostPort`, type: "Duplicate", badValue: own, detail: "" });
    taken.add(own);
    return errors;
  });
}

export function isPort(value: Json): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 65535;
}
