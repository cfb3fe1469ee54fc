// Sets of fields as server-side apply keeps them: a tree of path elements ("f:spec", 'k:{"name":"a"}', 'v:"x"', "i:0"), in which
// a place may itself be a member. The wire form is metav1.FieldsV1.
import { deepEqual, isObject } from "../json.ts";
import { fieldSchema, resolve, type Schema } from "../schema.ts";
import type { Json, JsonObject } from "../types.ts";

export interface FieldSet {
  member: boolean;
  below: Map<string, FieldSet>;
}

function emptySet(): FieldSet {
  return { member: false, below: new Map() };
}

export function isEmpty(set: FieldSet): boolean {
  return !set.member && [...set.below.values()].every(isEmpty);
}

export function fromWire(wire: unknown): FieldSet {
  const set = emptySet();
  if (!isObject(wire)) return set;
  for (const [element, below] of Object.entries(wire)) {
    if (element === ".") set.member = true;
    else {
      const child = fromWire(below);
      if (child.below.size === 0) child.member = true;
      set.below.set(element, child);
    }
  }
  return set;
}

export function toWire(set: FieldSet): JsonObject {
  const out: JsonObject = {};
  if (set.member && set.below.size > 0) out["."] = {};
  for (const [element, child] of [...set.below].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!isEmpty(child)) out[element] = toWire(child);
  }
  return out;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  const out: FieldSet = { member: a.member || b.member, below: new Map(a.below) };
  for (const [element, child] of b.below) {
    const there = out.below.get(element);
    out.below.set(element, there === undefined ? child : union(there, child));
  }
  return out;
}

/** Members of `a` that are no members of `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  const out: FieldSet = { member: a.member && !b.member, below: new Map() };
  for (const [element, child] of a.below) {
    const other = b.below.get(element);
    const rest = other === undefined ? child : difference(child, other);
    if (!isEmpty(rest)) out.below.set(element, rest);
  }
  return out;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const out: FieldSet = { member: a.member && b.member, below: new Map() };
  for (const [element, child] of a.below) {
    const other = b.below.get(element);
    if (other === undefined) continue;
    const both = intersection(child, other);
    if (!isEmpty(both)) out.below.set(element, both);
  }
  return out;
}

/** `set` without the given places and everything under them. */
export function withoutPlaces(set: FieldSet, places: readonly (readonly string[])[]): FieldSet {
  const copyOf = (s: FieldSet): FieldSet => ({
    member: s.member,
    below: new Map([...s.below].map(([element, child]) => [element, copyOf(child)])),
  });
  const out = copyOf(set);
  for (const place of places) {
    let here: FieldSet | undefined = out;
    for (const element of place.slice(0, -1)) here = here?.below.get(element);
    here?.below.delete(place.at(-1)!);
  }
  return out;
}

/** The members' paths as conflict messages write them: ".spec.replicas", '.spec.containers[name="a"].image'. */
export function pathTexts(set: FieldSet): string[] {
  const walk = (here: FieldSet, prefix: string): string[] => {
    const sorted = [...here.below].sort(([a], [b]) => (a < b ? -1 : 1));
    const members = sorted.filter(([, child]) => child.member).map(([element]) => prefix + elementText(element));
    return [...members, ...sorted.flatMap(([element, child]) => walk(child, prefix + elementText(element)))];
  };
  return walk(set, "");
}

function elementText(element: string): string {
  const body = element.slice(2);
  if (element.startsWith("f:")) return `.${body}`;
  if (element.startsWith("v:")) return `[=${body}]`;
  if (element.startsWith("i:")) return `[${body}]`;
  const keys = JSON.parse(body) as JsonObject;
  return `[${Object.entries(keys)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(",")}]`;
}

/** How a value is taken apart: granular maps by field, associative lists by key or value, everything else as a whole. */
export type Shape = "fields" | "keyed" | "values" | "whole";

