import { childPath, indexPath } from "./paths.ts";
import type { Json, JsonObject, JsonSchemaProps } from "./types.ts";
import { fieldSchema, isObject } from "./types.ts";

const metaFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Removes, in place, every field that a schema doesn't know, except the type and metadata of a resource.
 * @returns the paths of what was removed, sorted: strict field validation refuses or warns about them
 */
export function prune(schema: JsonSchemaProps, value: Json): string[] {
  const pruned: string[] = [];
  pruneValue({ ...schema, "x-kubernetes-embedded-resource": true }, value, "", pruned);
  return pruned.sort();
}

function pruneValue(schema: JsonSchemaProps | undefined, value: Json, path: string, pruned: string[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) pruneValue(schema?.items, item, indexPath(path, index), pruned);
  } else if (isObject(value)) {
    pruneFields(schema ?? {}, value, path, pruned);
  }
}

function pruneFields(schema: JsonSchemaProps, object: JsonObject, path: string, pruned: string[]): void {
  const keepsUnknown = schema["x-kubernetes-preserve-unknown-fields"] === true || schema.additionalProperties === true;
  for (const [name, field] of Object.entries(object)) {
    if (schema["x-kubernetes-embedded-resource"] === true && metaFields.has(name)) continue;
    const property = fieldSchema(schema, name);
    if (property !== undefined) {
      pruneValue(property, field, childPath(path, name), pruned);
    } else if (!keepsUnknown) {
      pruned.push(childPath(path, name));
      delete object[name];
    }
  }
}
