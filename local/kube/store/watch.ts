// Watches: what one watcher sees of the changes, given its namespace and selectors.
import type { ServedKind } from "../registry.ts";
import { parseFieldSelector, parseLabelSelector } from "../selectors.ts";
import { badRequest } from "../status.ts";
import type { JsonObject, KubeObject, ListOptions, WatchEvent, WatchOptions } from "../types.ts";
import type { Change, Objects } from "./objects.ts";

/** Whether an object belongs to a list or watch with these options. @throws BadRequest for a bad selector. */
export function matcher(kind: ServedKind, options: ListOptions): (object: KubeObject) => boolean {
  const labels = parseLabelSelector(options.labelSelector);
  const fields = parseFieldSelector(kind, options.fieldSelector);
  const { namespace } = options;
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    labels(object.metadata.labels ?? {}) &&
    fields(object as unknown as JsonObject);
}

function eventFor(change: Change, matches: (object: KubeObject) => boolean): WatchEvent | undefined {
  const was = change.previous !== undefined && matches(change.previous);
  const is = change.type !== "DELETED" && matches(change.object);
  const resourceVersion = String(change.revision);
  if (is) return { type: was ? "MODIFIED" : "ADDED", object: change.object, resourceVersion };
  if (!was) return undefined;
  if (change.type === "DELETED") return { type: "DELETED", object: change.object, resourceVersion };
  const left = change.previous!;
  return { type: "DELETED", object: { ...left, metadata: { ...left.metadata, resourceVersion } }, resourceVersion };
}

export function bookmark(kind: ServedKind, revision: number, annotations?: Record<string, string>): WatchEvent {
  const resourceVersion = String(revision);
  const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
  const metadata = { resourceVersion, ...(annotations === undefined ? {} : { annotations }) };
  return { type: "BOOKMARK", object: { apiVersion, kind: kind.kind, metadata }, resourceVersion };
}

/** See ObjectStore.watch. The events that the start calls for come in a microtask too. */
export function startWatch(
  objects: Objects,
  kind: ServedKind,
  options: WatchOptions,
  onEvent: (event: WatchEvent) => void,
): () => void {
  const matches = matcher(kind, options);
  const start = options.resourceVersion === undefined ? objects.revision : Number(options.resourceVersion);
  if (!Number.isSafeInteger(start)) throw badRequest(`resourceVersion ${String(options.resourceVersion)} is no number`);
  const first: WatchEvent[] = [];
  if (options.sendInitial === true) {
    for (const object of objects.list(kind.storage, options.namespace)) {
      if (matches(object))
        first.push({ type: "ADDED", object, resourceVersion: object.metadata.resourceVersion ?? "" });
    }
    first.push(bookmark(kind, objects.revision, { "k8s.io/initial-events-end": "true" }));
  } else if (options.resourceVersion !== undefined) {
    for (const change of objects.since(kind.storage, start)) {
      const event = eventFor(change, matches);
      if (event !== undefined) first.push(event);
    }
  }
  const seen = objects.revision;
  let open = true;
  const deliverFirst = (): void => {
    for (let event = first.shift(); event !== undefined && open; event = first.shift()) onEvent(event);
  };
  if (first.length > 0) queueMicrotask(deliverFirst);
  const unsubscribe = objects.subscribe(kind.storage, (change) => {
    if (!open || change.revision <= seen) return;
    deliverFirst();
    const event = eventFor(change, matches);
    if (event !== undefined) onEvent(event);
  });
  return () => {
    open = false;
    unsubscribe();
  };
}
