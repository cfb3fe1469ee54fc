// CustomResourceDefinitions at work: accepted names, the Established condition, serving, and the clean-up of their objects.
import type { JsonSchemaProps } from "../../../shared/api/schema/types.ts";
import { at, copy, deepEqual, isObject, listAt, objectAt, stringAt, timestamp } from "../json.ts";
import type { PrinterColumn, ScalePaths, ServedKind } from "../registry.ts";
import { customObjectSchema, type Schema } from "../schema.ts";
import { ApiError } from "../status.ts";
import type { Json, JsonObject, KubeObject, ResourceName } from "../types.ts";
import type { StoreContext } from "./context.ts";
import { remove } from "./deletion.ts";
import { commit } from "./writes.ts";

export const definitionStorage = "customresourcedefinitions.apiextensions.k8s.io";
const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

const ageColumn: PrinterColumn = {
  name: "Age",
  type: "date",
  description: "How long ago it was created",
  jsonPath: ".metadata.creationTimestamp",
};

function servedVersion(definition: KubeObject, version: JsonObject, storageVersion: string): ServedKind {
  const names = objectAt(definition, "spec", "names");
  const group = stringAt(definition, "spec", "group") ?? "";
  const plural = stringAt(names, "plural") ?? "";
  const structural = objectAt(version, "schema", "openAPIV3Schema") as unknown as JsonSchemaProps;
  const columns = listAt(version, "additionalPrinterColumns") as unknown as PrinterColumn[];
  const subresources = objectAt(version, "subresources");
  const scale = subresources.scale;
  const selectable = listAt(version, "selectableFields").map((f) => (stringAt(f, "jsonPath") ?? "").replace(/^\./, ""));
  return {
    group,
    version: stringAt(version, "name") ?? "",
    kind: stringAt(names, "kind") ?? "",
    plural,
    singular: stringAt(names, "singular") ?? "",
    listKind: stringAt(names, "listKind") ?? "",
    namespaced: stringAt(definition, "spec", "scope") === "Namespaced",
    shortNames: listAt(names, "shortNames") as string[],
    categories: listAt(names, "categories") as string[],
    subresources: ["status", "scale"].filter((name) => isObject(subresources[name])),
    definition: "",
    schema: customObjectSchema(structural as unknown as Schema),
    storage: `${plural}.${group}`,
    selectableFields: selectable,
    custom: {
      structural,
      columns: columns.length > 0 ? columns : [ageColumn],
      scale: isObject(scale) ? (scale as unknown as ScalePaths) : undefined,
      storageVersion,
      deprecationWarning:
        version.deprecated === true
          ? (stringAt(version, "deprecationWarning") ??
            `${group}/${stringAt(version, "name")} ${stringAt(names, "kind")} is deprecated`)
          : undefined,
    },
  };
}

function condition(type: string, reason: string, message: string, at_: string): JsonObject {
  return { type, status: "True", lastTransitionTime: at_, reason, message };
}

function establishedStatus(definition: KubeObject, now: string): JsonObject {
  const versions = listAt(definition, "spec", "versions");
  const storage = versions.filter((v) => at(v, "storage") === true).map((v) => stringAt(v, "name") ?? "");
  const stored = listAt(definition, "status", "storedVersions") as string[];
  const before = listAt(definition, "status", "conditions");
  const conditions: Json[] = [
    condition("NamesAccepted", "NoConflicts", "no conflicts found", now),
    condition("Established", "InitialNamesAccepted", "the initial names have been accepted", now),
  ];
  return {
    conditions: before.length > 0 ? before : conditions,
    acceptedNames: copy(objectAt(definition, "spec", "names")),
    storedVersions: [...new Set([...stored, ...storage])],
  };
}

/** Serves a definition that has just been stored, and says so in its status. */
export function onDefinition(context: StoreContext, definition: KubeObject): void {
  const versions = listAt(definition, "spec", "versions").filter(isObject);
  const storageVersion =
    stringAt(
      versions.find((v) => v.storage === true),
      "name",
    ) ?? "";
  const kinds = versions.filter((v) => v.served === true).map((v) => servedVersion(definition, v, storageVersion));
  context.objects.begin(definition.metadata.name ?? "");
  context.registry.setCustom(definition.metadata.name ?? "", kinds);
  if (definition.metadata.deletionTimestamp !== undefined) {
    cleanUp(context, definition.metadata.name ?? "");
    return;
  }
  const draft = copy(definition);
  draft.status = establishedStatus(definition, timestamp(context.clock.now()));
  const finalizers = draft.metadata.finalizers ?? [];
  if (!finalizers.includes(cleanupFinalizer)) draft.metadata.finalizers = [...finalizers, cleanupFinalizer];
  if (!deepEqual(draft, definition)) context.objects.put(definitionStorage, draft);
}

/** Deletes the objects of a definition that is being deleted, and lets the definition go once none is left. */
export function cleanUp(context: StoreContext, name: ResourceName): void {
  const definition = context.objects.find(definitionStorage, { name });
  if (definition?.metadata.deletionTimestamp === undefined) return;
  const kind = context.registry.all().find((k) => k.storage === name);
  for (const object of kind === undefined ? [] : context.objects.list(name)) {
    const { name: objectName = "", namespace, deletionTimestamp } = object.metadata;
    if (deletionTimestamp !== undefined) continue;
    try {
      remove(context, kind!, namespace === undefined ? { name: objectName } : { name: objectName, namespace }, {});
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 404)) throw error;
    }
  }
  if (context.objects.list(name).length > 0) return;
  const now = context.objects.find(definitionStorage, { name });
  if (now === undefined || !(now.metadata.finalizers ?? []).includes(cleanupFinalizer)) return;
  context.registry.removeCustom(name);
  const draft = copy(now);
  draft.metadata.finalizers = (draft.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
  commit(context, context.registry.named(definitionStorage), now, draft);
}
