// One storage, several versions: custom resources whose versions differ in apiVersion only, and events, which two groups serve.
import { apiVersionOf } from "../kinds.ts";
import type { ServedKind } from "../registry.ts";
import type { JsonObject, KubeObject } from "../types.ts";

/** events.k8s.io/v1 field → core/v1 field. The other fields have the same name. */
const eventFields: readonly (readonly [string, string])[] = [
  ["regarding", "involvedObject"],
  ["note", "message"],
  ["reportingController", "reportingComponent"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
];

function renamed(object: KubeObject, apiVersion: string, names: readonly (readonly [string, string])[]): KubeObject {
  const map = new Map(names);
  const fields = Object.entries(object as unknown as JsonObject).map(([field, value]) => [
    map.get(field) ?? field,
    value,
  ]);
  return { ...Object.fromEntries(fields), apiVersion } as KubeObject;
}

function storageVersion(kind: ServedKind): string {
  if (kind.group === "events.k8s.io") return "v1";
  return kind.custom === undefined ? apiVersionOf(kind) : `${kind.group}/${kind.custom.storageVersion}`;
}

/** A stored object as a version shows it. */
export function present(kind: ServedKind, stored: KubeObject): KubeObject {
  const apiVersion = apiVersionOf(kind);
  if (stored.apiVersion === apiVersion) return stored;
  if (kind.group === "events.k8s.io")
    return renamed(
      stored,
      apiVersion,
      eventFields.map(([a, b]) => [b, a] as const),
    );
  return { ...stored, apiVersion };
}

/** An object of a version as it is stored. */
export function toStorage(kind: ServedKind, object: KubeObject): KubeObject {
  const apiVersion = storageVersion(kind);
  if (object.apiVersion === apiVersion) return object;
  if (kind.group === "events.k8s.io") return renamed(object, apiVersion, eventFields);
  return { ...object, apiVersion };
}
