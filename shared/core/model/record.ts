/**
 * What a record itself holds under a key that somebody else chose (a label, a resource). Plain indexing would also find
 * what every object inherits: "constructor" and "valueOf" are legal label keys.
 */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
