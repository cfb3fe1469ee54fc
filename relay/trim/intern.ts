/** Distinct values that are remembered; past this the pool starts anew, which costs sharing and nothing else. */
const maxRemembered = 50_000;

/** One copy of each text: a hundred thousand pods name few nodes, namespaces and owners. */
export interface Pool {
  text(value: string): string;
  /** One frozen object for each key; `make` runs when the key is new. */
  shared<T extends object>(key: string, make: () => T): T;
}

export function createPool(): Pool {
  const texts = new Map<string, string>();
  const objects = new Map<string, object>();
  return {
    text(value) {
      const known = texts.get(value);
      if (known !== undefined) return known;
      if (texts.size >= maxRemembered) texts.clear();
      texts.set(value, value);
      return value;
    },
    shared(key, make) {
      const known = objects.get(key);
      if (known !== undefined) return known as ReturnType<typeof make>;
      if (objects.size >= maxRemembered) objects.clear();
      const made = Object.freeze(make());
      objects.set(key, made);
      return made;
    },
  };
}
