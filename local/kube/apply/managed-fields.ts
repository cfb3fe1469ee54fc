// Who owns which field: metadata.managedFields after each write, and the conflicts of server-side apply.
import { copy, isObject, stringAt } from "../json.ts";
import type { Schema } from "../schema.ts";
import { ApiError } from "../status.ts";
import type { Json, JsonObject, KubeObject } from "../types.ts";
import {
  compare,
  difference,
  type FieldSet,
  fieldsOf,
  fromWire,
  intersection,
  isEmpty,
  pathTexts,
  toWire,
  union,
  withoutPlaces,
} from "./field-set.ts";
import { mergeConfiguration, removeAbandoned } from "./merge.ts";

interface Entry {
  manager: string;
  operation: "Apply" | "Update";
  apiVersion: string;
  subresource: string;
  time: string;
  fields: FieldSet;
}

export interface Writer {
  manager: string;
  subresource: string;
  /** RFC 3339, for the entry. */
  time: string;
  /** The places that this endpoint may not write (the status for the main resource, say), as path elements. */
  resetPlaces: readonly (readonly string[])[];
}

/** Fields that belong to the server and that no manager owns. */
const serverPlaces: readonly (readonly string[])[] = [
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata", "f:name"],
  ["f:metadata", "f:generateName"],
  ["f:metadata", "f:namespace"],
  ["f:metadata", "f:uid"],
  ["f:metadata", "f:resourceVersion"],
  ["f:metadata", "f:generation"],
  ["f:metadata", "f:creationTimestamp"],
  ["f:metadata", "f:deletionTimestamp"],
  ["f:metadata", "f:deletionGracePeriodSeconds"],
  ["f:metadata", "f:selfLink"],
  ["f:metadata", "f:managedFields"],
];

function entriesOf(object: KubeObject | undefined): Entry[] {
  return (object?.metadata.managedFields ?? []).map((raw: JsonObject) => ({
    manager: stringAt(raw, "manager") ?? "",
    operation: raw.operation === "Apply" ? "Apply" : "Update",
    apiVersion: stringAt(raw, "apiVersion") ?? "",
    subresource: stringAt(raw, "subresource") ?? "",
    time: stringAt(raw, "time") ?? "",
    fields: fromWire(raw.fieldsV1),
  }));
}

function toWireEntries(entries: readonly Entry[]): JsonObject[] {
  const order = [...entries].filter((e) => !isEmpty(e.fields));
  order.sort((a, b) => {
    if (a.operation !== b.operation) return a.operation === "Apply" ? -1 : 1;
    return a.time < b.time ? -1 : a.time > b.time ? 1 : a.manager < b.manager ? -1 : a.manager > b.manager ? 1 : 0;
  });
  return order.map((entry) => ({
    manager: entry.manager,
    operation: entry.operation,
    apiVersion: entry.apiVersion,
    time: entry.time,
    fieldsType: "FieldsV1",
    fieldsV1: toWire(entry.fields),
    ...(entry.subresource === "" ? {} : { subresource: entry.subresource }),
  }));
}

function isOwn(entry: Entry, writer: Writer, operation: Entry["operation"]): boolean {
  return entry.manager === writer.manager && entry.operation === operation && entry.subresource === writer.subresource;
}

function bare(object: KubeObject | undefined): Json | undefined {
  if (object === undefined) return undefined;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as Json;
}

/**
 * managedFields after a plain write (create, update, patch): what the writer changed becomes its own, and no one else's.
 * @param before on create, the empty object of the kind as Go encodes it.
 */
export function trackUpdate(before: KubeObject, after: KubeObject, schema: Schema, writer: Writer): JsonObject[] {
  const changes = compare(bare(before), bare(after), schema);
  const places = [...serverPlaces, ...writer.resetPlaces];
  const changed = withoutPlaces(changes.set, places);
  const removed = withoutPlaces(changes.removed, serverPlaces);
  const entries = entriesOf(after);
  if (isEmpty(changed) && isEmpty(removed)) return toWireEntries(entries);
  const touched = union(changed, removed);
  let own: Entry | undefined;
  const rest: Entry[] = [];
  for (const entry of entries) {
    if (isOwn(entry, writer, "Update") && entry.apiVersion === after.apiVersion) own = entry;
    else rest.push({ ...entry, fields: difference(entry.fields, touched) });
  }
  const fields = difference(own === undefined ? changed : union(own.fields, changed), removed);
  const same = own !== undefined && isEmpty(difference(fields, own.fields)) && isEmpty(changed);
  const entry: Entry = {
    manager: writer.manager,
    operation: "Update",
    apiVersion: after.apiVersion,
    subresource: writer.subresource,
    time: same ? own!.time : writer.time,
    fields,
  };
  return toWireEntries([...rest, entry]);
}

interface EntryConflict {
  entry: Entry;
  paths: string[];
}

