// JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7386).
import { copy, deepEqual, isObject } from "../json.ts";
import { ApiError, badRequest } from "../status.ts";
import type { Json, JsonObject } from "../types.ts";

const operations = ["add", "remove", "replace", "move", "copy", "test"];

/** Kubernetes answers 422 with this sentence's meaning when a well-formed patch does not apply. */
function inapplicable(why: string): ApiError {
  return new ApiError(422, "Invalid", `the server rejected our request due to an error in our request: ${why}`);
}

function pointer(text: unknown): string[] {
  if (typeof text !== "string" || (text !== "" && !text.startsWith("/"))) {
    throw badRequest(`json patch: ${JSON.stringify(text)} is no JSON pointer; write it as /spec/field`);
  }
  return text
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function childOf(container: Json | undefined, step: string, path: string): Json {
  const value = Array.isArray(container) ? container[Number(step)] : isObject(container) ? container[step] : undefined;
  if (value === undefined) throw inapplicable(`${path} does not exist`);
  return value;
}

function indexFor(list: Json[], step: string, path: string, limit: number): number {
  if (step === "-") return list.length;
  if (!/^(0|[1-9]\d*)$/.test(step) || Number(step) > limit) throw inapplicable(`${path} is outside the list`);
  return Number(step);
}

function put(root: Json, path: string, value: Json, replace: boolean): Json {
  const steps = pointer(path);
  const last = steps.pop();
  if (last === undefined) return value;
  const container = steps.reduce<Json>((here, step) => childOf(here, step, path), root);
  if (Array.isArray(container)) {
    const index = indexFor(container, last, path, replace ? container.length - 1 : container.length);
    container.splice(index, replace ? 1 : 0, value);
  } else if (isObject(container)) {
    if (replace && container[last] === undefined) throw inapplicable(`${path} does not exist`);
    container[last] = value;
  } else throw inapplicable(`${path} does not exist`);
  return root;
}

function take(root: Json, path: string): Json {
  const steps = pointer(path);
  const last = steps.pop();
  if (last === undefined) throw inapplicable("the whole document cannot be removed");
  const container = steps.reduce<Json>((here, step) => childOf(here, step, path), root);
  const value = childOf(container, last, path);
  if (Array.isArray(container)) container.splice(Number(last), 1);
  else if (isObject(container)) delete container[last];
  return value;
}

function valueAt(root: Json, path: string): Json {
  return pointer(path).reduce<Json>((here, step) => childOf(here, step, path), root);
}

/**
 * @param patch a list of operations.
 * @throws BadRequest if it is none; Invalid (422) if an operation does not apply, a failed "test" among them.
 */
export function jsonPatch(target: JsonObject, patch: Json): JsonObject {
  if (!Array.isArray(patch)) throw badRequest("json: cannot unmarshal object into Go value of type jsonpatch.Patch");
  let root: Json = copy(target);
  for (const step of patch) {
    if (!isObject(step)) throw badRequest("json patch: each operation is an object with op and path");
    const { op, path, from, value } = step;
    if (typeof op !== "string" || !operations.includes(op))
      throw inapplicable(`unexpected kind of operation: ${String(op)}`);
    const place = typeof path === "string" ? path : "";
    pointer(path ?? "missing");
    const source = typeof from === "string" ? from : "";
    if (op === "remove") take(root, place);
    else if (op === "test") {
      const found = existing(root, place);
      if (!deepEqual(found ?? null, value ?? null)) throw inapplicable(`testing value ${place} failed`);
    } else if (op === "move") root = put(root, place, take(root, source), false);
    else if (op === "copy") root = put(root, place, copy(valueAt(root, source)), false);
    else root = put(root, place, copy(value ?? null), op === "replace");
  }
  if (!isObject(root)) throw inapplicable("the result is no object");
  return root;
}

function existing(root: Json, path: string): Json | undefined {
  try {
    return valueAt(root, path);
  } catch (error) {
    if (error instanceof ApiError && error.code === 422) return undefined;
    throw error;
  }
}

/** Null removes, objects merge, everything else replaces. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return copy(patch);
  const out: JsonObject = isObject(target) ? copy(target) : {};
  for (const [field, value] of Object.entries(patch)) {
    if (field === "__proto__") continue;
    if (value === null) delete out[field];
    else out[field] = mergePatch(out[field], value);
  }
  return out;
}
