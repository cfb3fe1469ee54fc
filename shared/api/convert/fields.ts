// Reading of documents whose shape nobody has vouched for. The happy path makes neither paths nor closures: pods come in
// by the ten thousand. Where something is wrong, the path of the field is put together on the way out.
import type { UnreadableObject } from "../../core/model/index.ts";
import { parseQuantity, QuantityError, type Rounding } from "../../core/resources/index.ts";

/** Something in a document that cannot be read. `field` is a path such as `spec.containers[0].resources.requests.cpu`. */
export class FieldProblem extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.name = "FieldProblem";
    this.field = field;
  }
}

/** A document that cannot be read: named, with the field and what is wrong with it. Reading it again changes nothing. */
export class UnreadableObjectError extends Error {
  readonly retry = "never";
  readonly object: UnreadableObject;
  constructor(object: UnreadableObject) {
    super(`${object.kind} ${object.name}: ${object.field}: ${object.message}`);
    this.name = "UnreadableObjectError";
    this.object = object;
  }
}

/** A document of unknown content. */
export type Document = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Document {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The one key that setting on a plain object does not set. Kubernetes allows it as no name: it begins with "_". */
const unusable = "__proto__";

const noFields: Document = Object.freeze({});
const noItems: readonly never[] = Object.freeze([]);
const noTexts: Readonly<Record<string, string>> = Object.freeze({});

function wrong(field: string, expected: string, value: unknown): FieldProblem {
  const actual = Array.isArray(value) ? "a list" : isRecord(value) ? "an object" : JSON.stringify(value);
  return new FieldProblem(field, `expected ${expected}, got ${actual ?? "nothing"}`);
}

/** An object field; an absent or null one counts as empty. */
export function fieldsOf(value: unknown, field: string): Document {
  if (value === undefined || value === null) return noFields;
  if (!isRecord(value)) throw wrong(field, "an object", value);
  return value;
}

export function text(value: unknown, field: string): string {
  if (typeof value !== "string") throw wrong(field, "a text", value);
  return value;
}

export function textOr<D extends string | undefined>(value: unknown, otherwise: D, field: string): string | D {
  return value === undefined || value === null ? otherwise : text(value, field);
}

export function numberOr<D extends number | undefined>(value: unknown, otherwise: D, field: string): number | D {
  if (value === undefined || value === null) return otherwise;
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(field, "a number", value);
  return value;
}

/** One of a few texts; an absent one counts as the default, if there is one. */
export function choice<const V extends readonly string[]>(
  value: unknown,
  allowed: V,
  field: string,
  otherwise?: V[number],
): V[number] {
  if ((value === undefined || value === null) && otherwise !== undefined) return otherwise;
  if (typeof value !== "string" || !allowed.includes(value)) throw wrong(field, `one of ${allowed.join(", ")}`, value);
  return value;
}

export function listOf(value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) return noItems;
  if (!Array.isArray(value)) throw wrong(field, "a list", value);
  return value;
}

/** Reads every element; what is wrong in one is told with its place in the list. */
export function each<T>(value: unknown, field: string, read: (item: Document, index: number) => T): readonly T[] {
  const list = listOf(value, field);
  if (list.length === 0) return noItems;
  return list.map((item, index) => {
    try {
      if (!isRecord(item)) throw wrong("", "an object", item);
      return read(item, index);
    } catch (problem) {
      throw within(problem, `${field}[${index}]`);
    }
  });
}

/** Reads an object field whose parts are named from itself; what is wrong in it is told with the whole path. */
export function inside<T>(value: unknown, field: string, read: (fields: Document) => T): T {
  try {
    return read(fieldsOf(value, ""));
  } catch (problem) {
    throw within(problem, field);
  }
}

/** Puts a path before the one of a problem. */
export function within(problem: unknown, path: string): unknown {
  if (!(problem instanceof FieldProblem)) return problem;
  return new FieldProblem(problem.field === "" ? path : `${path}.${problem.field}`, problem.message);
}

