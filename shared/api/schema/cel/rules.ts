import type { Environment } from "@marcbachmann/cel-js";
import { equals, oldFieldOf, oldItemOf } from "../equality.ts";
import type { FieldError } from "../field-error.ts";
import { childPath, indexPath, keyPath } from "../paths.ts";
import type { Json, JsonSchemaProps, ValidationRule } from "../types.ts";
import { isObject } from "../types.ts";
import { rewrite, ruleEnvironment } from "./environment.ts";
import { toCel } from "./values.ts";

type Program = (context: Record<string, unknown>) => unknown;

interface CompiledRule {
  readonly usesOldSelf: boolean;
  readonly evaluate: Program;
  readonly message?: Program;
}

let environment: Environment | undefined;
let wrap: { some: Program; none: unknown } | undefined;

/** Rules compile once: schemas are constants of a process, so the rule object itself is the key. */
const compiled = new WeakMap<ValidationRule, CompiledRule | Error>();

/** Schemas that have rules somewhere below; whole subtrees without any are not walked. */
const hasRules = new WeakMap<JsonSchemaProps, boolean>();

/**
 * Evaluates every CEL rule of a schema on a value that the schema itself has accepted. Rules that name `oldSelf` run
 * only where there is an old value that answers to the new one (never inside atomic lists and sets), unless they set
 * optionalOldSelf. Failures of other rules pass where nothing changed since `old`.
 * The cost limits of kube-apiserver are not counted.
 */
export function validateRules(schema: JsonSchemaProps, value: Json, old?: Json): FieldError[] {
  const errors: FieldError[] = [];
  walk(schema, value, old, "", old !== undefined && equals(value, old), errors);
  return errors;
}

function walk(
  schema: JsonSchemaProps,
  value: Json,
  old: Json | undefined,
  path: string,
  parentUnchanged: boolean,
  errors: FieldError[],
): void {
  if (value === null || !anyRules(schema)) return;
  const unchanged = old === undefined ? parentUnchanged : equals(value, old);
  const rules = schema["x-kubernetes-validations"] ?? [];
  if (rules.length > 0) errors.push(...ruleErrors(schema, rules, value, old, path, unchanged));
  for (const part of schema.allOf ?? []) walk(part, value, old, path, false, errors);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [index, item] of value.entries()) {
      walk(items, item, oldItemOf(schema, item, old), indexPath(path, index), unchanged, errors);
    }
  } else if (isObject(value)) {
    const { properties = {}, additionalProperties } = schema;
    for (const [name, field] of Object.entries(value)) {
      const oldField = oldFieldOf(schema, name, old);
      if (Object.hasOwn(properties, name)) {
        walk(properties[name]!, field, oldField, childPath(path, name), unchanged, errors);
      } else if (typeof additionalProperties === "object") {
        walk(additionalProperties, field, oldField, keyPath(path, name), unchanged, errors);
      }
    }
  }
}

function ruleErrors(
  schema: JsonSchemaProps,
  rules: ValidationRule[],
  value: Json,
  old: Json | undefined,
  path: string,
  unchanged: boolean,
): FieldError[] {
  const self = toCel(schema, value);
  const oldSelf = old === undefined || old === null ? undefined : toCel(schema, old);
  const kind = schema["x-kubernetes-int-or-string"] === true ? "" : (schema.type ?? "");
  return rules.flatMap((rule) => {
    const program = compile(rule);
    if (program instanceof Error) {
      return [{ path, type: "Invalid" as const, badValue: kind, detail: `rule compile error: ${program.message}` }];
    }
    const optional = rule.optionalOldSelf === true;
    if (program.usesOldSelf && oldSelf === undefined && !optional) return [];
    const context = { self, oldSelf: optional ? optionalOf(oldSelf) : (oldSelf ?? null) };
    const outcome = run(program.evaluate, context);
    if (outcome instanceof Error) {
      const detail = `${firstLine(outcome)} evaluating rule: ${rule.message ?? rule.rule}`;
      return [{ path, type: "Invalid" as const, badValue: kind, detail }];
    }
    if (outcome === true || (unchanged && !program.usesOldSelf)) return [];
    return [failure(rule, program, context, value, path)];
  });
}

function failure(
  rule: ValidationRule,
  program: CompiledRule,
  context: Record<string, unknown>,
  value: Json,
  path: string,
): FieldError {
  const computed = program.message === undefined ? undefined : run(program.message, context);
  const text = typeof computed === "string" && !computed.includes("\n") ? computed.trim() : "";
  const detail = text !== "" ? text : (rule.message ?? `failed rule: ${rule.rule}`).trim();
  const at = rule.fieldPath === undefined ? path : childPath(path, rule.fieldPath.replace(/^\./, ""));
  const scalar = typeof value === "object" ? {} : { badValue: value };
  switch (rule.reason) {
    case "FieldValueForbidden":
      return { path: at, type: "Forbidden", detail };
    case "FieldValueRequired":
      return { path: at, type: "Required", detail };
    case "FieldValueDuplicate":
      return { path: at, type: "Duplicate", ...scalar, detail: "" };
    default:
      return { path: at, type: "Invalid", ...scalar, detail };
  }
}

function compile(rule: ValidationRule): CompiledRule | Error {
  let program = compiled.get(rule);
  if (program === undefined) {
    environment ??= ruleEnvironment();
    try {
      const message = rule.messageExpression;
      program = {
        usesOldSelf: /\boldSelf\b/.test(rule.rule.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, "")),
        evaluate: environment.parse(rewrite(rule.rule)) as Program,
        ...(message === undefined ? {} : { message: environment.parse(rewrite(message)) as Program }),
      };
    } catch (error) {
      program = error as Error;
    }
    compiled.set(rule, program);
  }
  return program;
}

/** What a program yields, or the error it raises: rules fail on missing keys and bad conversions as a matter of course. */
function run(program: Program, context: Record<string, unknown>): unknown {
  try {
    return program(context);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function optionalOf(value: unknown): unknown {
  if (wrap === undefined) {
    const env = ruleEnvironment();
    wrap = { some: env.parse("optional.of(self)") as Program, none: env.evaluate("optional.none()") };
  }
  return value === undefined ? wrap.none : wrap.some({ self: value });
}

function firstLine(error: Error): string {
  return error.message.split("\n")[0]!.replace(/^No such key/, "no such key");
}

function anyRules(schema: JsonSchemaProps): boolean {
  let found = hasRules.get(schema);
  if (found === undefined) {
    const { items, properties = {}, additionalProperties, allOf = [] } = schema;
    const below = [...Object.values(properties), ...allOf];
    if (items !== undefined) below.push(items);
    if (typeof additionalProperties === "object") below.push(additionalProperties);
    found = schema["x-kubernetes-validations"] !== undefined || below.some(anyRules);
    hasRules.set(schema, found);
  }
  return found;
}
