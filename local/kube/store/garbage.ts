// What the controller manager does about owners: dependents go when their last owner is gone, foreground deletion waits for
// them, orphaning lets go of them; namespaces empty themselves. Here it happens at once, in the deleting call.
import { copy } from "../json.ts";
import type { ServedKind } from "../registry.ts";
import { ApiError } from "../status.ts";
import type { KubeObject, ObjectKey, OwnerReference, ResourceName } from "../types.ts";
import type { StoreContext } from "./context.ts";
import { foregroundFinalizer, orphanFinalizer, remove } from "./deletion.ts";
import { commit } from "./writes.ts";

function ownerOf(context: StoreContext, reference: OwnerReference, dependent: KubeObject): KubeObject | undefined {
  const kind = context.registry.byKind(reference.apiVersion, reference.kind);
  if (kind === undefined) return undefined;
  const { namespace } = dependent.metadata;
  const key =
    kind.namespaced && namespace !== undefined ? { name: reference.name, namespace } : { name: reference.name };
  const owner = context.objects.find(kind.storage, key);
  return owner?.metadata.uid === reference.uid ? owner : undefined;
}

function waitsForDependents(owner: KubeObject): boolean {
  return (
    owner.metadata.deletionTimestamp !== undefined && (owner.metadata.finalizers ?? []).includes(foregroundFinalizer)
  );
}

function change(context: StoreContext, kind: ServedKind, key: ObjectKey, edit: (draft: KubeObject) => void): void {
  const found = context.objects.find(kind.storage, key);
  if (found === undefined) return;
  const draft = copy(found);
  edit(draft);
  commit(context, kind, found, draft);
}

/** Deletes, tolerating that it has gone meanwhile (through another owner). */
function removeQuietly(context: StoreContext, kind: ServedKind, key: ObjectKey, foreground: boolean): void {
  try {
    remove(context, kind, key, foreground ? { propagationPolicy: "Foreground" } : {});
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return;
    throw error;
  }
}

/** Decides about an object of which an owner has gone or is waiting. */
function reconsider(context: StoreContext, storage: ResourceName, key: ObjectKey): void {
  const object = context.objects.find(storage, key);
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
  const kind = context.registry.named(storage);
  const references = object.metadata.ownerReferences ?? [];
  const owners = references.map((reference) => ({ reference, owner: ownerOf(context, reference, object) }));
  const solid = owners.filter(({ owner }) => owner !== undefined && !waitsForDependents(owner));
  const waiting = owners.some(({ owner }) => owner !== undefined && waitsForDependents(owner));
  if (solid.length === 0) {
    removeQuietly(context, kind, key, waiting && context.objects.ownedBy(object.metadata.uid ?? "").length > 0);
    return;
  }
  if (solid.length === references.length) return;
  change(context, kind, key, (draft) => {
    draft.metadata.ownerReferences = solid.map(({ reference }) => reference);
  });
}

/** An object whose every owner is unknown goes too, as a dependent that was made just too late. */
export function checkOwners(context: StoreContext, storage: ResourceName, object: KubeObject): void {
  const references = object.metadata.ownerReferences ?? [];
  if (references.length === 0) return;
  if (references.some((reference) => ownerOf(context, reference, object) !== undefined)) return;
  const { name = "", namespace } = object.metadata;
  queueMicrotask(() => reconsider(context, storage, namespace === undefined ? { name } : { name, namespace }));
}

function letGo(context: StoreContext, owner: KubeObject): void {
  const uid = owner.metadata.uid ?? "";
  for (const { storage, key } of context.objects.ownedBy(uid)) {
    change(context, context.registry.named(storage), key, (draft) => {
      const left = (draft.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid);
      if (left.length > 0) draft.metadata.ownerReferences = left;
      else delete draft.metadata.ownerReferences;
    });
  }
}

function dropFinalizer(context: StoreContext, kind: ServedKind, key: ObjectKey, finalizer: string): void {
  change(context, kind, key, (draft) => {
    draft.metadata.finalizers = (draft.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    if (draft.metadata.finalizers.length === 0) delete draft.metadata.finalizers;
  });
}

function blocked(context: StoreContext, owner: KubeObject): boolean {
  const uid = owner.metadata.uid ?? "";
  return context.objects.ownedBy(uid).some(({ storage, key }) => {
    const dependent = context.objects.find(storage, key);
    return dependent?.metadata.ownerReferences?.some((r) => r.uid === uid && r.blockOwnerDeletion === true) ?? false;
  });
}

/** Works off the orphan and foregroundDeletion finalizers of an object that has just been marked. */
export function onMarked(context: StoreContext, storage: ResourceName, object: KubeObject): void {
  const { name = "", namespace, finalizers = [], uid = "" } = object.metadata;
  const key = namespace === undefined ? { name } : { name, namespace };
  const kind = context.registry.named(storage);
  if (finalizers.includes(orphanFinalizer)) {
    letGo(context, object);
    dropFinalizer(context, kind, key, orphanFinalizer);
  } else if (finalizers.includes(foregroundFinalizer)) {
    for (const dependent of context.objects.ownedBy(uid)) reconsider(context, dependent.storage, dependent.key);
    if (!blocked(context, object)) dropFinalizer(context, kind, key, foregroundFinalizer);
  }
}

/** Follows up on an object that is gone: its dependents, and owners that waited for it. */
export function onGone(context: StoreContext, object: KubeObject): void {
  for (const { storage, key } of context.objects.ownedBy(object.metadata.uid ?? "")) reconsider(context, storage, key);
  for (const reference of object.metadata.ownerReferences ?? []) {
    const owner = ownerOf(context, reference, object);
    if (owner === undefined || !waitsForDependents(owner) || blocked(context, owner)) continue;
    const kind = context.registry.byKind(reference.apiVersion, reference.kind)!;
    const { name = "", namespace } = owner.metadata;
    dropFinalizer(context, kind, namespace === undefined ? { name } : { name, namespace }, foregroundFinalizer);
  }
}

/** Empties a namespace that is being deleted, and lets it go once it is empty. */
export function emptyNamespace(context: StoreContext, namespace: string): void {
  const found = context.objects.find("namespaces", { name: namespace });
  if (found?.metadata.deletionTimestamp === undefined) return;
  const kinds = context.registry.all().filter((kind) => kind.namespaced && kind.group !== "events.k8s.io");
  for (const kind of kinds) {
    for (const object of context.objects.list(kind.storage, namespace)) {
      if (object.metadata.deletionTimestamp !== undefined) continue;
      removeQuietly(context, kind, { name: object.metadata.name ?? "", namespace }, false);
    }
  }
  finishNamespace(context, namespace);
}

/** Removes a namespace's own finalizer when nothing is left in it. */
export function finishNamespace(context: StoreContext, namespace: string): void {
  const found = context.objects.find("namespaces", { name: namespace });
  if (found?.metadata.deletionTimestamp === undefined) return;
  if (context.objects.storages().some((storage) => context.objects.list(storage, namespace).length > 0)) return;
  change(context, context.registry.named("namespaces"), { name: namespace }, (draft) => {
    draft.spec = { ...draft.spec, finalizers: [] };
  });
}
