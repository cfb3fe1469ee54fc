import type { Json, JsonSchemaProps } from "./types.ts";
import { fieldSchema, isObject } from "./types.ts";

/**
 * Fills in a schema's defaults, as the API server does on every read and write: nulls of fields that may not be null
 * are dropped first, then absent fields get their default, from the outside in (a default is itself defaulted).
 * Returns a new value; the given one stays as it is. Doing it twice changes nothing more.
 */
export function applyDefaults(schema: JsonSchemaProps, value: Json): Json {
  if (Array.isArray(value)) return defaultList(schema, value);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([name, field]) => field !== null || keepsNull(schema, name));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default !== undefined && !fields.some(([present]) => present === name)) {
      fields.push([name, structuredClone(property.default)]);
    }
  }
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const property = fieldSchema(schema, name);
      return [name, property === undefined ? field : applyDefaults(property, field)];
    }),
  );
}

/** A null stays where the field may be null and where the schema doesn't know the field. */
function keepsNull(schema: JsonSchemaProps, name: string): boolean {
  const property = fieldSchema(schema, name);
  return property === undefined || property.nullable === true;
}

function defaultList(schema: JsonSchemaProps, list: Json[]): Json[] {
  const { items } = schema;
  if (items === undefined) return list;
  return list.map((item) => {
    if (item === null && items.nullable !== true && items.default !== undefined) return structuredClone(items.default);
    return applyDefaults(items, item);
  });
}
