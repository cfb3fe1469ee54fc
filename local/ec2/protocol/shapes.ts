// The EC2 model as this room reads it: the schemas that the SDK publishes for each operation, made into plain shapes.
// Both directions of the wire use them, so that every field an SDK can send or read has the right name without a list of ours.

/** What one value looks like on the wire. */
export type Shape =
  | { readonly kind: "string" | "number" | "boolean" | "timestamp" | "blob" }
  | { readonly kind: "list"; readonly item: Member }
  | { readonly kind: "structure"; readonly members: readonly Member[] };

/** A named value inside a structure or list. `queryName` is its name in requests, `xmlName` its element in answers. */
export interface Member {
  readonly name: string;
  readonly queryName: string;
  readonly xmlName: string;
  readonly required: boolean;
  readonly shape: () => Shape;
}

export interface Operation {
  readonly name: string;
  readonly input: Shape;
  readonly output: Shape;
}

interface Traits {
  readonly xmlName?: string;
  readonly ec2QueryName?: string;
}

// The forms of a schema (smithy's "static schemas"): a number for a simple type, [0, ns, name, traits, type] for a named simple
// type, [1, ns, name, traits, item] for a list, [3, ns, name, traits, names, members, required?] for a structure,
// [9, ns, name, traits, input, output] for an operation, [schema, traits] where a member carries names of its own, and a
// function that returns any of these.
const simpleKinds: Readonly<Record<number, "string" | "number" | "boolean" | "timestamp" | "blob">> = {
  0: "string",
  1: "number",
  2: "boolean",
  4: "timestamp",
  5: "timestamp",
  17: "number",
  21: "blob",
};
const listModifier = 64;

const known = new WeakMap<object, Shape>();

/** The operation's shapes. Throws if `schema` isn't an operation: a mistake of the caller's. */
export function readOperation(schema: unknown): Operation {
  const parts = schema as unknown[];
  if (!Array.isArray(parts) || parts[0] !== 9) throw new Error("the schema of an operation was expected");
  return { name: parts[2] as string, input: readShape(parts[4]), output: readShape(parts[5]) };
}

function readShape(ref: unknown): Shape {
  const schema = typeof ref === "function" ? (ref as () => unknown)() : ref;
  if (typeof schema === "number") return readSimple(schema);
  if (schema === "unit") return { kind: "structure", members: [] };
  if (!Array.isArray(schema)) throw new Error(`a schema of unknown form: ${String(schema)}`);
  const seen = known.get(schema);
  if (seen !== undefined) return seen;
  const shape = readCompound(schema);
  known.set(schema, shape);
  return shape;
}

function readSimple(code: number): Shape {
  if (code >= listModifier) {
    return { kind: "list", item: readMember(code - listModifier, "member", false) };
  }
  const kind = simpleKinds[code];
  if (kind === undefined) throw new Error(`a simple schema of unknown kind: ${code}`);
  return { kind };
}

function readCompound(schema: unknown[]): Shape {
  if (schema.length === 2) return readShape(schema[0]);
  if (schema[0] === 0) return readShape(schema[4]);
  if (schema[0] === 1) return { kind: "list", item: readMember(schema[4], "member", false) };
  if (schema[0] === 3) {
    const names = schema[4] as string[];
    const members = schema[5] as unknown[];
    const requiredCount = (schema[6] as number | undefined) ?? 0;
    return { kind: "structure", members: names.map((name, i) => readMember(members[i], name, i < requiredCount)) };
  }
  throw new Error(`a schema of unknown form: ${String(schema[0])}`);
}

function readMember(ref: unknown, name: string, required: boolean): Member {
  const traits: Traits = Array.isArray(ref) && ref.length === 2 && typeof ref[1] === "object" ? (ref[1] as Traits) : {};
  const xmlName = traits.xmlName ?? name;
  return {
    name,
    xmlName,
    queryName: traits.ec2QueryName ?? xmlName[0]!.toUpperCase() + xmlName.slice(1),
    required,
    shape: () => readShape(ref),
  };
}
