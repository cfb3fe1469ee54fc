/** Objects of one kind by key, each with a uid for life and a resourceVersion that grows at every write. */
export interface Table<T> {
  get(key: string): T | undefined;
  /** Sorted by key. */
  list(): readonly T[];
  /** Creates or replaces. The uid of an object that is there stays; a new one gets its own, unless it brings one. */
  put(object: Omit<T, "uid" | "resourceVersion"> & { readonly uid?: string; readonly resourceVersion?: string }): T;
  remove(key: string): void;
}

export function createTable<T extends { readonly uid: string; readonly resourceVersion: string }>(
  kind: string,
  keyOf: (object: T) => string,
  nextVersion: () => string,
): Table<T> {
  const objects = new Map<string, T>();
  let sorted: readonly T[] | undefined;
  return {
    get: (key) => objects.get(key),
    list() {
      sorted ??= [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
      return sorted;
    },
    put(object) {
      const resourceVersion = nextVersion();
      const candidate = object as unknown as T;
      const key = keyOf(candidate);
      const uid = objects.get(key)?.uid ?? candidate.uid ?? `${kind}-uid-${resourceVersion}`;
      const stored = Object.freeze({ ...candidate, uid, resourceVersion });
      objects.set(key, stored);
      sorted = undefined;
      return stored;
    },
    remove(key) {
      nextVersion();
      objects.delete(key);
      sorted = undefined;
    },
  };
}
