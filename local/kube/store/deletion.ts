// Deleting: preconditions, grace periods of pods, finalizers, propagation policies.
import { copy, numberAt, stringAt, timestamp } from "../json.ts";
import type { ServedKind } from "../registry.ts";
import { conflict, invalid, notFound } from "../status.ts";
import type { DeleteOptions, KubeObject, ObjectKey } from "../types.ts";
import type { StoreContext } from "./context.ts";
import { present } from "./versions.ts";
import { commit, mayGo } from "./writes.ts";

export const orphanFinalizer = "orphan";
export const foregroundFinalizer = "foregroundDeletion";

const defaultGraceSeconds = 30;

/** How long a pod may take to end: nothing once it has ended or before it runs anywhere. Other kinds end at once. */
function graceSeconds(kind: ServedKind, object: KubeObject, options: DeleteOptions): number {
  if (kind.storage !== "pods") return 0;
  const phase = stringAt(object, "status", "phase");
  if ((stringAt(object, "spec", "nodeName") ?? "") === "" || phase === "Succeeded" || phase === "Failed") return 0;
  const asked =
    options.gracePeriodSeconds ?? numberAt(object, "spec", "terminationGracePeriodSeconds") ?? defaultGraceSeconds;
  return asked < 0 ? 1 : asked;
}

function finalizersFor(object: KubeObject, options: DeleteOptions): string[] {
  const there = object.metadata.finalizers ?? [];
  const policy = options.propagationPolicy;
  if (policy === undefined) return [...there];
  const kept = there.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer);
  if (policy === "Orphan") return [...kept, orphanFinalizer];
  return policy === "Foreground" ? [...kept, foregroundFinalizer] : kept;
}

function checkPreconditions(kind: ServedKind, object: KubeObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const { metadata } = object;
  const name = metadata.name ?? "";
  const byKind = { ...kind, plural: kind.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(byKind, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(byKind, name, why);
  }
}

function checkOptions(options: DeleteOptions): void {
  const policies = ["Foreground", "Background", "Orphan"];
  const asked = options.propagationPolicy;
  if (asked === undefined || policies.includes(asked)) return;
  const list = [...policies, "nil"].map((policy) => JSON.stringify(policy)).join(", ");
  const message = `Unsupported value: ${JSON.stringify(asked)}: supported values: ${list}`;
  throw invalid({ plural: "deleteoptions", group: "meta.k8s.io", kind: "DeleteOptions" }, "", [
    { reason: "FieldValueNotSupported", message, field: "propagationPolicy" },
  ]);
}

/** @returns the object as it last was, and whether it is gone now. @throws NotFound, Conflict for a precondition. */
export function remove(
  context: StoreContext,
  kind: ServedKind,
  key: ObjectKey,
  options: DeleteOptions,
): { object: KubeObject; gone: boolean } {
  checkOptions(options);
  const found = context.objects.find(kind.storage, key);
  if (found === undefined) throw notFound(kind, key.name);
  checkPreconditions(kind, found, options);
  const existing = present(kind, found);
  const grace = graceSeconds(kind, existing, options);
  const finalizers = finalizersFor(existing, options);
  const waitsForNamespace = kind.storage === "namespaces" && (existing.spec?.finalizers ?? []).length > 0;
  if (options.dryRun === true)
    return { object: existing, gone: finalizers.length === 0 && grace === 0 && !waitsForNamespace };
  if (grace === 0 && finalizers.length === 0 && !waitsForNamespace) {
    const object = context.objects.remove(kind.storage, key);
    context.afterRemoval(kind.storage, key, object);
    return { object: present(kind, object), gone: true };
  }
  const next = marked(context, copy(found), grace, finalizers);
  if (kind.storage === "namespaces") next.status = { ...next.status, phase: "Terminating" };
  const stored = commit(context, kind, found, next);
  return { object: present(kind, stored), gone: mayGo(next) };
}

/** The object with its deletion stated. A second deletion may shorten the grace period, never lengthen it. */
function marked(context: StoreContext, next: KubeObject, grace: number, finalizers: string[]): KubeObject {
  const { metadata } = next;
  const now = context.clock.now();
  const millisecondsPerSecond = 1000;
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  const before = metadata.deletionGracePeriodSeconds;
  if (metadata.deletionTimestamp !== undefined && before !== undefined && before <= grace) return next;
  if (metadata.deletionTimestamp === undefined && metadata.generation !== undefined) metadata.generation += 1;
  metadata.deletionTimestamp = timestamp(now + grace * millisecondsPerSecond);
  metadata.deletionGracePeriodSeconds = grace;
  return next;
}
