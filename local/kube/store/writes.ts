// Creating and updating: the order in which kube-apiserver decodes, admits, validates, tracks owners and stores.

import { trackUpdate, type Writer } from "../apply/managed-fields.ts";
import { admitCreate, admitUpdate } from "../builtins/admission.ts";
import { copy, deepEqual, timestamp } from "../json.ts";
import { writeZeroes } from "../messages.ts";
import type { ServedKind } from "../registry.ts";
import { ApiError, alreadyExists, badRequest, conflict, invalid, modifiedMeanwhile, notFound } from "../status.ts";
import type { JsonObject, KubeObject, ObjectKey, ObjectMeta, UpdateOptions, WriteOptions } from "../types.ts";
import type { StoreContext } from "./context.ts";
import { asObject, judge, normalize } from "./normalize.ts";
import { keyOf } from "./objects.ts";
import { present, toStorage } from "./versions.ts";

/** Kinds that PUT creates when they are absent. */
const createdByUpdate = new Set([
  ...["leases.coordination.k8s.io", "endpoints", "events", "limitranges", "services"],
  ...["roles", "rolebindings", "clusterroles", "clusterrolebindings"].map((r) => `${r}.rbac.authorization.k8s.io`),
]);

/** Built-in kinds that only take updates that name a resourceVersion; custom resources do too. */
const conditionalOnly = new Set(["leases.coordination.k8s.io", "poddisruptionbudgets.policy"]);

/** Built-in kinds whose generation counts the changes of their spec. */
const generational = new Set([
  ...[
    "pods",
    "podtemplates",
    "replicationcontrollers",
    "deployments.apps",
    "replicasets.apps",
    "statefulsets.apps",
    "daemonsets.apps",
  ],
  ...["jobs.batch", "cronjobs.batch", "poddisruptionbudgets.policy", "priorityclasses.scheduling.k8s.io"],
  ...["customresourcedefinitions.apiextensions.k8s.io", "endpointslices.discovery.k8s.io"],
  ...["networkpolicies.networking.k8s.io", "ingresses.networking.k8s.io"],
]);

/** Kinds that a kubelet creates together with their status. */
const createdWithStatus = new Set(["nodes", "volumeattachments.storage.k8s.io"]);

/** Kinds whose status endpoint also takes labels and annotations. */
const metadataWithStatus = new Set(["pods", "nodes"]);

const generateAttempts = 8;
const generatedPrefixLength = 58;

export function writerOf(context: StoreContext, kind: ServedKind, options: UpdateOptions): Writer {
  const subresource = options.subresource ?? "";
  const own = kind.subresources.includes("status");
  const resetPlaces = subresource === "status" ? [["f:spec"], ["f:metadata"]] : own ? [["f:status"]] : [];
  return {
    manager: options.fieldManager ?? "embedded",
    subresource,
    time: timestamp(context.clock.now()),
    resetPlaces,
  };
}

function checkNamespace(context: StoreContext, kind: ServedKind, name: string, namespace: string): void {
  const found = context.objects.find("namespaces", { name: namespace });
  if (found === undefined) throw notFound({ plural: "namespaces", group: "", kind: "Namespace" }, namespace);
  if (found.metadata.deletionTimestamp === undefined) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const text = `${kind.plural} "${name}" is forbidden: ${why}`;
  const causes = [
    {
      reason: "NamespaceTerminating",
      message: `namespace ${namespace} is being terminated`,
      field: "metadata.namespace",
    },
  ];
  throw new ApiError(403, "Forbidden", text, { name, kind: kind.plural, causes });
}

function placeInScope(kind: ServedKind, metadata: ObjectMeta, namespace: string | undefined): void {
  if (!kind.namespaced) {
    delete metadata.namespace;
    return;
  }
  const asked = namespace ?? metadata.namespace;
  if (asked === undefined || asked === "") throw badRequest("an empty namespace may not be set during creation");
  if (metadata.namespace !== undefined && metadata.namespace !== "" && metadata.namespace !== asked) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  metadata.namespace = asked;
}

