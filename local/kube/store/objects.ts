// Where objects are kept: one table a resource, one revision for all of them, a bounded history, and subscribers.
// It knows nothing of Kubernetes' rules; the files beside it do.
import { deepFreeze } from "../json.ts";
import { ApiError, expired } from "../status.ts";
import type { KubeObject, ObjectKey, ResourceName } from "../types.ts";

export interface Change {
  type: "ADDED" | "MODIFIED" | "DELETED";
  storage: ResourceName;
  revision: number;
  /** As it is from this revision on; for DELETED as it last was, with the revision of the deletion. */
  object: KubeObject;
  previous: KubeObject | undefined;
}

/** How an object is addressed within its table; sorts as etcd's keys do. */
export function keyText(key: ObjectKey): string {
  return key.namespace === undefined || key.namespace === "" ? key.name : `${key.namespace}/${key.name}`;
}

export function keyOf(object: KubeObject): ObjectKey {
  const { name = "", namespace } = object.metadata;
  return namespace === undefined ? { name } : { name, namespace };
}

interface Table {
  objects: Map<string, KubeObject>;
  /** Sorted keys, made when first listed after a change of the set. */
  order: string[] | undefined;
}

export class Objects {
  #revision = 1;
  readonly #tables = new Map<ResourceName, Table>();
  readonly #history: Change[] = [];
  readonly #historyLimit: number;
  /** Changes up to this revision are no longer in the history. */
  #forgotten = 1;
  readonly #subscribers = new Map<ResourceName, Set<(change: Change) => void>>();
  readonly #owned = new Map<string, Map<string, { storage: ResourceName; key: ObjectKey }>>();
  /** Resources that came to be served later: watches reach back to then. */
  readonly #beginnings = new Map<ResourceName, number>();
  readonly #undelivered: Change[] = [];
  #delivering = false;

  constructor(historyLimit: number) {
    this.#historyLimit = historyLimit;
  }

  get revision(): number {
    return this.#revision;
  }

  get oldestRevision(): number {
    return this.#forgotten;
  }

  find(storage: ResourceName, key: ObjectKey): KubeObject | undefined {
    return this.#tables.get(storage)?.objects.get(keyText(key));
  }

  /** All objects of a resource, or of one namespace of it, in the order of their keys. */
  list(storage: ResourceName, namespace?: string): KubeObject[] {
    const table = this.#tables.get(storage);
    if (table === undefined) return [];
    table.order ??= [...table.objects.keys()].sort();
    const prefix = namespace === undefined ? "" : `${namespace}/`;
    const out: KubeObject[] = [];
    for (const key of table.order) if (key.startsWith(prefix)) out.push(table.objects.get(key)!);
    return out;
  }

