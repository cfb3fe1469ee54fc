// What the store's parts share.
import type { Registry } from "../registry.ts";
import type { KubeObject, ObjectKey, ResourceName, WorldClock, WorldIds } from "../types.ts";
import type { Objects } from "./objects.ts";

export interface StoreContext {
  objects: Objects;
  registry: Registry;
  clock: WorldClock;
  ids: WorldIds;
  /** Called after an object has gone for good: garbage collection, namespaces and definitions that wait to be empty. */
  afterRemoval: (storage: ResourceName, key: ObjectKey, object: KubeObject) => void;
  /** Called after an object has been stored: definitions begin to be served. */
  afterPut: (storage: ResourceName, object: KubeObject, previous: KubeObject | undefined) => void;
}
