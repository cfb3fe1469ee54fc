// Built-in objects as the API server reads them: fields it does not know are dropped (and reported), nulls and empty lists and
// maps vanish, zero values come and go as Go's encoder has it, quantities become canonical, and a value of the wrong type is a BadRequest.
import { isObject } from "./json.ts";
import { apiVersionOf, type Kind } from "./kinds.ts";
import { writeZeroes } from "./messages.ts";
import { canonicalQuantity } from "./quantity.ts";
import {
  fieldSchema,
  intOrStringDefinition,
  keepsUnknown,
  quantityDefinition,
  resolve,
  type Schema,
} from "./schema.ts";
import { badRequest } from "./status.ts";
import type { Json, JsonObject } from "./types.ts";

class Mismatch extends Error {}

interface Walk {
  unknown: string[];
}

function wrongType(value: Json, path: string, wanted: string): Mismatch {
  const found = Array.isArray(value)
    ? "array"
    : isObject(value)
      ? "object"
      : typeof value === "boolean"
        ? "bool"
        : typeof value;
  return new Mismatch(`json: cannot unmarshal ${found} into Go struct field ${path} of type ${wanted}`);
}

function scalar(value: Json, schema: Schema, path: string): Json {
  if (schema.type === "string") {
    if (typeof value !== "string") throw wrongType(value, path, schema.format === "date-time" ? "v1.Time" : "string");
    if (schema.format === "date-time" && Number.isNaN(Date.parse(value))) {
      throw new Mismatch(`parsing time "${value}" as "2006-01-02T15:04:05Z07:00": cannot parse ${path}`);
    }
    return value;
  }
  if (schema.type === "boolean") {
    if (typeof value !== "boolean") throw wrongType(value, path, "bool");
    return value;
  }
  if (typeof value !== "number" || (schema.type === "integer" && !Number.isInteger(value))) {
    throw wrongType(value, path, schema.format ?? "number");
  }
  return value;
}

function quantity(value: Json, path: string): Json {
  if (typeof value !== "string" && typeof value !== "number") throw wrongType(value, path, "resource.Quantity");
  const text = canonicalQuantity(value);
  if (text === undefined) {
    throw new Mismatch(
      `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$': ${path}`,
    );
  }
  return text;
}

function decodeObject(value: JsonObject, own: Schema, path: string, walk: Walk): JsonObject {
  const out: JsonObject = {};
  const free = keepsUnknown(own);
  const isMap = own.properties === undefined;
  for (const [field, part] of Object.entries(value)) {
    if (field === "__proto__") continue;
    const below = path === "" ? field : `${path}.${field}`;
    const schema = fieldSchema(own, field);
    if (schema === undefined) {
      if (free) out[field] = part;
      else walk.unknown.push(below);
      continue;
    }
    if (part === null) {
      if (isMap && resolve(schema)?.type === "string") out[field] = "";
      continue;
    }
    const decoded = decodeValue(part, schema, below, walk);
    if (!isMap && isOmitted(decoded, schema)) continue;
    out[field] = decoded;
  }
  return out;
}

function isOmitted(value: Json, schema: Schema): boolean {
  if (Array.isArray(value)) return value.length === 0;
  const own = resolve(schema);
  if (own?.additionalProperties === undefined) return false;
  return isObject(value) && Object.keys(value).length === 0;
}

function decodeValue(value: Json, schema: Schema, path: string, walk: Walk): Json {
  if (schema.$ref === quantityDefinition) return quantity(value, path);
  if (schema.$ref === intOrStringDefinition) {
    if (typeof value === "string" || Number.isInteger(value)) return value;
    throw wrongType(value, path, "intstr.IntOrString");
  }
  const own = resolve(schema);
  if (own === undefined || own.type === undefined) return value;
  if (own.type === "array") {
    if (!Array.isArray(value)) throw wrongType(value, path, `[]${own.items?.$ref ?? own.items?.type ?? "any"}`);
    return value.map((item, i) => decodeValue(item ?? emptyOf(own.items), own.items ?? {}, `${path}[${i}]`, walk));
  }
  if (own.type === "object") {
    if (!isObject(value)) throw wrongType(value, path, schema.$ref?.split(".").at(-1) ?? "map");
    const object = decodeObject(value, own, path, walk);
    if (schema.$ref !== undefined) writeZeroes(schema.$ref, object);
    return object;
  }
  return scalar(value, own, path);
}

function emptyOf(schema: Schema | undefined): Json {
  const type = resolve(schema)?.type;
  return type === "string" ? "" : type === "object" ? {} : type === "array" ? [] : 0;
}

/**
 * @returns the object as stored, and the paths of the fields that were dropped because nobody knows them.
 * @throws BadRequest for a value of the wrong type, naming the field.
 */
export function decodeBuiltIn(
  kind: Kind,
  schema: Schema,
  value: JsonObject,
): { object: JsonObject; unknown: string[] } {
  const walk: Walk = { unknown: [] };
  try {
    const object = decodeValue(value, schema, "", walk) as JsonObject;
    writeZeroes(kind.definition, object);
    return { object, unknown: walk.unknown };
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw badRequest(
      `${kind.kind} in version "${apiVersionOf(kind)}" cannot be handled as a ${kind.kind}: ${error.message}`,
    );
  }
}