export function shapeOf(value: Json | undefined, schema: Schema | undefined): Shape {
  const own = resolve(schema);
  if (isObject(value)) {
    const mapType = schema?.["x-kubernetes-map-type"] ?? own?.["x-kubernetes-map-type"];
    return mapType === "atomic" ? "whole" : "fields";
  }
  if (!Array.isArray(value)) return "whole";
  const listType = schema?.["x-kubernetes-list-type"] ?? own?.["x-kubernetes-list-type"];
  return listType === "map" ? "keyed" : listType === "set" ? "values" : "whole";
}

/** The fields that identify the items of an associative list. */
export function listKeys(schema: Schema | undefined): string[] {
  const own = resolve(schema);
  return [...(schema?.["x-kubernetes-list-map-keys"] ?? own?.["x-kubernetes-list-map-keys"] ?? [])].sort();
}

/** The path element of an item of an associative list. Keys that are absent count with their default, if they have one. */
export function itemElement(item: Json, schema: Schema | undefined, shape: "keyed" | "values"): string {
  if (shape === "values") return `v:${JSON.stringify(item)}`;
  const own = resolve(schema);
  const id: JsonObject = {};
  for (const key of listKeys(schema)) {
    const value = isObject(item) ? item[key] : undefined;
    const fallback = key === "protocol" ? "TCP" : fieldSchema(own?.items, key)?.default;
    if (value !== undefined) id[key] = value;
    else if (fallback !== undefined) id[key] = fallback;
  }
  return `k:${JSON.stringify(id)}`;
}

/** The parts of a value with their path elements, in order. Empty for what is taken as a whole. */
function partsOf(
  value: Json | undefined,
  schema: Schema | undefined,
  shape: Shape,
): { element: string; value: Json; schema: Schema | undefined }[] {
  if (shape === "fields") {
    return Object.entries(value as JsonObject).map(([field, part]) => ({
      element: `f:${field}`,
      value: part,
      schema: fieldSchema(schema, field),
    }));
  }
  if (shape === "whole") return [];
  const items = resolve(schema)?.items;
  return (value as Json[]).map((item) => ({ element: itemElement(item, schema, shape), value: item, schema: items }));
}

/** The fields that an applied configuration has an opinion about. */
export function fieldsOf(value: Json, schema: Schema | undefined): FieldSet {
  const set = emptySet();
  const shape = shapeOf(value, schema);
  const parts = partsOf(value, schema, shape);
  if (parts.length === 0) set.member = true;
  for (const part of parts) {
    const child = fieldsOf(part.value, part.schema);
    if (shape !== "fields") child.member = true;
    set.below.set(part.element, child);
  }
  return set;
}

export interface Changes {
  /** Added or modified. */
  set: FieldSet;
  removed: FieldSet;
}

/** What differs between two versions of an object. A part that is new counts with everything in it; a null was there before. */
export function compare(before: Json | undefined, after: Json | undefined, schema: Schema | undefined): Changes {
  const changes: Changes = { set: emptySet(), removed: emptySet() };
  if (deepEqual(before, after)) return changes;
  if (after === undefined) changes.removed.member = true;
  else if (before === undefined) changes.set.member = true;
  const nothingBefore = before === undefined || before === null;
  const nothingAfter = after === undefined || after === null;
  const shape = shapeOf(after ?? before, schema);
  const shapeBefore = nothingBefore ? shape : shapeOf(before, schema);
  if (shape === "whole" || shape !== shapeBefore) {
    if (after !== undefined) changes.set.member = true;
    return changes;
  }
  const old = new Map(partsOf(before, schema, nothingBefore ? "whole" : shape).map((p) => [p.element, p]));
  const now = new Map(partsOf(after, schema, nothingAfter ? "whole" : shape).map((p) => [p.element, p]));
  for (const element of new Set([...old.keys(), ...now.keys()])) {
    const part = now.get(element) ?? old.get(element)!;
    const below = compare(old.get(element)?.value, now.get(element)?.value, part.schema);
    if (!isEmpty(below.set)) changes.set.below.set(element, below.set);
    if (!isEmpty(below.removed)) changes.removed.below.set(element, below.removed);
  }
  return changes;
}
