// The two moves of server-side apply on values: merging a configuration into the live object, and taking out what its manager
// once applied, no longer does, and nobody else owns.
import { copy, isObject } from "../json.ts";
import { fieldSchema, resolve, type Schema } from "../schema.ts";
import type { Json, JsonObject } from "../types.ts";
import { type FieldSet, isEmpty, itemElement, listKeys, shapeOf } from "./field-set.ts";

/** Configuration wins; parts that only the live object has stay. */
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
  return mergeItems(live as Json[], config as Json[], schema, shape);
}

/**
 * Merges two associative lists. Items that only the live list has stay where they are between those that both have, and those
 * come in the configuration's order. Source of the rule: the list merge of structured-merge-diff.
 */
function mergeItems(live: Json[], config: Json[], schema: Schema | undefined, shape: "keyed" | "values"): Json[] {
  const items = resolve(schema)?.items;
  const named = (list: Json[]): [string, Json][] => list.map((item) => [itemElement(item, schema, shape), item]);
  const left = named(live);
  const right = named(config);
  const onLeft = new Map(left);
  const onRight = new Map(right);
  const shared = right.map(([element]) => element).filter((element) => onLeft.has(element));
  const taken = new Set<string>();
  const out: Json[] = [];
  const takeRight = (element: string, item: Json): void => {
    const there = onLeft.get(element);
    out.push(there === undefined || shape === "values" ? copy(item) : mergeConfiguration(there, item, items));
    taken.add(element);
    if (shared[0] === element) shared.shift();
  };
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const [leftElement, leftItem] = left[l] ?? [];
    const [rightElement, rightItem] = right[r] ?? [];
    if (leftElement !== undefined && rightElement !== undefined && leftElement !== rightElement) {
      const isShared = onRight.has(leftElement);
      if (isShared && shared[0] !== undefined && shared[0] !== leftElement) {
        l++;
        continue;
      }
    }
    if (leftElement !== undefined && leftElement !== rightElement) {
      if (!onRight.has(leftElement)) {
        out.push(copy(leftItem!));
        l++;
        continue;
      }
      if (taken.has(leftElement)) {
        l++;
        continue;
      }
    }
    if (rightElement === undefined) break;
    if (leftElement === rightElement) l++;
    takeRight(rightElement, rightItem!);
    r++;
  }
  return out;
}

/** A field stays while anything in it is someone's; an item of a list only while the item itself is. */
function ownedByOthers(others: readonly FieldSet[], element: string): boolean {
  const isItem = element.startsWith("k:");
  return below(others, element).some((set) => (isItem ? set.member : !isEmpty(set)));
}

/**
 * Removes from `value` each place in `last` that is not in `config` and that no other manager owns anything in.
 * @param others the other managers' sets at this place.
 * @param kept fields that stay whatever happens: those that identify an item of a list.
 */
export function removeAbandoned(
  value: Json,
  schema: Schema | undefined,
  last: FieldSet,
  config: FieldSet | undefined,
  others: readonly FieldSet[],
  kept: readonly string[] = [],
): Json {
  const shape = shapeOf(value, schema);
  if (shape === "whole") return value;
  const abandoned = (element: string): boolean =>
    last.below.has(element) && !config?.below.has(element) && !ownedByOthers(others, element);
  const recurse = (part: Json, partSchema: Schema | undefined, element: string, keys: readonly string[]): Json => {
    const lastBelow = last.below.get(element);
    if (lastBelow === undefined) return part;
    return removeAbandoned(part, partSchema, lastBelow, config?.below.get(element), below(others, element), keys);
  };
  if (shape === "fields" && isObject(value)) {
    const out: JsonObject = {};
    for (const [field, part] of Object.entries(value)) {
      const goes = !kept.includes(field) && abandoned(`f:${field}`);
      if (!goes) out[field] = recurse(part, fieldSchema(schema, field), `f:${field}`, []);
    }
    return out;
  }
  const listShape = shape as "keyed" | "values";
  const items = resolve(schema)?.items;
  return (value as Json[])
    .map((item) => ({ item, element: itemElement(item, schema, listShape) }))
    .filter(({ element }) => !abandoned(element))
    .map(({ item, element }) => recurse(item, items, element, listKeys(schema)));
}

function below(sets: readonly FieldSet[], element: string): FieldSet[] {
  return sets.flatMap((set) => set.below.get(element) ?? []);
}