function nameIt(context: StoreContext, kind: ServedKind, metadata: ObjectMeta): void {
  const prefix = metadata.generateName;
  if (metadata.name !== undefined && metadata.name !== "") return;
  if (prefix === undefined || prefix === "") {
    const message = "Required value: name or generateName is required";
    throw invalid(kind, "", [{ reason: "FieldValueRequired", message, field: "metadata.name" }]);
  }
  for (let attempt = 0; attempt < generateAttempts; attempt++) {
    metadata.name = `${prefix.slice(0, generatedPrefixLength)}${context.ids.nameSuffix()}`;
    const key = keyOf({ apiVersion: "", kind: "", metadata });
    if (context.objects.find(kind.storage, key) === undefined) return;
  }
}

function withoutStatus(kind: ServedKind, body: KubeObject): KubeObject {
  if (!kind.subresources.includes("status") || createdWithStatus.has(kind.storage)) return body;
  const { status: _, ...rest } = body;
  return rest as KubeObject;
}

/** The kind's empty object as Go encodes it: where owners of a new object are counted from. */
export function emptyObject(kind: ServedKind): KubeObject {
  const empty: JsonObject = { metadata: {} };
  if (kind.custom === undefined) writeZeroes(kind.definition, empty);
  return empty as unknown as KubeObject;
}

function own(object: KubeObject, entries: JsonObject[]): void {
  if (entries.length > 0) object.metadata.managedFields = entries;
  else delete object.metadata.managedFields;
}

/** A new object with everything that the server writes, not yet stored. */
function prepareCreate(
  context: StoreContext,
  kind: ServedKind,
  body: unknown,
  namespace: string | undefined,
  options: WriteOptions,
  managed: boolean,
): KubeObject {
  const object = normalize(kind, withoutStatus(kind, asObject(kind, body)), options);
  const { metadata } = object;
  placeInScope(kind, metadata, namespace);
  if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== "") {
    throw new ApiError(500, "", "resourceVersion should not be set on objects to be created");
  }
  nameIt(context, kind, metadata);
  if (kind.namespaced) checkNamespace(context, kind, metadata.name!, metadata.namespace!);
  for (const field of ["deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "generation"] as const) {
    delete (metadata as Record<string, unknown>)[field];
  }
  metadata.uid = context.ids.uid();
  metadata.creationTimestamp = timestamp(context.clock.now());
  if (kind.custom !== undefined || generational.has(kind.storage)) metadata.generation = 1;
  if (!managed) {
    delete metadata.managedFields;
    own(object, trackUpdate(emptyObject(kind), object, kind.schema, writerOf(context, kind, options)));
  }
  // Owners are noted before admission: what the server adds belongs to nobody.
  admitCreate(context, kind.storage, object);
  return object;
}

/**
 * @param managed true if metadata.managedFields is final already (server-side apply).
 * @throws AlreadyExists, Invalid, BadRequest, NotFound for the namespace, Forbidden.
 */
export function create(
  context: StoreContext,
  kind: ServedKind,
  body: unknown,
  namespace: string | undefined,
  options: WriteOptions,
  managed = false,
): KubeObject {
  const object = prepareCreate(context, kind, body, namespace, options, managed);
  judge(kind, object, undefined);
  const there = context.objects.find(kind.storage, keyOf(object));
  if (there !== undefined) {
    throw alreadyExists(kind, object.metadata.name!, there.metadata.deletionTimestamp !== undefined);
  }
  if (options.dryRun === true) return object;
  const stored = context.objects.put(kind.storage, toStorage(kind, object));
  context.afterPut(kind.storage, stored, undefined);
  return present(kind, context.objects.find(kind.storage, keyOf(object)) ?? stored);
}