function holder(entry: Entry): string {
  const subresource = entry.subresource === "" ? "" : ` with subresource "${entry.subresource}"`;
  return `"${entry.manager}"${subresource}${entry.operation === "Update" ? ` using ${entry.apiVersion}` : ""}`;
}

function applyConflict(conflicts: readonly EntryConflict[]): ApiError {
  const causes = conflicts.flatMap(({ entry, paths }) =>
    paths.map((field) => ({ reason: "FieldManagerConflict", message: `conflict with ${holder(entry)}`, field })),
  );
  const count = causes.length;
  if (count === 1) {
    const [only] = causes;
    return new ApiError(409, "Conflict", `Apply failed with 1 conflict: ${only!.message}: ${only!.field}`, { causes });
  }
  const order = [...conflicts].sort((a, b) => (holder(a.entry) < holder(b.entry) ? -1 : 1));
  const parts = order.map(({ entry, paths }) => {
    return `conflicts with ${holder(entry)}:\n${paths.map((path) => `- ${path}`).join("\n")}`;
  });
  return new ApiError(409, "Conflict", `Apply failed with ${count} conflicts: ${parts.join("\n")}`, { causes });
}

/** kubectl's client-side ownership yields to its server-side apply, as the API server arranges when the last-applied note is there. */
function yields(entry: Entry, writer: Writer, live: KubeObject): boolean {
  return (
    writer.manager === "kubectl" &&
    entry.manager === "kubectl-client-side-apply" &&
    live.metadata.annotations?.["kubectl.kubernetes.io/last-applied-configuration"] !== undefined
  );
}

const firstApplyManager = "before-first-apply";

/** The owners of a live object; where none are noted, all that is there belongs to a manager of that name. */
function ownersBefore(live: KubeObject | undefined, empty: KubeObject, schema: Schema, writer: Writer): Entry[] {
  const entries = entriesOf(live);
  if (live === undefined || entries.length > 0) return entries;
  const { managedFields: _, ...metadata } = live.metadata;
  const earlier = { ...writer, manager: firstApplyManager, subresource: "" };
  const tracked = trackUpdate(empty, { ...live, metadata }, schema, earlier);
  return entriesOf({ ...live, metadata: { ...metadata, managedFields: tracked } });
}

/**
 * Server-side apply. `normalize` turns the merged object into what would be stored (defaults, pruning), so that a conflict is
 * only what would really change.
 * @param live undefined if the object does not exist yet.
 * @param empty the kind's empty object as Go encodes it.
 * @returns the object with its managedFields, ready to be validated.
 * @throws Conflict, one cause a field, unless `force`.
 */
export function applyConfiguration(
  live: KubeObject | undefined,
  config: KubeObject,
  schema: Schema,
  writer: Writer,
  force: boolean,
  empty: KubeObject,
  normalize: (object: KubeObject) => KubeObject,
): KubeObject {
  const places = [...serverPlaces, ...writer.resetPlaces];
  const wanted = withoutPlaces(fieldsOf(bare(config)!, schema), places);
  const entries = ownersBefore(live, empty, schema, writer);
  const own = entries.find((entry) => isOwn(entry, writer, "Apply"));
  let others = entries.filter((entry) => entry !== own);
  const base = bare(live) ?? ({ apiVersion: config.apiVersion, kind: config.kind, metadata: {} } as unknown as Json);
  let merged = mergeConfiguration(base, bare(config)!, schema);
  if (own !== undefined) {
    merged = removeAbandoned(
      merged,
      schema,
      own.fields,
      wanted,
      others.map((entry) => entry.fields),
    );
  }
  const result = normalize(copy(merged) as unknown as KubeObject);
  // Values are compared as they were written: "0.5" against a stored "500m" is a change, as for the API server.
  const changes = compare(bare(live) ?? { metadata: {} }, merged, schema);
  const changed = withoutPlaces(changes.set, places);
  const conflicts = others
    .map((entry) => ({ entry, fields: intersection(intersection(entry.fields, changed), wanted) }))
    .filter(({ entry, fields }) => !isEmpty(fields) && live !== undefined && !yields(entry, writer, live));
  if (conflicts.length > 0 && !force) {
    throw applyConflict(conflicts.map(({ entry, fields }) => ({ entry, paths: pathTexts(fields) })));
  }
  const lost = union(intersection(changed, wanted), changes.removed);
  others = others.map((entry) => ({ ...entry, fields: difference(entry.fields, lost) }));
  const unchanged =
    own !== undefined &&
    isEmpty(difference(own.fields, wanted)) &&
    isEmpty(difference(wanted, own.fields)) &&
    isEmpty(changed);
  const entry: Entry = {
    manager: writer.manager,
    operation: "Apply",
    apiVersion: config.apiVersion,
    subresource: writer.subresource,
    time: unchanged ? own!.time : writer.time,
    fields: wanted,
  };
  const metadata = isObject(result.metadata) ? result.metadata : {};
  return { ...result, metadata: { ...metadata, managedFields: toWireEntries([...others, entry]) } };
}
