import type { Owner, Taint } from "../../core/model/index.ts";
import {
  choice,
  type Document,
  each,
  FieldProblem,
  fieldsOf,
  listOf,
  numberOr,
  text,
  textMap,
  textOr,
  timeOr,
} from "./fields.ts";

/** What every object's metadata says. */
export interface Metadata {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly createdAtMs: number;
  readonly deletionAtMs: number | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly owner: Owner | undefined;
}

/**
 * Metadata with what a manifest leaves out filled in: no uid (the kind and name stand for it), no resourceVersion, and
 * a creation long ago.
 */
export function metadataOf(document: Document): Metadata {
  const metadata = fieldsOf(document.metadata, "metadata");
  const name = text(metadata.name, "metadata.name");
  if (name === "") throw new FieldProblem("metadata.name", "is empty; name the object");
  const namespace = textOr(metadata.namespace, undefined, "metadata.namespace");
  return {
    uid:
      textOr(metadata.uid, undefined, "metadata.uid") ??
      (namespace === undefined ? `${document.kind}/${name}` : `${document.kind}/${namespace}/${name}`),
    name,
    namespace,
    resourceVersion: textOr(metadata.resourceVersion, "", "metadata.resourceVersion"),
    generation: numberOr(metadata.generation, 1, "metadata.generation"),
    createdAtMs: timeOr(metadata.creationTimestamp, 0, "metadata.creationTimestamp"),
    deletionAtMs: timeOr(metadata.deletionTimestamp, undefined, "metadata.deletionTimestamp"),
    labels: textMap(metadata.labels, "metadata.labels"),
    annotations: textMap(metadata.annotations, "metadata.annotations"),
    finalizers: listOf(metadata.finalizers, "metadata.finalizers") as readonly string[],
    owner: ownerOf(metadata.ownerReferences),
  };
}

/** The owner that controls the object, not one that only has an interest in it. */
function ownerOf(references: unknown): Owner | undefined {
  for (const reference of listOf(references, "metadata.ownerReferences")) {
    const { kind, name, uid, controller } = fieldsOf(reference, "metadata.ownerReferences");
    if (controller === true) {
      return {
        kind: text(kind, "metadata.ownerReferences.kind"),
        name: text(name, "metadata.ownerReferences.name"),
        uid: textOr(uid, "", "metadata.ownerReferences.uid"),
      };
    }
  }
  return undefined;
}

export const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"] as const;

export function taintsOf(value: unknown, field: string): readonly Taint[] {
  return each(value, field, (taint) => ({
    key: text(taint.key, "key"),
    value: textOr(taint.value, "", "value"),
    effect: choice(taint.effect, taintEffects, "effect"),
  }));
}
