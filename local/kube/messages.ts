// What Kubernetes' Go types say about their fields (generated/protobuf.json): numbers for protobuf, and which zero values Go's JSON
// encoder leaves out or writes. Both ways of reading an object go by it.
import { readFileSync } from "node:fs";
import type { Json, JsonObject } from "./types.ts";

export interface Field {
  name: string;
  /** "~": its own fields belong to the message around it; "!": a pointer; "": left out when zero; "=": written always. */
  mark: string;
  /** A scalar letter (s, i, b, d, y), a message's name, a special type, "[]T" or "{}T". */
  type: string;
}

let messages: Map<string, Map<number, Field>> | undefined;

function parseField(text: string): [number, Field] {
  const [number = "", marked = "", type = ""] = text.split(" ");
  const mark = /[~!=]$/.exec(marked)?.[0] ?? "";
  return [Number(number), { name: marked.slice(0, marked.length - mark.length), mark, type }];
}

function load(): Map<string, Map<number, Field>> {
  const text = readFileSync(new URL("generated/protobuf.json", import.meta.url), "utf8");
  const entries = Object.entries(JSON.parse(text) as Record<string, string>);
  return new Map(
    entries.map(([name, fields]) => [name, new Map(fields === "" ? [] : fields.split(";").map(parseField))]),
  );
}

/** The fields of a message by number; undefined for types that are not served. */
export function messageFields(name: string): ReadonlyMap<number, Field> | undefined {
  messages ??= load();
  return messages.get(name);
}

const flattened = new Map<string, readonly Field[]>();
const metaPrefix = "io.k8s.apimachinery.pkg.apis.meta.v1.";

/** The fields of a definition of generated/schemas.json, inlined ones in their place. Empty where nothing is known. */
function encodedFields(definition: string): readonly Field[] {
  const name = definition.startsWith(metaPrefix) ? `meta.v1.${definition.slice(metaPrefix.length)}` : definition;
  const there = flattened.get(name);
  if (there !== undefined) return there;
  const fields = [...(messageFields(name)?.values() ?? [])];
  const flat = fields.flatMap((field) => (field.mark === "~" ? encodedFields(field.type) : [field]));
  flattened.set(name, flat);
  return flat;
}

function zeroOf(type: string): Json {
  if (type === "s" || type === "y") return "";
  if (type === "i" || type === "d" || type === "IntOrString") return 0;
  if (type === "b") return false;
  if (type === "Quantity") return "0";
  if (!type.includes(".") || /^(\[\]|\{\})/.test(type)) return null;
  const zero: JsonObject = {};
  writeZeroes(type, zero);
  return zero;
}

/** Takes out and puts in the zero values of an object as Go's encoder would. Changes `object` in place. */
export function writeZeroes(definition: string, object: JsonObject): void {
  for (const { name, mark, type } of encodedFields(definition)) {
    const value = object[name];
    if (value === undefined) {
      if (mark === "=") object[name] = zeroOf(type);
    } else if (mark === "" && (value === "" || value === 0 || value === false)) delete object[name];
  }
}
