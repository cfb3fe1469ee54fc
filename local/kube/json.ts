// Small moves on JSON trees. Objects in the store are frozen, so everything that changes one works on a copy.
import type { Json, JsonObject } from "./types.ts";

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of field names, undefined where a step is missing or no object. */
export function at(root: unknown, ...path: string[]): Json | undefined {
  let here: unknown = root;
  for (const step of path) {
    if (!isObject(here)) return undefined;
    here = here[step];
  }
  return here as Json | undefined;
}

export function stringAt(root: unknown, ...path: string[]): string | undefined {
  const value = at(root, ...path);
  return typeof value === "string" ? value : undefined;
}

export function numberAt(root: unknown, ...path: string[]): number | undefined {
  const value = at(root, ...path);
  return typeof value === "number" ? value : undefined;
}

/** The object at a path, or an empty one that is not attached. */
export function objectAt(root: unknown, ...path: string[]): JsonObject {
  const value = at(root, ...path);
  return isObject(value) ? value : {};
}

/** The list at a path, or an empty one that is not attached. */
export function listAt(root: unknown, ...path: string[]): Json[] {
  const value = at(root, ...path);
  return Array.isArray(value) ? value : [];
}

/** Sets `field` if it is absent: how defaults are written. */
export function setDefault(object: JsonObject, field: string, value: Json): void {
  if (object[field] === undefined) object[field] = value;
}

/** The object under `field`, put there if absent. */
export function ensureObject(object: JsonObject, field: string): JsonObject {
  const there = object[field];
  if (isObject(there)) return there;
  const made: JsonObject = {};
  object[field] = made;
  return made;
}

export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => deepEqual(item, b[i]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key]));
}

/** Freezes a tree in place. Stops at what is frozen already, so shared parts cost nothing. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}

/** A private copy of a JSON tree (several times faster than structuredClone on such trees). */
export function copy<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => copy(item)) as T;
  if (typeof value !== "object" || value === null) return value;
  const out: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    if (key === "__proto__") continue;
    out[key] = copy(part);
  }
  return out as T;
}

/** RFC 3339 in whole seconds, as metav1.Time prints it. */
export function timestamp(epochMs: number): string {
  return `${new Date(Math.floor(epochMs / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/** Epoch milliseconds of an RFC 3339 time, undefined if it is none. */
export function parseTimestamp(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
