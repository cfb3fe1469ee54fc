// Patching: the four kinds of patch, each ending in the same update.
import { applyConfiguration } from "../apply/managed-fields.ts";
import { isObject } from "../json.ts";
import { jsonPatch, mergePatch } from "../patch/json-patch.ts";
import { strategicMergePatch } from "../patch/strategic-merge.ts";
import type { ServedKind } from "../registry.ts";
import { ApiError, badRequest, conflict, invalid, notFound, unsupportedMediaType } from "../status.ts";
import type { Json, JsonObject, KubeObject, ObjectKey, PatchOptions, PatchType } from "../types.ts";
import type { StoreContext } from "./context.ts";
import { asObject, normalize, unknownFields } from "./normalize.ts";
import { present } from "./versions.ts";
import { create, emptyObject, update, writerOf } from "./writes.ts";

export interface Patched {
  object: KubeObject;
  created: boolean;
}

function patched(kind: ServedKind, existing: KubeObject, type: PatchType, body: Json): JsonObject {
  const target = existing as unknown as JsonObject;
  if (type === "json") return jsonPatch(target, body);
  if (type === "merge") {
    if (!isObject(body)) throw badRequest("json: cannot unmarshal array into Go value of type map[string]interface {}");
    return mergePatch(target, body) as JsonObject;
  }
  return strategicMergePatch(target, body, kind.schema);
}

/** @throws NotFound, Conflict, Invalid, BadRequest, UnsupportedMediaType (strategic merge on a custom resource). */
export function patch(
  context: StoreContext,
  kind: ServedKind,
  key: ObjectKey,
  type: PatchType,
  body: Json,
  options: PatchOptions,
): Patched {
  if (type === "apply") return apply(context, kind, key, body, options);
  if (options.force !== undefined) {
    const message = "Forbidden: may not be specified for non-apply patch";
    throw new ApiError(422, "Invalid", `PatchOptions.meta.k8s.io "" is invalid: force: ${message}`);
  }
  if (type === "strategic" && kind.custom !== undefined) {
    const accepted = ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"];
    throw unsupportedMediaType(accepted);
  }
  const found = context.objects.find(kind.storage, key);
  if (found === undefined) throw notFound(kind, key.name);
  const next = patched(kind, present(kind, found), type, body);
  try {
    return update(context, kind, key, next, { ...options, patching: true });
  } catch (error) {
    throw error instanceof ApiError && error.code === 400 ? strictness(error, body) : error;
  }
}

/** Fields that nobody knows are an invalid patch here, where a whole object with them is a bad request. */
function strictness(error: ApiError, body: Json): ApiError {
  const at = error.message.indexOf("strict decoding error");
  if (at < 0) return error;
  const message = `Invalid value: ${JSON.stringify(JSON.stringify(body))}: ${error.message.slice(at)}`;
  const nameless = { plural: "", group: "", kind: "" };
  return invalid(nameless, "", [{ reason: "FieldValueInvalid", message, field: "patch" }]);
}

function checkConfiguration(kind: ServedKind, key: ObjectKey, config: KubeObject): void {
  if (config.metadata.managedFields !== undefined) throw badRequest("metadata.managedFields must be nil");
  const { name } = config.metadata;
  if (name !== undefined && name !== key.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${key.name})`);
  }
  const unknown = unknownFields(kind, config);
  if (unknown.length === 0) return;
  const where = `${config.metadata.namespace ?? ""}/${key.name}`;
  const errors = unknown.map((path) => `.${path}: field not declared in schema`);
  const text = `failed to create typed patch object (${where}; ${config.apiVersion}, Kind=${config.kind}): `;
  throw new ApiError(500, "", text + (errors.length === 1 ? errors[0] : `errors:\n  ${errors.join("\n  ")}`));
}

function apply(context: StoreContext, kind: ServedKind, key: ObjectKey, body: Json, options: PatchOptions): Patched {
  if ((options.fieldManager ?? "") === "") {
    const cause = {
      reason: "FieldValueRequired",
      message: "Required value: is required for apply patch",
      field: "fieldManager",
    };
    throw invalid({ plural: "patchoptions", group: "meta.k8s.io", kind: "PatchOptions" }, "", [cause]);
  }
  const config = asObject(kind, body);
  checkConfiguration(kind, key, config);
  config.metadata = { ...config.metadata, name: key.name };
  if (key.namespace !== undefined) config.metadata.namespace = key.namespace;
  const found = context.objects.find(kind.storage, key);
  const existing = found === undefined ? undefined : present(kind, found);
  const writer = writerOf(context, kind, options);
  const quiet = { ...options, fieldValidation: "Ignore" as const };
  const ready = (object: KubeObject): KubeObject => normalize(kind, object, quiet);
  const empty = emptyObject(kind);
  if (existing === undefined) {
    if ((options.subresource ?? "") !== "") throw notFound(kind, key.name);
    if (config.metadata.uid !== undefined) {
      const why = `uid mismatch: the provided object specified uid ${config.metadata.uid}, and no existing object was found`;
      throw conflict(kind, key.name, why);
    }
    const made = applyConfiguration(undefined, config, kind.schema, writer, true, empty, ready);
    delete made.metadata.resourceVersion;
    return { object: create(context, kind, made, key.namespace, quiet, true), created: true };
  }
  const force = options.force === true;
  const merged = applyConfiguration(existing, config, kind.schema, writer, force, empty, ready);
  return update(context, kind, key, merged, { ...quiet, patching: true }, true);
}
