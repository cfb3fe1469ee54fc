import type { Json, JsonSchemaProps } from "./types.ts";
import { isObject } from "./types.ts";

/** Whether two JSON values are the same, whatever the order of their fields. */
export function equals(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equals(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && equals(a[k], b[k]));
}

/** The keys of a list-type map's element as one text; undefined if it has none of them. */
export function mapKeyOf(schema: JsonSchemaProps, item: Json): string | undefined {
  if (!isObject(item)) return undefined;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const values = keys.map((key) => (Object.hasOwn(item, key) ? item[key] : schema.items?.properties?.[key]?.default));
  return values.every((value) => value === undefined) ? undefined : JSON.stringify(values.map((v) => v ?? null));
}

/**
 * The old element that an element of a list answers to: by key in list-type map, none in atomic lists and sets.
 * Transition rules and ratcheting need it.
 */
export function oldItemOf(schema: JsonSchemaProps, item: Json, old: Json | undefined): Json | undefined {
  if (schema["x-kubernetes-list-type"] !== "map" || !Array.isArray(old)) return undefined;
  const key = mapKeyOf(schema, item);
  return key === undefined ? undefined : old.find((candidate) => mapKeyOf(schema, candidate) === key);
}

/** The old value of a field; none where the object is atomic, because then it only changes as a whole. */
export function oldFieldOf(schema: JsonSchemaProps, name: string, old: Json | undefined): Json | undefined {
  if (schema["x-kubernetes-map-type"] === "atomic" || !isObject(old)) return undefined;
  return Object.hasOwn(old, name) ? old[name] : undefined;
}