/** A uid of another object: a PUT states a precondition, a patch tries to change what is fixed. */
function checkUid(kind: ServedKind, existing: KubeObject, uid: string, patching: boolean): void {
  if (uid === existing.metadata.uid) return;
  const name = existing.metadata.name ?? "";
  if (patching) throw fixed(kind, name, "metadata.uid", uid);
  const why = `StorageError: invalid object, Code: 4, Key: ${name}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${existing.metadata.uid}`;
  throw conflict(kind, name, why);
}

function fixed(kind: ServedKind, name: string, field: string, value: string): ApiError {
  const message = `Invalid value: ${JSON.stringify(value)}: field is immutable`;
  return invalid(kind, name, [{ reason: "FieldValueInvalid", message, field }]);
}

function checkPreconditions(
  kind: ServedKind,
  existing: KubeObject,
  incoming: KubeObject,
  key: ObjectKey,
  patching: boolean,
): void {
  const { name, namespace, uid, resourceVersion } = incoming.metadata;
  if (name !== undefined && name !== key.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${key.name})`);
  }
  if (kind.namespaced && namespace !== undefined && namespace !== "" && namespace !== key.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (uid !== undefined && uid !== "") checkUid(kind, existing, uid, patching);
  const { deletionTimestamp } = incoming.metadata;
  if (deletionTimestamp !== undefined && deletionTimestamp !== existing.metadata.deletionTimestamp) {
    throw fixed(kind, key.name, "metadata.deletionTimestamp", deletionTimestamp);
  }
  if (resourceVersion !== undefined && resourceVersion !== "") {
    if (!/^\d+$/.test(resourceVersion)) {
      throw new ApiError(500, "", `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
    }
    if (resourceVersion !== existing.metadata.resourceVersion) throw conflict(kind, key.name, modifiedMeanwhile);
  } else if (kind.custom !== undefined || conditionalOnly.has(kind.storage)) {
    const message = "Invalid value: 0: must be specified for an update";
    throw invalid(kind, key.name, [{ reason: "FieldValueInvalid", message, field: "metadata.resourceVersion" }]);
  }
}

/** The metadata of an update: the client's, but for what belongs to the server. */
function mergedMetadata(existing: ObjectMeta, incoming: ObjectMeta): ObjectMeta {
  const out: ObjectMeta = { ...incoming };
  const serverFields = ["name", "namespace", "uid", "creationTimestamp", "generateName", "selfLink", "resourceVersion"];
  for (const field of [...serverFields, "deletionTimestamp", "deletionGracePeriodSeconds", "generation"]) {
    const value = (existing as Record<string, unknown>)[field];
    if (value === undefined) delete (out as Record<string, unknown>)[field];
    else (out as Record<string, unknown>)[field] = value;
  }
  if (out.managedFields === undefined && existing.managedFields !== undefined)
    out.managedFields = existing.managedFields;
  else if (out.managedFields?.length === 1 && Object.keys(out.managedFields[0] ?? {}).length === 0)
    out.managedFields = [];
  return out;
}

function checkFinalizers(kind: ServedKind, existing: KubeObject, next: KubeObject): void {
  if (existing.metadata.deletionTimestamp === undefined) return;
  const before = existing.metadata.finalizers ?? [];
  const fresh = (next.metadata.finalizers ?? []).filter((name) => !before.includes(name));
  if (fresh.length === 0) return;
  const list = fresh.map((name) => JSON.stringify(name)).join(", ");
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  throw invalid(kind, existing.metadata.name ?? "", [
    { reason: "FieldValueForbidden", message, field: "metadata.finalizers" },
  ]);
}

function withoutMetadata(kind: ServedKind, object: KubeObject): Record<string, unknown> {
  const { metadata: _m, apiVersion: _a, ...rest } = object;
  if (kind.custom === undefined || kind.subresources.includes("status")) delete rest.status;
  return rest;
}

