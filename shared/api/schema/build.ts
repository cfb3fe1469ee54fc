// Builders that make a structural schema and, from the same text, the TypeScript type of the documents it accepts.
// A field stands in one of three groups: required (in the schema's `required` list), defaulted (has a default, so it is
// there once defaults are applied, and the type says so) and optional.
import type { Json, JsonSchemaProps, ValidationRule } from "./types.ts";

declare const accepts: unique symbol;

/** A schema whose documents, after defaults, have type T. The type is carried at compile time only. */
export type Schema<T> = JsonSchemaProps & { readonly [accepts]?: T };

/** The type of the documents that a schema accepts, after defaults. */
export type Infer<S> = S extends { readonly [accepts]?: infer T } ? T : never;

// biome-ignore lint/suspicious/noExplicitAny: a schema of anything; `unknown` would lose the type in Infer
type Shape = { [name: string]: Schema<any> };

type Simplify<T> = { [K in keyof T]: T[K] };

type Fields<R extends Shape, D extends Shape, O extends Shape> = Simplify<
  { [K in keyof R]: Infer<R[K]> } & { [K in keyof D]: Infer<D[K]> } & { [K in keyof O]?: Infer<O[K]> }
>;

/** Anything else to say of a schema; `rules` are CEL. */
type Extra = Omit<JsonSchemaProps, "type" | "description" | "properties" | "items" | "x-kubernetes-validations"> & {
  rules?: ValidationRule[];
};

function make<T>(type: NonNullable<JsonSchemaProps["type"]>, description: string, extra: Extra = {}): Schema<T> {
  const { rules, ...rest } = extra;
  return {
    type,
    ...(description === "" ? {} : { description }),
    ...rest,
    ...(rules === undefined ? {} : { "x-kubernetes-validations": rules }),
  };
}

/** Any text. */
export function string(description: string, extra?: Extra): Schema<string> {
  return make("string", description, extra);
}

/** One of a few texts. */
export function oneOf<const V extends readonly string[]>(
  description: string,
  values: V,
  extra?: Extra,
): Schema<V[number]> {
  return make("string", description, { enum: [...values], ...extra });
}

/** A whole number; its format and bounds are the extra's to say. */
export function integer(description: string, extra?: Extra): Schema<number> {
  return make("integer", description, extra);
}

/** True or false. */
export function boolean(description: string, extra?: Extra): Schema<boolean> {
  return make("boolean", description, extra);
}

/** A list; without a list type in the extra, server-side apply takes it as a whole. */
export function list<T>(description: string, items: Schema<T>, extra?: Extra): Schema<T[]> {
  return { ...make<T[]>("array", description, extra), items };
}

/** Any keys, with values of one schema. */
export function map<T>(description: string, values: Schema<T>, extra?: Extra): Schema<{ [key: string]: T }> {
  return { ...make<{ [key: string]: T }>("object", description, extra), additionalProperties: values };
}

// biome-ignore lint/complexity/noBannedTypes: the empty shape adds no field; Record<string, never> would forbid them all
type None = {};

/** Named fields. Those with a default need not be written, but are always there once stored, and so in the type. */
export function object<R extends Shape = None, D extends Shape = None, O extends Shape = None>(
  description: string,
  fields: { required?: R; defaulted?: D; optional?: O },
  extra?: Extra,
): Schema<Fields<R, D, O>> {
  const { required, defaulted, optional } = fields;
  const names = Object.keys(required ?? {});
  return {
    ...make<Fields<R, D, O>>("object", description, extra),
    properties: { ...required, ...defaulted, ...optional },
    ...(names.length === 0 ? {} : { required: names }),
  };
}

/** A CEL rule with the message that its failure gives. */
export function rule(text: string, message: string): ValidationRule {
  return { rule: text, message };
}

/** A schema with a default. */
export function withDefault<T>(schema: Schema<T>, value: Json): Schema<T> {
  return { ...schema, default: value };
}
