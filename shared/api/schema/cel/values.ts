import type { Json, JsonSchemaProps } from "../types.ts";
import { fieldSchema, isObject } from "../types.ts";

/** CEL's reserved words, which Kubernetes wraps in underscores when they are field names. */
const reserved: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

const specials: Record<string, string> = { __: "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__" };

/**
 * The name under which a rule reaches a field, or undefined if it can't.
 * Source: Kubernetes' documentation of CRD validation rules, "Escaping".
 */
export function celName(field: string): string | undefined {
  if (reserved.has(field)) return `__${field}__`;
  const escaped = field.replace(/__|[.\-/]/g, (special) => specials[special]!);
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(escaped) ? escaped : undefined;
}

/**
 * A JSON value as CEL sees it under a schema: integers as int (bigint), numbers as double, dates as timestamps, and of
 * an object only the fields that its schema declares.
 */
export function toCel(schema: JsonSchemaProps, value: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => toCel(schema.items ?? {}, item));
  if (isObject(value)) return toCelObject(schema, value);
  if (typeof value === "number") {
    return schema.type !== "number" && Number.isInteger(value) ? BigInt(value) : value;
  }
  if (typeof value === "string" && (schema.format === "date-time" || schema.format === "date")) {
    const time = new Date(value);
    return Number.isNaN(time.getTime()) ? value : time;
  }
  return value;
}

function toCelObject(schema: JsonSchemaProps, object: { [key: string]: Json }): object {
  const keepsUnknown = schema["x-kubernetes-preserve-unknown-fields"] === true || schema.properties === undefined;
  const entries: [string, unknown][] = [];
  for (const [name, field] of Object.entries(object)) {
    const property = fieldSchema(schema, name);
    if (property === undefined && !keepsUnknown) continue;
    const declared = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    const key = declared ? celName(name) : name;
    if (key !== undefined) entries.push([key, toCel(property ?? {}, field)]);
  }
  return Object.fromEntries(entries);
}
