// The object store: the parts put together behind the interface of types.ts.
import { copy, objectAt } from "../json.ts";
import { Registry, type ServedKind } from "../registry.ts";
import { notFound } from "../status.ts";
import type {
  DeleteOptions,
  Json,
  KubeObject,
  ListOptions,
  ObjectKey,
  ObjectList,
  ObjectStore,
  PatchOptions,
  PatchType,
  ResourceName,
  UpdateOptions,
  WatchEvent,
  WatchOptions,
  WorldClock,
  WorldIds,
  WriteOptions,
} from "../types.ts";
import type { StoreContext } from "./context.ts";
import { cleanUp, definitionStorage, onDefinition } from "./custom-resources.ts";
import { remove } from "./deletion.ts";
import { checkOwners, emptyNamespace, finishNamespace, onGone, onMarked } from "./garbage.ts";
import { Objects } from "./objects.ts";
import { patch } from "./patches.ts";
import { bind, evict } from "./pods.ts";
import { present } from "./versions.ts";
import { matcher, startWatch } from "./watch.ts";
import { create, update } from "./writes.ts";

const defaultHistoryEvents = 10_000;

function onPut(
  context: StoreContext,
  storage: ResourceName,
  object: KubeObject,
  previous: KubeObject | undefined,
): void {
  const { deletionTimestamp, name = "" } = object.metadata;
  if (storage === definitionStorage) onDefinition(context, object);
  if (previous === undefined) checkOwners(context, storage, object);
  if (deletionTimestamp === undefined || previous?.metadata.deletionTimestamp !== undefined) return;
  if (storage === "namespaces") emptyNamespace(context, name);
  else onMarked(context, storage, object);
}

function onRemoval(context: StoreContext, storage: ResourceName, object: KubeObject): void {
  onGone(context, object);
  const { namespace } = object.metadata;
  if (namespace !== undefined) finishNamespace(context, namespace);
  if (storage.includes(".")) cleanUp(context, storage);
}

export interface StoreOptions {
  clock: WorldClock;
  ids: WorldIds;
  historyEvents?: number;
}

/** A context with the built-in kinds registered and nothing stored. */
export function createContext(options: StoreOptions): StoreContext {
  const context: StoreContext = {
    objects: new Objects(options.historyEvents ?? defaultHistoryEvents),
    registry: new Registry(),
    clock: options.clock,
    ids: options.ids,
    afterPut: (storage, object, previous) => onPut(context, storage, object, previous),
    afterRemoval: (storage, _key, object) => onRemoval(context, storage, object),
  };
  return context;
}

function listOf(context: StoreContext, kind: ServedKind, options: ListOptions): ObjectList {
  const matches = matcher(kind, options);
  const items = context.objects.list(kind.storage, options.namespace).filter(matches);
  return { items: items.map((object) => present(kind, object)), resourceVersion: String(context.objects.revision) };
}

/** See ObjectStore in types.ts for what each function does and throws. */
export function createStore(context: StoreContext): ObjectStore {
  const { objects, registry } = context;
  const find = (resource: ResourceName, key: ObjectKey): KubeObject | undefined => {
    const kind = registry.named(resource);
    const found = objects.find(kind.storage, key);
    return found === undefined ? undefined : present(kind, found);
  };
  const get = (resource: ResourceName, key: ObjectKey): KubeObject => {
    const found = find(resource, key);
    if (found === undefined) throw notFound(registry.named(resource), key.name);
    return found;
  };
  return {
    find,
    get,
    list: (resource: ResourceName, options: ListOptions = {}) => listOf(context, registry.named(resource), options),
    create: (resource: ResourceName, object: KubeObject, options: WriteOptions = {}) =>
      create(
        context,
        registry.named(resource),
        object,
        objectAt(object, "metadata").namespace as string | undefined,
        options,
      ),
    update: (resource: ResourceName, object: KubeObject, options: UpdateOptions = {}) => {
      const { name = "", namespace } = object.metadata;
      const key = namespace === undefined ? { name } : { name, namespace };
      return update(context, registry.named(resource), key, object, options).object;
    },
    modify: (
      resource: ResourceName,
      key: ObjectKey,
      edit: (draft: KubeObject) => void,
      options: UpdateOptions = {},
    ) => {
      const draft = copy(get(resource, key));
      edit(draft);
      return update(context, registry.named(resource), key, draft, options).object;
    },
    patch: (resource: ResourceName, key: ObjectKey, type: PatchType, body: Json, options: PatchOptions = {}) =>
      patch(context, registry.named(resource), key, type, body, options).object,
    delete: (resource: ResourceName, key: ObjectKey, options: DeleteOptions = {}) =>
      remove(context, registry.named(resource), key, options).object,
    bind: (pod: ObjectKey, nodeName: string) => bind(context, pod, nodeName),
    evict: (pod: ObjectKey, options: DeleteOptions = {}) => evict(context, pod, options),
    watch: (resource: ResourceName, options: WatchOptions, onEvent: (event: WatchEvent) => void) => {
      const kind = registry.named(resource);
      return startWatch(objects, kind, options, (event) => onEvent({ ...event, object: present(kind, event.object) }));
    },
    resourceVersion: () => String(objects.revision),
  };
}
