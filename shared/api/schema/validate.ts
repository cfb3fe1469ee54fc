import { validateRules } from "./cel/rules.ts";
import { equals, mapKeyOf, oldFieldOf, oldItemOf } from "./equality.ts";
import type { FieldError, FieldErrorType } from "./field-error.ts";
import { childPath, indexPath, keyPath } from "./paths.ts";
import { scalarErrors, typeError } from "./scalars.ts";
import type { Json, JsonObject, JsonSchemaProps } from "./types.ts";
import { isObject } from "./types.ts";

/** Errors after which CEL rules are not evaluated, because they may lean on what is broken. */
const blocking: ReadonlySet<FieldErrorType> = new Set([
  "NotSupported",
  "Required",
  "TooLong",
  "TooMany",
  "TypeInvalid",
]);

/**
 * Validates a value against a structural schema as kube-apiserver does for custom resources: the schema itself, then
 * uniqueness in list-type sets and maps, then CEL rules. Never throws on any JSON. The value is expected to be
 * defaulted and pruned already.
 *
 * With `old` it is an update: transition rules run, and an error in a part that did not change is let pass
 * (ratcheting), so that tightened rules don't lock existing objects.
 *
 * Source of the order and of what blocks what: apiextensions-apiserver 1.36, customResourceStrategy.Validate.
 */
export function validate(schema: JsonSchemaProps, value: Json, old?: Json): FieldError[] {
  const errors = schemaErrors(schema, value, "", old);
  if (old === undefined || listErrors(schema, old, "").length === 0) errors.push(...listErrors(schema, value, ""));
  if (errors.some((error) => blocking.has(error.type))) {
    errors.push({
      path: "",
      type: "Invalid",
      badValue: null,
      detail:
        "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
    });
  } else {
    errors.push(...validateRules(schema, value, old));
  }
  return errors;
}

/** What a schema without its CEL rules and list types finds wrong; nothing where the value equals the old one. */
function schemaErrors(schema: JsonSchemaProps, value: Json, path: string, old: Json | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const wrongType = typeError(schema, value, path);
  if (wrongType !== undefined) errors.push(wrongType);
  if (value !== null) errors.push(...combinatorErrors(schema, value, path));
  errors.push(...scalarErrors(schema, value, path));
  if (Array.isArray(value)) errors.push(...arrayErrors(schema, value, path, old));
  else if (isObject(value)) errors.push(...objectErrors(schema, value, path, old));
  // kube-apiserver never lets the object as a whole off, only its parts.
  return errors.length > 0 && path !== "" && old !== undefined && equals(value, old) ? [] : errors;
}

function arrayErrors(schema: JsonSchemaProps, list: Json[], path: string, old: Json | undefined): FieldError[] {
  const { items, minItems, maxItems } = schema;
  const errors: FieldError[] = [];
  if (items !== undefined) {
    for (const [index, item] of list.entries()) {
      errors.push(...schemaErrors(items, item, indexPath(path, index), oldItemOf(schema, item, old)));
    }
  }
  if (minItems !== undefined && list.length < minItems) {
    const detail = `${path} in body should have at least ${minItems} items`;
    errors.push({ path, type: "Invalid", badValue: list.length, detail });
  }
  if (maxItems !== undefined && list.length > maxItems) {
    errors.push({ path, type: "TooMany", badValue: list.length, detail: `must have at most ${maxItems} items` });
  }
  if (schema.uniqueItems === true && list.some((item, index) => list.slice(0, index).some((x) => equals(x, item)))) {
    errors.push({ path, type: "Invalid", badValue: "", detail: `${path} in body shouldn't contain duplicates` });
  }
  return errors;
}

