/** Objects of one kind by uid, and which of them the list that is going on has brought. */
export interface ObjectTable<T> {
  readonly size: number;
  get(uid: string): T | undefined;
  set(uid: string, object: T): void;
  delete(uid: string): void;
  /** In no particular order; goes on while objects come and go, which may or may not be among them. */
  values(): IterableIterator<T>;
  /** A list begins: nothing has been seen. */
  startList(): void;
  /** The list has brought it. Says whether for the first time, and false of what is not here. */
  see(uid: string): boolean;
  /** What the list has not brought so far. */
  unseen(): IterableIterator<string>;
}

/** For kinds of which there are thousands at most. */
export class MapTable<T> implements ObjectTable<T> {
  readonly #objects = new Map<string, T>();
  readonly #seen = new Set<string>();

  get size(): number {
    return this.#objects.size;
  }

  get(uid: string): T | undefined {
    return this.#objects.get(uid);
  }

  set(uid: string, object: T): void {
    this.#objects.set(uid, object);
  }

  delete(uid: string): void {
    this.#objects.delete(uid);
    this.#seen.delete(uid);
  }

  values(): IterableIterator<T> {
    return this.#objects.values();
  }

  startList(): void {
    this.#seen.clear();
  }

  see(uid: string): boolean {
    if (!this.#objects.has(uid) || this.#seen.has(uid)) return false;
    this.#seen.add(uid);
    return true;
  }

  *unseen(): Generator<string, undefined> {
    for (const uid of this.#objects.keys()) if (!this.#seen.has(uid)) yield uid;
  }
}
