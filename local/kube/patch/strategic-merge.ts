// Strategic merge patch: JSON merge patch that knows, from the schema, which lists merge by which key, with the directives
// $patch, $retainKeys, $setElementOrder/<field> and $deleteFromPrimitiveList/<field>. Only built-in kinds have it.
import { copy, deepEqual, isObject } from "../json.ts";
import { fieldSchema, resolve, type Schema } from "../schema.ts";
import { badRequest } from "../status.ts";
import type { Json, JsonObject } from "../types.ts";

const orderPrefix = "$setElementOrder/";
const deletePrefix = "$deleteFromPrimitiveList/";

interface ListRule {
  merge: boolean;
  key: string | undefined;
}

function listRule(schema: Schema | undefined): ListRule {
  const merge = schema?.["x-kubernetes-patch-strategy"]?.split(",").includes("merge") ?? false;
  return { merge, key: schema?.["x-kubernetes-patch-merge-key"] };
}

function replaces(schema: Schema | undefined): boolean {
  return schema?.["x-kubernetes-patch-strategy"]?.split(",").includes("replace") ?? false;
}

function withoutDirectives(value: Json): Json {
  if (Array.isArray(value)) {
    return value.filter((item) => !(isObject(item) && item.$patch === "delete")).map((item) => withoutDirectives(item));
  }
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const [field, part] of Object.entries(value)) {
    if (field === "$patch" || field === "$retainKeys" || field.startsWith(orderPrefix)) continue;
    if (field.startsWith(deletePrefix) || part === null || field === "__proto__") continue;
    out[field] = withoutDirectives(part);
  }
  return out;
}

function keyed(item: Json, key: string): Json | undefined {
  if (!isObject(item)) throw badRequest(`strategic merge patch: list items with merge key ${key} must be objects`);
  return item[key];
}

function mergeKeyedList(live: Json[], patch: Json[], key: string, items: Schema | undefined): Json[] {
  if (patch.some((item) => isObject(item) && item.$patch === "replace")) {
    return patch.filter((item) => !(isObject(item) && item.$patch === "replace")).map(withoutDirectives);
  }
  let out = live.map((item) => copy(item));
  for (const item of patch) {
    const value = keyed(item, key);
    if (value === undefined)
      throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
    const index = out.findIndex((there) => deepEqual(keyed(there, key), value));
    if (isObject(item) && item.$patch === "delete") out = out.filter((there) => !deepEqual(keyed(there, key), value));
    else if (index < 0) out.push(withoutDirectives(item));
    else out[index] = mergeObject(out[index] as JsonObject, item as JsonObject, items);
  }
  return inOrder(out, patch, live, key);
}

/**
 * The order of a merged list: what the patch names in the patch's order, what only the server has in the server's, and where one
 * of each meet, the server's order decides if it knows both, else the patch goes first. Source of the rule: strategicpatch's
 * normalizeElementOrder in apimachinery.
 */
function inOrder(merged: Json[], patchOrder: Json[], serverOrder: Json[], key: string | undefined): Json[] {
  const idOf = (item: Json): string => JSON.stringify(key === undefined ? item : keyed(item, key));
  const ranks = (list: Json[]): Map<string, number> => new Map(list.map((item, i) => [idOf(item), i]));
  const inPatch = ranks(patchOrder);
  const onServer = ranks(serverOrder);
  const by = (rank: Map<string, number>) => (a: Json, b: Json) => (rank.get(idOf(a)) ?? 0) - (rank.get(idOf(b)) ?? 0);
  const fromPatch = merged.filter((item) => inPatch.has(idOf(item))).sort(by(inPatch));
  const serverOnly = merged.filter((item) => !inPatch.has(idOf(item))).sort(by(onServer));
  const out: Json[] = [];
  while (serverOnly.length > 0 && fromPatch.length > 0) {
    const left = onServer.get(idOf(serverOnly[0]!));
    const right = onServer.get(idOf(fromPatch[0]!));
    const serverFirst = left !== undefined && right !== undefined && left < right;
    out.push((serverFirst ? serverOnly : fromPatch).shift()!);
  }
  return [...out, ...serverOnly, ...fromPatch];
}

function mergeList(live: Json | undefined, patch: Json[], schema: Schema | undefined): Json[] {
  const there = Array.isArray(live) ? live : [];
  const rule = listRule(schema);
  if (!rule.merge) return withoutDirectives(patch) as Json[];
  if (rule.key !== undefined) return mergeKeyedList(there, patch, rule.key, resolve(schema)?.items);
  const fresh = patch.filter((item) => !there.some((old) => deepEqual(old, item)));
  return inOrder([...copy(there), ...copy(fresh)], patch, there, undefined);
}

function mergeObject(live: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  if (patch.$patch === "replace") return withoutDirectives(patch) as JsonObject;
  if (patch.$patch === "delete") return {};
  let out: JsonObject = copy(live);
  if (Array.isArray(patch.$retainKeys)) {
    const retained = patch.$retainKeys;
    out = Object.fromEntries(Object.entries(out).filter(([field]) => retained.includes(field)));
  }
  for (const [field, value] of Object.entries(patch)) {
    if (field === "$patch" || field === "$retainKeys" || field === "__proto__") continue;
    if (field.startsWith(orderPrefix)) continue;
    if (field.startsWith(deletePrefix)) {
      const name = field.slice(deletePrefix.length);
      const list = out[name];
      if (Array.isArray(list) && Array.isArray(value)) {
        out[name] = list.filter((item) => !value.some((gone) => deepEqual(gone, item)));
      }
      continue;
    }
    const below = fieldSchema(schema, field);
    if (value === null) delete out[field];
    else if (Array.isArray(value)) out[field] = mergeList(out[field], value, below);
    else if (isObject(value) && isObject(out[field]) && !replaces(below)) {
      out[field] = mergeObject(out[field] as JsonObject, value, below);
    } else if (isObject(value) && value.$patch === "delete") delete out[field];
    else out[field] = withoutDirectives(value);
  }
  for (const [field, order] of Object.entries(patch)) {
    if (!field.startsWith(orderPrefix) || !Array.isArray(order)) continue;
    const name = field.slice(orderPrefix.length);
    const list = out[name];
    if (!Array.isArray(list)) continue;
    const before = live[name];
    out[name] = inOrder(list, order, Array.isArray(before) ? before : [], listRule(fieldSchema(schema, name)).key);
  }
  return out;
}

/** @throws BadRequest for a patch that is no object or whose list items lack the merge key. */
export function strategicMergePatch(target: JsonObject, patch: Json, schema: Schema): JsonObject {
  if (!isObject(patch)) throw badRequest("strategic merge patch: the patch must be an object");
  return mergeObject(target, patch, schema);
}