function objectErrors(schema: JsonSchemaProps, object: JsonObject, path: string, old: Json | undefined): FieldError[] {
  const { properties = {}, additionalProperties, minProperties, maxProperties } = schema;
  const errors: FieldError[] = [];
  const size = Object.keys(object).length;
  if (minProperties !== undefined && size < minProperties) {
    const detail = `${path} in body should have at least ${minProperties} properties`;
    errors.push({ path, type: "Invalid", badValue: size, detail });
  }
  if (maxProperties !== undefined && size > maxProperties) {
    errors.push({ path, type: "TooMany", badValue: size, detail: `must have at most ${maxProperties} items` });
  }
  for (const [name, field] of Object.entries(object)) {
    const at = childPath(path, name);
    const known = Object.hasOwn(properties, name);
    if (known) {
      errors.push(...schemaErrors(properties[name]!, field, at, oldFieldOf(schema, name, old)));
    } else if (typeof additionalProperties === "object") {
      errors.push(...schemaErrors(additionalProperties, field, at, oldFieldOf(schema, name, old)));
    } else if (additionalProperties === false) {
      errors.push({ path, type: "Invalid", badValue: name, detail: `${at} in body is a forbidden property` });
    }
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(object, name)) errors.push({ path: childPath(path, name), type: "Required", detail: "" });
  }
  return errors;
}

/** allOf, anyOf, oneOf and not. Their own errors carry no path, as in kube-apiserver. */
function combinatorErrors(schema: JsonSchemaProps, value: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const against = (alternatives: JsonSchemaProps[]) => alternatives.map((s) => schemaErrors(s, value, path, undefined));
  const fail = (what: string) =>
    errors.push({ path: "", type: "Invalid", badValue: "", detail: `${JSON.stringify(path)} ${what}` });
  if (schema.anyOf !== undefined) {
    const results = against(schema.anyOf);
    if (!results.some((result) => result.length === 0)) {
      fail("must validate at least one schema (anyOf)");
      errors.push(...(results[0] ?? []));
    }
  }
  if (schema.oneOf !== undefined) {
    const results = against(schema.oneOf);
    const valid = results.filter((result) => result.length === 0).length;
    if (valid !== 1) {
      const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
      fail(`must validate one and only one schema (oneOf). ${found}`);
      if (valid === 0) errors.push(...(results[0] ?? []));
    }
  }
  if (schema.allOf !== undefined) {
    const results = against(schema.allOf);
    errors.push(...results.flat());
    if (results.some((result) => result.length > 0)) {
      const none = results.every((result) => result.length > 0) ? ". None validated" : "";
      fail(`must validate all the schemas (allOf)${none}`);
    }
  }
  if (schema.not !== undefined && schemaErrors(schema.not, value, path, undefined).length === 0) {
    fail("must not validate the schema (not)");
  }
  return errors;
}

/** Duplicates in lists whose type is set or map, everywhere under a value. */
function listErrors(schema: JsonSchemaProps, value: Json, path: string): FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return [
      ...duplicates(schema, value, path),
      ...(items === undefined ? [] : value.flatMap((item, index) => listErrors(items, item, indexPath(path, index)))),
    ];
  }
  if (!isObject(value)) return [];
  const { properties = {}, additionalProperties } = schema;
  return Object.entries(value).flatMap(([name, field]) => {
    if (Object.hasOwn(properties, name)) return listErrors(properties[name]!, field, childPath(path, name));
    if (typeof additionalProperties !== "object") return [];
    return listErrors(additionalProperties, field, keyPath(path, name));
  });
}

/** The second of each group of equal elements (of equal keys in a map) is the one that is reported. */
function duplicates(schema: JsonSchemaProps, list: Json[], path: string): FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  if (listType !== "set" && listType !== "map") return [];
  const misfit = list.findIndex((item) => listType === "map" && item !== null && !isObject(item));
  if (misfit !== -1) {
    const detail = "must be an object for an array of list-type map";
    return [{ path: indexPath(path, misfit), type: "Invalid", badValue: list[misfit]!, detail }];
  }
  const times = new Map<string, number>();
  return list.flatMap((item, index) => {
    const key = listType === "map" ? (mapKeyOf(schema, item) ?? "") : canonical(item);
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    if (count !== 2) return [];
    const badValue = listType === "map" ? mapKeys(schema, item) : item;
    return [{ path: indexPath(path, index), type: "Duplicate" as const, badValue, detail: "" }];
  });
}

function mapKeys(schema: JsonSchemaProps, item: Json): JsonObject {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  return Object.fromEntries(isObject(item) ? keys.filter((k) => Object.hasOwn(item, k)).map((k) => [k, item[k]!]) : []);
}

/** A text that is equal for equal values. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name]!)}`).join(",")}}`;
}