function countGeneration(kind: ServedKind, existing: KubeObject, next: KubeObject): void {
  if (existing.metadata.generation === undefined) return;
  const changed =
    !deepEqual(withoutMetadata(kind, existing), withoutMetadata(kind, next)) ||
    (kind.storage === "deployments.apps" && !deepEqual(existing.metadata.annotations, next.metadata.annotations));
  if (changed) next.metadata.generation = existing.metadata.generation + 1;
}

function combine(kind: ServedKind, existing: KubeObject, incoming: KubeObject, subresource: string): KubeObject {
  const metadata = mergedMetadata(existing.metadata, incoming.metadata);
  if (subresource === "status") {
    const kept = metadataWithStatus.has(kind.storage)
      ? metadata
      : {
          ...existing.metadata,
          ...(metadata.managedFields === undefined ? {} : { managedFields: metadata.managedFields }),
        };
    const next: KubeObject = { ...existing, metadata: copy(kept) };
    if (incoming.status === undefined) delete next.status;
    else next.status = incoming.status;
    return next;
  }
  const next: KubeObject = { ...incoming, metadata };
  if (!kind.subresources.includes("status")) return next;
  if (existing.status === undefined) delete next.status;
  else next.status = existing.status;
  return next;
}

/** True once nothing keeps an object that is being deleted. */
export function mayGo(object: KubeObject): boolean {
  const { metadata } = object;
  if (metadata.deletionTimestamp === undefined || (metadata.finalizers ?? []).length > 0) return false;
  if (object.kind === "Namespace" && (object.spec?.finalizers ?? []).length > 0) return false;
  return (metadata.deletionGracePeriodSeconds ?? 0) === 0;
}

/** Stores a new version of an object, or removes it if it was only waiting for this. Returns it as stored. */
export function commit(context: StoreContext, kind: ServedKind, existing: KubeObject, next: KubeObject): KubeObject {
  const key = keyOf(next);
  if (mayGo(next)) {
    const stored = context.objects.put(kind.storage, next);
    context.objects.remove(kind.storage, key);
    context.afterRemoval(kind.storage, key, stored);
    return stored;
  }
  const stored = context.objects.put(kind.storage, next);
  context.afterPut(kind.storage, stored, existing);
  return stored;
}

export interface InnerUpdateOptions extends UpdateOptions {
  /** The update is the result of a patch. */
  patching?: boolean;
}

/**
 * @param managed true if metadata.managedFields is final already (server-side apply).
 * @throws NotFound, Conflict, Invalid, BadRequest.
 */
export function update(
  context: StoreContext,
  kind: ServedKind,
  key: ObjectKey,
  body: unknown,
  options: InnerUpdateOptions,
  managed = false,
): { object: KubeObject; created: boolean } {
  const found = context.objects.find(kind.storage, key);
  const subresource = options.subresource ?? "";
  if (found === undefined) {
    if (subresource !== "" || !createdByUpdate.has(kind.storage)) throw notFound(kind, key.name);
    return { object: create(context, kind, body, key.namespace, options), created: true };
  }
  const existing = present(kind, found);
  const sent = asObject(kind, body);
  checkPreconditions(kind, existing, sent, key, options.patching === true);
  const incoming = normalize(kind, sent, options);
  const next = copy(combine(kind, existing, incoming, subresource));
  // An object whose fields nobody owns any more is not tracked again until someone applies it.
  const tracked = next.metadata.managedFields !== undefined && next.metadata.managedFields.length > 0;
  if (!tracked) delete next.metadata.managedFields;
  if (!managed && tracked) own(next, trackUpdate(existing, next, kind.schema, writerOf(context, kind, options)));
  if (subresource === "") admitUpdate(kind.storage, next, existing);
  checkFinalizers(kind, existing, next);
  countGeneration(kind, existing, next);
  judge(kind, next, existing);
  if (options.dryRun === true) return { object: next, created: false };
  if (deepEqual(next, existing) && !mayGo(next)) return { object: existing, created: false };
  return { object: present(kind, commit(context, kind, found, toStorage(kind, next))), created: false };
}
