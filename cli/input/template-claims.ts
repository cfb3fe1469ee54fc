// The claims that a StatefulSet makes for its pods before the pods themselves.
import { fieldsOf, isObject, type Json, objectsOf, type SourceDocument } from "./documents.ts";
import type { Objects } from "./objects.ts";

/**
 * The claims of the input, and those that StatefulSets make from their volumeClaimTemplates: `<template>-<pod>` for each of
 * their pods, where no claim of that name is there. A made claim has no volume yet.
 */
export function claimsOf(objects: Objects, pods: readonly SourceDocument[]): readonly SourceDocument[] {
  const claims = [...objects.of("/PersistentVolumeClaim")];
  const known = new Set(claims.map(({ document }) => keyOf(fieldsOf(document.metadata))));
  const sets = new Map(objects.of("apps/StatefulSet").map((set) => [keyOf(fieldsOf(set.document.metadata)), set]));
  if (sets.size === 0) return claims;
  for (const { document } of pods) {
    const { namespace, name, ownerReferences } = fieldsOf(document.metadata);
    const owner = objectsOf(ownerReferences).find(({ kind }) => kind === "StatefulSet");
    const set = owner === undefined ? undefined : sets.get(keyOf({ namespace, name: owner.name }));
    for (const template of set === undefined ? [] : templatesOf(set)) {
      const metadata = {
        ...fieldsOf(template.metadata),
        namespace,
        name: `${fieldsOf(template.metadata).name}-${name}`,
      };
      if (known.has(keyOf(metadata))) continue;
      known.add(keyOf(metadata));
      const made = { ...template, apiVersion: "v1", kind: "PersistentVolumeClaim", metadata };
      claims.push({ group: "", kind: "PersistentVolumeClaim", document: made, where: set!.where });
    }
  }
  return claims;
}

/** What is wrong with templates was said when the StatefulSet was read. */
function templatesOf({ document }: SourceDocument): readonly Json[] {
  const { volumeClaimTemplates } = fieldsOf(document.spec);
  return Array.isArray(volumeClaimTemplates) ? volumeClaimTemplates.filter(isObject) : [];
}

function keyOf({ namespace, name }: Json): string {
  return `${namespace as string}/${name as string}`;
}
