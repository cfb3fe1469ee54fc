// The two moves of server-side apply on values: merging a configuration into the live object, and taking out what its manager
// once applied, no longer does, and nobody else owns.
import { copy, isObject } from "../json.ts";
import { fieldSchema, resolve, type Schema } from "../schema.ts";
import type { Json, JsonObject } from "../types.ts";
import { type FieldSet, isEmpty, itemElement, shapeOf } from "./field-set.ts";

/** Configuration wins; parts that only the live object has stay. Associative lists keep the configuration's order first. */
export function mergeConfiguration(live: Json | undefined, config: Json, schema: Schema | undefined): Json {
  const shape = shapeOf(config, schema);
  if (live === undefined || shape === "whole" || shapeOf(live, schema) !== shape) return copy(config);
  if (shape === "fields") {
    const out: JsonObject = copy(live as JsonObject);
    for (const [field, value] of Object.entries(config as JsonObject)) {
      out[field] = mergeConfiguration(out[field], value, fieldSchema(schema, field));
    }
    return out;
  }
  const items = resolve(schema)?.items;
  const wanted = new Map((config as Json[]).map((item) => [itemElement(item, schema, shape), item]));
  const out: Json[] = [];
  for (const item of live as Json[]) {
    const element = itemElement(item, schema, shape);
    const change = wanted.get(element);
    out.push(change === undefined || shape === "values" ? copy(item) : mergeConfiguration(item, change, items));
    wanted.delete(element);
  }
  return [...out, ...[...wanted.values()].map((item) => copy(item))];
}

function ownedByOthers(others: readonly FieldSet[]): boolean {
  return others.some((set) => !isEmpty(set));
}

/**
 * Removes from `value` each place in `last` that is not in `config` and that no other manager owns anything in.
 * @param others the other managers' sets at this place.
 */
export function removeAbandoned(
  value: Json,
  schema: Schema | undefined,
  last: FieldSet,
  config: FieldSet | undefined,
  others: readonly FieldSet[],
): Json {
  const shape = shapeOf(value, schema);
  if (shape === "whole") return value;
  const abandoned = (element: string): boolean =>
    last.below.has(element) && !config?.below.has(element) && !ownedByOthers(below(others, element));
  const recurse = (part: Json, partSchema: Schema | undefined, element: string): Json => {
    const lastBelow = last.below.get(element);
    if (lastBelow === undefined) return part;
    return removeAbandoned(part, partSchema, lastBelow, config?.below.get(element), below(others, element));
  };
  if (shape === "fields" && isObject(value)) {
    const out: JsonObject = {};
    for (const [field, part] of Object.entries(value)) {
      if (!abandoned(`f:${field}`)) out[field] = recurse(part, fieldSchema(schema, field), `f:${field}`);
    }
    return out;
  }
  const listShape = shape as "keyed" | "values";
  const items = resolve(schema)?.items;
  return (value as Json[])
    .map((item) => ({ item, element: itemElement(item, schema, listShape) }))
    .filter(({ element }) => !abandoned(element))
    .map(({ item, element }) => recurse(item, items, element));
}

function below(sets: readonly FieldSet[], element: string): FieldSet[] {
  return sets.flatMap((set) => set.below.get(element) ?? []);
}
