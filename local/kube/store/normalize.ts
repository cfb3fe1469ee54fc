// From what a client sent to what would be stored: decoded, pruned, defaulted; then judged.
import { causeReason, printFieldErrorBody } from "../../../shared/api/schema/field-error.ts";
import { applyDefaults, type FieldError, prune, validate } from "../../../shared/api/schema/index.ts";
import { applyBuiltInDefaults } from "../builtins/defaults.ts";
import { metadataErrors } from "../builtins/names.ts";
import { builtInErrors } from "../builtins/validation.ts";
import { decodeBuiltIn } from "../decode.ts";
import { copy, isObject } from "../json.ts";
import { apiVersionOf } from "../kinds.ts";
import type { ServedKind } from "../registry.ts";
import { objectMetaDefinition } from "../schema.ts";
import { badRequest, invalid } from "../status.ts";
import type { JsonObject, KubeObject, WriteOptions } from "../types.ts";

/** The document of a request as an object of this kind. @throws BadRequest if it is of another kind or version. */
export function asObject(kind: ServedKind, body: unknown): KubeObject {
  if (!isObject(body)) throw badRequest("the object provided is unrecognized (must be of type Object)");
  const apiVersion = body.apiVersion ?? apiVersionOf(kind);
  const name = body.kind ?? kind.kind;
  if (apiVersion !== apiVersionOf(kind)) {
    throw badRequest(
      `the API version in the data (${String(apiVersion)}) does not match the expected API version (${apiVersionOf(kind)})`,
    );
  }
  if (name !== kind.kind) {
    throw badRequest(
      `${String(name)} in version "${kind.version}" cannot be handled as a ${kind.kind}: unknown conversion`,
    );
  }
  const metadata = isObject(body.metadata) ? body.metadata : {};
  return { ...body, apiVersion, kind: name, metadata } as unknown as KubeObject;
}

function decodeCustom(kind: ServedKind, value: JsonObject): { object: JsonObject; unknown: string[] } {
  const { structural } = kind.custom!;
  const object = copy(value);
  const metadataOnly = { metadata: object.metadata ?? {} };
  const schema = { type: "object", properties: { metadata: { $ref: objectMetaDefinition } } };
  const decoded = decodeBuiltIn(kind, schema, metadataOnly);
  const unknown = [...decoded.unknown, ...prune(structural, object)];
  const defaulted = applyDefaults(structural, object) as JsonObject;
  return { object: { ...defaulted, metadata: decoded.object.metadata ?? {} }, unknown };
}

/** The paths in an object that its schema does not name. @throws BadRequest for a value of the wrong type */
export function unknownFields(kind: ServedKind, value: KubeObject): string[] {
  const raw = value as unknown as JsonObject;
  return kind.custom === undefined ? decodeBuiltIn(kind, kind.schema, raw).unknown : decodeCustom(kind, raw).unknown;
}

/** Handles fields that nobody knows as fieldValidation asks. */
function reportUnknown(kind: ServedKind, unknown: readonly string[], options: WriteOptions): void {
  if (unknown.length === 0 || options.fieldValidation === undefined || options.fieldValidation === "Ignore") return;
  const texts = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (options.fieldValidation === "Warn") {
    for (const text of texts) options.onWarning?.(text);
    return;
  }
  throw badRequest(
    `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: strict decoding error: ${texts.join(", ")}`,
  );
}

/** A fresh, mutable object as it would be stored. @throws BadRequest */
export function normalize(kind: ServedKind, value: KubeObject, options: WriteOptions): KubeObject {
  const raw = value as unknown as JsonObject;
  const { object, unknown } =
    kind.custom === undefined ? decodeBuiltIn(kind, kind.schema, raw) : decodeCustom(kind, raw);
  reportUnknown(kind, unknown, options);
  if (kind.custom === undefined && kind.group !== "events.k8s.io") applyBuiltInDefaults(kind.storage, object);
  if (!isObject(object.metadata)) object.metadata = {};
  return object as unknown as KubeObject;
}

/** @throws Invalid (422) with every problem. */
export function judge(kind: ServedKind, object: KubeObject, old: KubeObject | undefined): void {
  const errors: FieldError[] = metadataErrors(kind.storage, kind.custom === undefined, object);
  if (kind.custom === undefined) errors.push(...builtInErrors(kind.storage, object, old));
  else {
    const value = object as unknown as JsonObject;
    errors.push(...validate(kind.custom.structural, value, old as unknown as JsonObject | undefined));
  }
  if (errors.length === 0) return;
  const causes = errors.map((error) => ({
    reason: causeReason(error),
    message: printFieldErrorBody(error),
    field: error.path === "" ? "<nil>" : error.path,
  }));
  throw invalid(kind, object.metadata.name ?? "", causes);
}