export function texts(value: unknown, field: string): readonly string[] {
  const list = listOf(value, field);
  for (let index = 0; index < list.length; index++) {
    if (typeof list[index] !== "string") throw wrong(`${field}[${index}]`, "a text (put it in quotes)", list[index]);
  }
  return list as readonly string[];
}

/** A map of texts, such as labels. */
export function textMap(value: unknown, field: string): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return noTexts;
  if (!isRecord(value)) throw wrong(field, "an object", value);
  for (const key in value) {
    if (key === unusable) throw new FieldProblem(`${field}.${key}`, "is no name that Kubernetes allows");
    if (typeof value[key] !== "string") throw wrong(`${field}.${key}`, "a text (put it in quotes)", value[key]);
  }
  return value as Readonly<Record<string, string>>;
}

/** A time as epoch milliseconds. */
export function timeOr<D extends number | undefined>(value: unknown, otherwise: D, field: string): number | D {
  if (value === undefined || value === null) return otherwise;
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw wrong(field, "a time such as 2026-01-31T12:00:00Z", value);
  return ms;
}

const parsed: Record<Rounding, Map<string, Map<string | number, number>>> = { up: new Map(), down: new Map() };
/** A cluster writes few distinct amounts; past this many something odd goes on and nothing more is remembered. */
const maxRemembered = 10_000;

/** An amount of a resource in its base unit, remembered by how it was written. `field` is the resource list. */
function amount(value: unknown, resource: string, rounding: Rounding, field: string): number {
  if (typeof value !== "string" && typeof value !== "number") {
    throw wrong(`${field}.${resource}`, 'a quantity such as "1500m" or "2Gi"', value);
  }
  let known = parsed[rounding].get(resource);
  const found = known?.get(value);
  if (found !== undefined) return found;
  try {
    const result = parseQuantity(value, resource, rounding);
    if (known === undefined) {
      known = new Map();
      if (parsed[rounding].size < maxRemembered) parsed[rounding].set(resource, known);
    }
    if (known.size < maxRemembered) known.set(value, result);
    return result;
  } catch (error) {
    throw error instanceof QuantityError ? new FieldProblem(`${field}.${resource}`, error.message) : error;
  }
}

/** A resource list in base units. */
export function amounts(value: unknown, rounding: Rounding, field: string): Record<string, number> {
  const resources: Record<string, number> = {};
  if (value === undefined || value === null) return resources;
  if (!isRecord(value)) throw wrong(field, "an object", value);
  for (const resource in value) {
    if (resource === unusable) throw new FieldProblem(`${field}.${resource}`, "is no name that Kubernetes allows");
    resources[resource] = amount(value[resource], resource, rounding, field);
  }
  return resources;
}

/** Sets a property only if it has a value: `exactOptionalPropertyTypes` tells an absent field from an undefined one. */
export function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}

/** Runs a conversion and says which object was wrong. */
export function converting<T>(kind: string, document: unknown, convert: (document: Document) => T): T {
  try {
    if (!isRecord(document)) throw wrong("", "an object", document);
    return convert(document);
  } catch (problem) {
    if (!(problem instanceof FieldProblem)) throw problem;
    throw new UnreadableObjectError({ kind, name: nameOf(document), field: problem.field, message: problem.message });
  }
}

/** `namespace/name` or `name`, as far as the document says. */
export function nameOf(document: unknown): string {
  const metadata = isRecord(document) && isRecord(document.metadata) ? document.metadata : {};
  const name = typeof metadata.name === "string" ? metadata.name : "(without a name)";
  return typeof metadata.namespace === "string" ? `${metadata.namespace}/${name}` : name;
}

/** Converts many documents; those that cannot be read are named and stand in nobody's way. */
export function readAll<T>(
  documents: readonly unknown[],
  convert: (document: unknown) => T,
): { objects: T[]; unreadable: UnreadableObject[] } {
  const objects: T[] = [];
  const unreadable: UnreadableObject[] = [];
  for (const document of documents) {
    try {
      objects.push(convert(document));
    } catch (error) {
      if (!(error instanceof UnreadableObjectError)) throw error;
      unreadable.push(error.object);
    }
  }
  return { objects, unreadable };
}
