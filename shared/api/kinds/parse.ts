import type { FieldError } from "../schema/field-error.ts";
import { applyDefaults, type Json, type JsonObject, type JsonSchemaProps, prune, validate } from "../schema/index.ts";
import { apiVersionOf, type CustomResource, type Resource } from "./custom-resource.ts";
import { schemaOf } from "./index.ts";

/** What became of a document of one of our kinds. */
export type Parsed<Spec, Status> =
  | { readonly ok: true; readonly resource: Resource<Spec, Status>; readonly unknownFields: readonly string[] }
  | { readonly ok: false; readonly errors: readonly FieldError[]; readonly unknownFields: readonly string[] };

/**
 * Reads a document as the API server would: unknown fields are dropped and told, defaults filled in, the rest validated.
 * The given document is not changed. With `old` it is an update of that document.
 */
export function parseResource<Spec, Status>(
  kind: CustomResource<Spec, Status>,
  document: unknown,
  old?: unknown,
): Parsed<Spec, Status> {
  const schema = schemaOf(apiVersionOf(kind), kind.kind)!;
  const { stored: defaulted, unknownFields } = store(schema, document);
  const errors = validate(schema, defaulted, old === undefined ? undefined : store(schema, old).stored);
  if (errors.length > 0) return { ok: false, errors, unknownFields };
  return { ok: true, resource: defaulted as JsonObject as unknown as Resource<Spec, Status>, unknownFields };
}

/** A copy of a document without unknown fields and with defaults. */
function store(schema: JsonSchemaProps, document: unknown): { stored: Json; unknownFields: string[] } {
  const value = structuredClone(document) as Json;
  const unknownFields = prune(schema, value);
  return { stored: applyDefaults(schema, value), unknownFields };
}