  /**
   * The list as it was at an older revision, by undoing what has happened since.
   * @throws Expired if the history no longer reaches back so far.
   */
  listAt(storage: ResourceName, revision: number, namespace?: string): KubeObject[] {
    const then = new Map(this.list(storage, namespace).map((object) => [keyText(keyOf(object)), object]));
    for (const change of this.since(storage, revision).reverse()) {
      if (namespace !== undefined && change.object.metadata.namespace !== namespace) continue;
      const key = keyText(keyOf(change.object));
      if (change.type === "ADDED") then.delete(key);
      else then.set(key, change.previous!);
    }
    return [...then].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  /** From now on there is a history of this resource; earlier revisions count as too old. */
  begin(storage: ResourceName): void {
    if (!this.#beginnings.has(storage)) this.#beginnings.set(storage, this.#revision);
  }

  /** @throws Expired (410) if changes after `revision` have been forgotten. */
  since(storage: ResourceName, revision: number): Change[] {
    const oldest = Math.max(this.#forgotten, this.#beginnings.get(storage) ?? 0);
    if (revision < oldest) throw expired(`too old resource version: ${revision} (${oldest})`);
    let from = this.#history.length;
    while (from > 0 && this.#history[from - 1]!.revision > revision) from--;
    return this.#history.slice(from).filter((change) => change.storage === storage);
  }

  /** Stores an object under the next revision. The caller has checked everything. */
  put(storage: ResourceName, object: KubeObject): KubeObject {
    const key = keyText(keyOf(object));
    let table = this.#tables.get(storage);
    if (table === undefined) {
      table = { objects: new Map(), order: undefined };
      this.#tables.set(storage, table);
    }
    const previous = table.objects.get(key);
    const revision = ++this.#revision;
    const stored = deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
    table.objects.set(key, stored);
    if (previous === undefined) table.order = undefined;
    this.#index(storage, previous, stored);
    this.#record({ type: previous === undefined ? "ADDED" : "MODIFIED", storage, revision, object: stored, previous });
    return stored;
  }

  remove(storage: ResourceName, key: ObjectKey): KubeObject {
    const table = this.#tables.get(storage);
    const previous = table?.objects.get(keyText(key));
    if (table === undefined || previous === undefined) {
      throw new ApiError(404, "NotFound", `${storage} "${keyText(key)}" not found`);
    }
    table.objects.delete(keyText(key));
    table.order = undefined;
    const revision = ++this.#revision;
    const metadata = { ...previous.metadata, resourceVersion: String(revision) };
    const object = deepFreeze({ ...previous, metadata });
    this.#index(storage, previous, undefined);
    this.#record({ type: "DELETED", storage, revision, object, previous });
    return object;
  }

  /** Objects that name `uid` as an owner. */
  ownedBy(uid: string): { storage: ResourceName; key: ObjectKey }[] {
    return [...(this.#owned.get(uid)?.values() ?? [])];
  }

  storages(): ResourceName[] {
    return [...this.#tables.keys()];
  }

  /** Calls back in a microtask after each change, in order of revision. Returns the function that unsubscribes. */
  subscribe(storage: ResourceName, onChange: (change: Change) => void): () => void {
    let set = this.#subscribers.get(storage);
    if (set === undefined) {
      set = new Set();
      this.#subscribers.set(storage, set);
    }
    set.add(onChange);
    return () => set.delete(onChange);
  }

  #index(storage: ResourceName, before: KubeObject | undefined, after: KubeObject | undefined): void {
    const object = after ?? before!;
    const id = `${storage} ${keyText(keyOf(object))}`;
    for (const owner of before?.metadata.ownerReferences ?? []) this.#owned.get(owner.uid)?.delete(id);
    for (const owner of after?.metadata.ownerReferences ?? []) {
      let set = this.#owned.get(owner.uid);
      if (set === undefined) {
        set = new Map();
        this.#owned.set(owner.uid, set);
      }
      set.set(id, { storage, key: keyOf(object) });
    }
    const uid = before?.metadata.uid;
    if (after === undefined && uid !== undefined && this.#owned.get(uid)?.size === 0) this.#owned.delete(uid);
  }

  #record(change: Change): void {
    this.#history.push(change);
    if (this.#history.length > this.#historyLimit * 1.25) {
      const gone = this.#history.splice(0, this.#history.length - this.#historyLimit);
      this.#forgotten = gone.at(-1)!.revision;
    }
    this.#undelivered.push(change);
    if (this.#delivering) return;
    this.#delivering = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    const batch = this.#undelivered.splice(0);
    let next = 0;
    try {
      while (next < batch.length) {
        const change = batch[next++]!;
        for (const subscriber of [...(this.#subscribers.get(change.storage) ?? [])]) subscriber(change);
      }
    } finally {
      // A subscriber that throws crashes the process or the test; the others still get the rest, in order.
      this.#undelivered.unshift(...batch.slice(next));
      this.#delivering = this.#undelivered.length > 0;
      if (this.#delivering) queueMicrotask(() => this.#deliver());
    }
  }
}
