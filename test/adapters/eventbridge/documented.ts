// What docs/events.md promises: its schema, its example and its rules, read from the page as people read them.
import { readFileSync } from "node:fs";
import { type Json, type JsonSchemaProps, validate } from "../../../shared/api/schema/index.ts";

const page = readFileSync(new URL("../../../docs/events.md", import.meta.url), "utf8");

function blocks(kind: string): readonly Record<string, unknown>[] {
  return [...page.matchAll(new RegExp(`\`\`\`json ${kind}\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, text]) => JSON.parse(text!) as Record<string, unknown>,
  );
}

const schema = blocks("schema")[0] as JsonSchemaProps;
export const documentedEvents = blocks("event");
export const documentedPatterns = blocks("pattern");

/** What EventBridge adds to every event. */
const envelope = new Set(["version", "id", "account", "region", "resources"]);

/** What is wrong with a delivered event by the page's schema; a field that it does not name counts too. */
export function faultsOf(event: Record<string, unknown>): readonly string[] {
  const faults = validate(schema, event as Json).filter(({ path }) => path !== "");
  return [...faults.map(({ path, type, detail }) => `${path}: ${type} ${detail}`), ...unknownFields(schema, event, "")];
}

function unknownFields(of: JsonSchemaProps, value: Record<string, unknown>, path: string): readonly string[] {
  return Object.entries(value).flatMap(([name, found]) => {
    if (path === "" && envelope.has(name)) return [];
    const inner = of.properties?.[name];
    if (inner === undefined) return [`${path}${name} is not in the schema`];
    if (inner.properties === undefined) return [];
    return unknownFields(inner, found as Record<string, unknown>, `${path}${name}.`);
  });
}

/** Whether every field that a rule's pattern asks for is one that events have. */
export function isKnownPattern(pattern: Record<string, unknown>): boolean {
  return unknownFields(schema, pattern, "").length === 0;
}
