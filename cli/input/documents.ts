// Manifests from files: YAML or JSON, several documents a file, lists, directories. Every document remembers where it stood.
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../input-error.ts";
import { valuesOf } from "./values.ts";

export type Json = Record<string, unknown>;

export interface SourceDocument {
  /** API group without version; "" is the core group. */
  readonly group: string;
  readonly kind: string;
  readonly document: Json;
  /** `pods.yaml: document 2`, for messages. */
  readonly where: string;
}

const extensions = [".json", ".yaml", ".yml"];

/** An object, not a list and not null. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object; of anything else none. For what is looked at before it has been validated. */
export function fieldsOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** The objects of a list; of anything else none. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Reads files, directories (deep, in order of names) and `-` (standard input). Throws InputError naming file and document. */
export function readDocuments(paths: readonly string[]): SourceDocument[] {
  return paths.flatMap((path) => filesOf(path)).flatMap((file) => readText(file === "-" ? 0 : file, file));
}

function filesOf(path: string): string[] {
  if (path === "-") return [path];
  if (!isFolder(path)) return [path];
  let entries: Dirent[];
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (cause) {
    throw new InputError(`${path}: cannot be read (${(cause as Error).message})`, { cause });
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = join(path, entry.name);
      // Kubernetes keeps what a mounted ConfigMap holds in folders such as ..data, and links to it from beside them.
      if (entry.isDirectory()) return entry.name.startsWith("..") ? [] : filesOf(inner);
      if (!extensions.some((extension) => entry.name.endsWith(extension))) return [];
      return entry.isSymbolicLink() && isFolder(inner) ? [] : [inner];
    });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    throw new InputError(`${path}: there is no such file or directory`, { cause });
  }
}

function readText(file: string | number, name: string): SourceDocument[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new InputError(`${name}: cannot be read (${(cause as Error).message})`, { cause });
  }
  return parseDocuments(text, name);
}

/** The documents of one text; `name` stands in messages. */
export function parseDocuments(text: string, name: string): SourceDocument[] {
  const found: SourceDocument[] = [];
  for (const [index, value] of valuesOf(text, name).entries()) {
    if (value === null || value === undefined) continue;
    collect(found, value, `${name}: document ${index + 1}`);
  }
  return found;
}

function collect(found: SourceDocument[], value: unknown, where: string): void {
  if (!isObject(value)) throw new InputError(`${where}: expected a Kubernetes object`);
  const { apiVersion, kind, items } = value;
  if (typeof kind !== "string" || kind === "") throw new InputError(`${where}: kind: is missing`);
  if (kind.endsWith("List") && (items === undefined || items === null || Array.isArray(items))) {
    for (const [index, item] of ((items ?? []) as unknown[]).entries()) {
      collect(found, withTypeOf(item, kind, apiVersion), `${where}: items[${index}]`);
    }
    return;
  }
  if (kind === "List") throw new InputError(`${where}: items: expected a list`);
  if (typeof apiVersion !== "string" || apiVersion === "") throw new InputError(`${where}: apiVersion: is missing`);
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0]! : "";
  // Documents are filled in place later on, and aliases may have one object stand in several places.
  found.push({ group, kind, document: JSON.parse(JSON.stringify(value)) as Json, where });
}

/** Items of a typed list (`PodList`) may leave their kind out. */
function withTypeOf(item: unknown, listKind: string, apiVersion: unknown): unknown {
  if (listKind === "List" || !isObject(item) || "kind" in item) return item;
  return { apiVersion, kind: listKind.slice(0, -"List".length), ...item };
}
