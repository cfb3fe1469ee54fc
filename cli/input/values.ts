// The values that a text of JSON or YAML holds, whatever they are. Everything that a parser may say against it is one line.
import { type Document, parseAllDocuments, type YAMLError } from "yaml";
import { InputError } from "../input-error.ts";

/** Deeper than any manifest. What is deeper still has an alias that stands within what it names, or means no good. */
const maxDepth = 200;
const tooDeep = `is nested more than ${maxDepth} levels deep (does an alias stand in what it names?)`;

/** The values of a text: of YAML documents, or of JSON values one after the other. Throws InputError naming the document. */
export function valuesOf(text: string, name: string): unknown[] {
  const written = text.replace(/^\uFEFF/, "");
  const values = jsonValues(written, name) ?? yamlValues(written, name);
  values.forEach((value, index) => {
    const problem = unlikeJson(value);
    if (problem !== undefined) throw new InputError(`${name}: document ${index + 1}: ${problem}`);
  });
  return values;
}

/** Undefined: the text is no JSON; perhaps it is YAML in flow style, and its parser tells what is wrong and where. */
function jsonValues(text: string, name: string): unknown[] | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return [JSON.parse(text)];
  } catch {
    const parts = jsonParts(text);
    if (parts === undefined || parts.length < 2) return undefined;
    const values: unknown[] = [];
    for (const [index, part] of parts.entries()) {
      try {
        values.push(JSON.parse(part));
      } catch (cause) {
        if (index === 0) return undefined;
        throw new InputError(`${name}: document ${index + 1}: ${(cause as Error).message}`, { cause });
      }
    }
    return values;
  }
}

/** Objects and lists that follow one another with nothing but space between; undefined if there is anything else. */
function jsonParts(text: string): string[] | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s"{}[\]]+/g)) {
    if (depth === 0 && token !== "{" && token !== "[") return undefined;
    if (token === "{" || token === "[") {
      if (depth === 0) from = index;
      depth++;
    } else if (token === "}" || token === "]") {
      depth--;
      if (depth === 0) parts.push(text.slice(from, index + 1));
    }
  }
  return depth === 0 ? parts : undefined;
}

function yamlValues(text: string, name: string): unknown[] {
  return parsedYaml(text, name).map((document, index) => {
    const where = `${name}: document ${index + 1}`;
    const error = document.errors[0];
    if (error !== undefined) throw new InputError(`${where}: ${explained(error)}`, { cause: error });
    try {
      return document.toJS() as unknown;
    } catch (cause) {
      // An alias without its anchor, or so many aliases that the document would not fit into memory.
      throw new InputError(`${where}: ${(cause as Error).message}`, { cause });
    }
  });
}

function parsedYaml(text: string, name: string): readonly Document.Parsed[] {
  try {
    return parseAllDocuments(text, { version: "1.2", merge: true, logLevel: "error" });
  } catch (cause) {
    throw new InputError(`${name}: cannot be read as YAML (${(cause as Error).message})`, { cause });
  }
}

/** The parser's message without the picture of the place, which is told in front. */
function explained({ message, linePos }: YAMLError): string {
  const [first] = message.split("\n");
  const said = first!
    .replace(/ at line \d+, column \d+:?$/, "")
    .replaceAll(/\\[nrt]/g, " ")
    .replaceAll(/\s+/g, " ");
  if (said.includes("call stack")) return tooDeep;
  const place = linePos?.[0];
  return place === undefined ? said : `line ${place.line}, column ${place.col}: ${said}`;
}

/** What keeps a value from being JSON: YAML knows numbers that are none, dates, sets, and nodes within themselves. */
function unlikeJson(value: unknown): string | undefined {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: current, depth } = next;
    if (typeof current === "number" && !Number.isFinite(current)) return `${current} is not a number that JSON has`;
    if (typeof current === "bigint") return `${current} is too large a number`;
    if (typeof current !== "object" || current === null) continue;
    if (depth > maxDepth) return tooDeep;
    if (!Array.isArray(current) && Object.getPrototypeOf(current) !== Object.prototype) {
      return "has a value with a tag that JSON has nothing for; write it as a text";
    }
    for (const inner of Object.values(current)) open.push({ value: inner, depth: depth + 1 });
  }
  return undefined;
}
