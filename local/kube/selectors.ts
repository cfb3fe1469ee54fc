// Label selectors (equality- and set-based) and field selectors, as text in queries and as objects in specs.
import { own } from "../../shared/core/model/index.ts";
import { isObject, listAt, objectAt } from "./json.ts";
import { type ApiError, badRequest } from "./status.ts";
import type { Json, JsonObject } from "./types.ts";

export type Labels = Record<string, string>;
export type Predicate<T> = (value: T) => boolean;

interface Term {
  key: string;
  operator: string;
  values: string[];
}

const labelKey = /^([a-z0-9A-Z.-]+\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;

function termHolds(term: Term, labels: Labels): boolean {
  const value = own(labels, term.key);
  switch (term.operator) {
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "In":
      return value !== undefined && term.values.includes(value);
    case "NotIn":
      return value === undefined || !term.values.includes(value);
    case "Gt":
      return value !== undefined && Number(value) > Number(term.values[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(term.values[0]);
    default:
      return false;
  }
}

/** Splits at commas outside parentheses. */
function splitTerms(text: string): string[] {
  return text.split(/,(?![^(]*\))/).map((part) => part.trim());
}

function parseTerm(part: string): Term {
  const set = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(part);
  if (set !== null) {
    const values = set[3]!.split(",").map((v) => v.trim());
    return { key: set[1]!, operator: set[2] === "in" ? "In" : "NotIn", values };
  }
  const equality = /^([^=!<>\s]+)\s*(==|=|!=|>|<)\s*(\S*)$/.exec(part);
  if (equality !== null) {
    const operators: Record<string, string> = { "!=": "NotIn", ">": "Gt", "<": "Lt" };
    return { key: equality[1]!, operator: operators[equality[2]!] ?? "In", values: [equality[3]!] };
  }
  const existence = /^(!?)\s*([^=!<>\s()]+)$/.exec(part);
  if (existence !== null)
    return { key: existence[2]!, operator: existence[1] === "!" ? "DoesNotExist" : "Exists", values: [] };
  throw badRequest(`unable to parse requirement: found '${part}', expected a key with in, notin, =, ==, !=, gt, lt`);
}

/** @throws BadRequest for a selector that does not parse. */
export function parseLabelSelector(text: string | undefined): Predicate<Labels> {
  if (text === undefined || text.trim() === "") return () => true;
  const terms = splitTerms(text).map((part) => {
    const term = parseTerm(part);
    if (!labelKey.test(term.key))
      throw badRequest(`unable to parse requirement: <nil>: Invalid value: "${term.key}": not a label key`);
    const bad = term.values.find((v) => !labelValue.test(v));
    if (bad !== undefined)
      throw badRequest(
        `unable to parse requirement: values[0][${term.key}]: Invalid value: "${bad}": not a label value`,
      );
    return term;
  });
  return (labels) => terms.every((term) => termHolds(term, labels));
}

/** A metav1.LabelSelector. An absent one matches nothing, an empty one everything. */
export function matchesSelectorObject(selector: Json | undefined, labels: Labels): boolean {
  if (!isObject(selector)) return false;
  const exact = Object.entries(objectAt(selector, "matchLabels"));
  if (!exact.every(([key, value]) => own(labels, key) === value)) return false;
  return listAt(selector, "matchExpressions").every((raw) => {
    const term = raw as JsonObject;
    return termHolds(
      { key: String(term.key), operator: String(term.operator), values: listAt(term, "values") as string[] },
      labels,
    );
  });
}

/** A metav1.LabelSelector as query text, for the scale subresource's status. */
export function selectorText(selector: Json | undefined): string {
  if (!isObject(selector)) return "";
  const parts = Object.entries(objectAt(selector, "matchLabels")).map(([key, value]) => `${key}=${String(value)}`);
  for (const raw of listAt(selector, "matchExpressions")) {
    const key = String((raw as JsonObject).key);
    const values = (listAt(raw, "values") as string[]).join(",");
    const operator = String((raw as JsonObject).operator);
    if (operator === "In") parts.push(`${key} in (${values})`);
    else if (operator === "NotIn") parts.push(`${key} notin (${values})`);
    else parts.push(operator === "Exists" ? key : `!${key}`);
  }
  return parts.sort().join(",");
}

/** Fields that each kind can be selected by, besides metadata.name and metadata.namespace. */
const selectableFields: Record<string, readonly string[]> = {
  pods: [
    ...["spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "spec.hostNetwork"],
    ...["status.phase", "status.podIP", "status.nominatedNodeName"],
  ],
  nodes: ["spec.unschedulable"],
  events: [
    ...["involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid"],
    ...["involvedObject.apiVersion", "involvedObject.resourceVersion", "involvedObject.fieldPath"],
    ...["reason", "reportingComponent", "source", "type"],
  ],
  namespaces: ["status.phase"],
  secrets: ["type"],
  jobs: ["status.successful"],
  replicasets: ["status.replicas"],
};

function fieldText(object: JsonObject, path: string): string {
  if (path === "source") return fieldText(object, "source.component") || fieldText(object, "reportingComponent");
  let here: Json | undefined = object;
  for (const step of path.split(".")) here = isObject(here) ? here[step] : undefined;
  if (here === undefined || here === null)
    return path === "spec.unschedulable" || path === "spec.hostNetwork" ? "false" : "";
  return String(here);
}

function unknownField(kind: Fielded, path: string): ApiError {
  if (selectableFields[kind.plural] !== undefined) return badRequest(`field label not supported: ${path}`);
  return badRequest(`"${path}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

interface Fielded {
  plural: string;
  selectableFields?: readonly string[];
}

/** @throws BadRequest for a field that the kind cannot be selected by. */
export function parseFieldSelector(kind: Fielded, text: string | undefined): Predicate<JsonObject> {
  if (text === undefined || text.trim() === "") return () => true;
  const known = [
    "metadata.name",
    "metadata.namespace",
    ...(kind.selectableFields ?? selectableFields[kind.plural] ?? []),
  ];
  const terms = text
    .split(",")
    .filter((part) => part !== "")
    .map((part) => {
      const match = /^\s*([^=!\s]+)\s*(==|=|!=)(.*)$/.exec(part);
      if (match === null) throw badRequest(`invalid selector: '${part}'; can't understand '${part}'`);
      const [, path, operator, value] = match as unknown as [string, string, string, string];
      if (!known.includes(path)) throw unknownField(kind, path);
      return { path, equal: operator !== "!=", value: value.replace(/\\(.)/g, "$1").trim() };
    });
  return (object) => terms.every((term) => (fieldText(object, term.path) === term.value) === term.equal);
}
