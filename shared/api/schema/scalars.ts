import { equals } from "./equality.ts";
import type { FieldError } from "./field-error.ts";
import { hasFormat } from "./formats.ts";
import { patternOf } from "./patterns.ts";
import type { Json, JsonSchemaProps } from "./types.ts";

/** The JSON type of a value; whole numbers are integers, because JSON on the wire doesn't tell 1 from 1.0 here. */
function jsonType(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** The error of a value that is not of its schema's type. */
export function typeError(schema: JsonSchemaProps, value: Json, path: string): FieldError | undefined {
  const types =
    schema["x-kubernetes-int-or-string"] === true ? ["integer", "string"] : schema.type ? [schema.type] : [];
  const actual = jsonType(value);
  if (types.length === 0 || types.includes(actual)) return undefined;
  if (actual === "integer" && types.includes("number")) return undefined;
  if (actual === "null" && schema.nullable === true) return undefined;
  // Where there is a format, kube-apiserver names formats instead of types, unless the value is a text or list.
  const byFormat = schema.format !== undefined && !["string", "array", "null"].includes(actual);
  const [wanted, found] = byFormat ? [schema.format, goFormats[actual] ?? ""] : [types.join(","), actual];
  const detail = `${path} in body must be of type ${wanted}: ${JSON.stringify(found)}`;
  return { path, type: "TypeInvalid", badValue: found, detail };
}

const goFormats: Record<string, string> = { integer: "int64", number: "float64" };

/** What is wrong with a value apart from its type and its parts: enum, text, number. */
export function scalarErrors(schema: JsonSchemaProps, value: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (typeof value === "string") errors.push(...textErrors(schema, value, path), ...formatErrors(schema, value, path));
  if (typeof value === "number") errors.push(...numberErrors(schema, value, path));
  if (schema.enum !== undefined && !schema.enum.some((allowed) => equals(allowed, value))) {
    const allowed = schema.enum.map((v) => JSON.stringify(typeof v === "string" ? v : JSON.stringify(v)));
    errors.push({ path, type: "NotSupported", badValue: value, detail: `supported values: ${allowed.join(", ")}` });
  }
  return errors;
}

/** Length and pattern; only the first that fails is told. */
function textErrors(schema: JsonSchemaProps, text: string, path: string): FieldError[] {
  const { minLength, maxLength, pattern } = schema;
  const length = minLength === undefined && maxLength === undefined ? 0 : [...text].length;
  if (maxLength !== undefined && length > maxLength) {
    return [{ path, type: "TooLong", detail: `may not be more than ${maxLength} bytes` }];
  }
  if (minLength !== undefined && length < minLength) {
    const detail = `${path} in body should be at least ${minLength} chars long`;
    return [{ path, type: "Invalid", badValue: text, detail }];
  }
  if (pattern === undefined || pattern === "") return [];
  const detail = `${path} in body should match '${pattern}'`;
  try {
    return patternOf(pattern).test(text) ? [] : [{ path, type: "Invalid", badValue: text, detail }];
  } catch (error) {
    const unreadable = `${detail.slice(0, -1)}, but pattern is invalid: ${(error as Error).message}'`;
    return [{ path, type: "Invalid", badValue: text, detail: unreadable }];
  }
}

function formatErrors(schema: JsonSchemaProps, text: string, path: string): FieldError[] {
  const { format } = schema;
  if (format === undefined || hasFormat(format, text)) return [];
  const detail = `${path} in body must be of type ${format}: ${JSON.stringify(text)}`;
  return [{ path, type: "TypeInvalid", badValue: text, detail }];
}

const integerBounds: Record<string, number> = { int32: 2 ** 31, int64: 2 ** 63 };

/** The error of a number that the integer format of its schema cannot hold; it carries no path, as in kube-apiserver. */
function rangeErrors(schema: JsonSchemaProps, value: number, path: string): FieldError[] {
  const { type, format } = schema;
  if (type !== "integer") return [];
  const bound = integerBounds[format ?? "int64"] ?? 2 ** 63;
  if (Number.isInteger(value) && value >= -bound && value < bound) return [];
  const named = format === undefined ? "(default format)" : `with format ${format}`;
  const detail = `Checked value must be of type integer ${named} in ${path}`;
  return [{ path: "", type: "Invalid", badValue: "", detail }];
}

function numberErrors(schema: JsonSchemaProps, value: number, path: string): FieldError[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const errors = rangeErrors(schema, value, path);
  const fail = (what: string) =>
    errors.push({ path, type: "Invalid", badValue: value, detail: `${path} in body ${what}` });
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) fail(`should be a multiple of ${multipleOf}`);
  if (minimum !== undefined) {
    if (exclusiveMinimum === true && value <= minimum) fail(`should be greater than ${minimum}`);
    if (exclusiveMinimum !== true && value < minimum) fail(`should be greater than or equal to ${minimum}`);
  }
  if (maximum !== undefined) {
    if (exclusiveMaximum === true && value >= maximum) fail(`should be less than ${maximum}`);
    if (exclusiveMaximum !== true && value > maximum) fail(`should be less than or equal to ${maximum}`);
  }
  return errors;
}
