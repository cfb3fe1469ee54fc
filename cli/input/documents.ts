// Manifests from files: YAML or JSON, several documents a file, lists, directories. Every document remembers where it stood.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { InputError } from "../input-error.ts";

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

/** Reads files, directories (deep, in order of names) and `-` (standard input). Throws InputError naming file and document. */
export function readDocuments(paths: readonly string[]): SourceDocument[] {
  return paths.flatMap((path) => filesOf(path)).flatMap((file) => readText(file === "-" ? 0 : file, file));
}

function filesOf(path: string): string[] {
  if (path === "-") return [path];
  let isDirectory: boolean;
  try {
    isDirectory = statSync(path).isDirectory();
  } catch {
    throw new InputError(`${path}: there is no such file or directory`);
  }
  if (!isDirectory) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extensions.some((extension) => entry.name.endsWith(extension)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
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

function valuesOf(text: string, name: string): unknown[] {
  if (/^\s*[{[]/.test(text)) {
    try {
      return [JSON.parse(text)];
    } catch {
      // Perhaps YAML in flow style, or several JSON documents: the YAML parser tells what is wrong and where.
    }
  }
  return parseAllDocuments(text, { version: "1.2", merge: true }).map((parsed, index) => {
    const error = parsed.errors[0];
    if (error !== undefined) throw new InputError(`${name}: document ${index + 1}: ${error.message.split("\n")[0]}`);
    return parsed.toJS() as unknown;
  });
}

function collect(found: SourceDocument[], value: unknown, where: string): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InputError(`${where}: expected a Kubernetes object`);
  }
  const document = value as Json;
  const { apiVersion, kind, items } = document;
  if (typeof kind !== "string" || kind === "") throw new InputError(`${where}: kind: is missing`);
  if (kind.endsWith("List") && (items === undefined || Array.isArray(items))) {
    for (const [index, item] of ((items ?? []) as unknown[]).entries()) {
      const typed = withTypeOf(item, kind, apiVersion);
      collect(found, typed, `${where}: items[${index}]`);
    }
    return;
  }
  if (typeof apiVersion !== "string" || apiVersion === "") throw new InputError(`${where}: apiVersion: is missing`);
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0]! : "";
  found.push({ group, kind, document, where });
}

/** Items of a typed list (`PodList`) may leave their kind out. */
function withTypeOf(item: unknown, listKind: string, apiVersion: unknown): unknown {
  if (listKind === "List" || typeof item !== "object" || item === null || "kind" in item) return item;
  return { apiVersion, kind: listKind.slice(0, -"List".length), ...item };
}
