// OpenAPI, as far as clients lean on it: kubectl finds here that fieldValidation is served, which lists merge by which key
// (client-side apply), and what `kubectl explain` shows.
import { createHash } from "node:crypto";
import { isObject } from "../json.ts";
import { apiVersionOf } from "../kinds.ts";
import type { Registry, ServedKind } from "../registry.ts";
import { allDefinitions, definition, objectMetaDefinition, type Schema } from "../schema.ts";
import type { Json, JsonObject } from "../types.ts";
import { groupsOf } from "./discovery.ts";

const info = { title: "Kubernetes", version: "v1.36.3" };

function publicName(name: string): string {
  return name.startsWith("io.k8s.") || name.startsWith("custom.") ? name : `io.k8s.api.${name}`;
}

/** A schema with its references in the document's own place. */
function published(value: Json, prefix: string): Json {
  if (Array.isArray(value)) return value.map((item) => published(item, prefix));
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const [key, part] of Object.entries(value)) {
    if (key === "$ref" && typeof part === "string") out.$ref = `${prefix}${publicName(part)}`;
    else if (key === "oneOf") out.type = "string";
    else out[key] = published(part, prefix);
  }
  return out;
}

function closure(roots: readonly string[]): string[] {
  const met = new Set<string>();
  const open = [...roots];
  const visit = (schema: Schema): void => {
    if (schema.$ref !== undefined) open.push(schema.$ref);
    for (const property of Object.values(schema.properties ?? {})) visit(property);
    if (schema.items !== undefined) visit(schema.items);
    if (typeof schema.additionalProperties === "object") visit(schema.additionalProperties);
  };
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (met.has(name)) continue;
    met.add(name);
    visit(definition(name));
  }
  return [...met].sort();
}

function identity(kind: ServedKind): JsonObject {
  return { group: kind.group, kind: kind.kind, version: kind.version };
}

function rootPath(kind: ServedKind): string {
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  return kind.namespaced ? `${root}/namespaces/{namespace}/${kind.plural}` : `${root}/${kind.plural}`;
}

const writeParameters = ["dryRun", "fieldManager", "fieldValidation"].map((name) => ({
  name,
  in: "query",
  schema: { type: "string", uniqueItems: true },
}));

function pathsOf(kinds: readonly ServedKind[]): JsonObject {
  const paths: JsonObject = {};
  for (const kind of kinds) {
    const operation = (action: string, parameters: Json[]): JsonObject => ({
      "x-kubernetes-action": action,
      "x-kubernetes-group-version-kind": identity(kind),
      parameters,
      responses: { "200": { description: "OK" } },
    });
    paths[rootPath(kind)] = { get: operation("list", []), post: operation("post", writeParameters) };
    paths[`${rootPath(kind)}/{name}`] = {
      get: operation("get", []),
      put: operation("put", writeParameters),
      patch: operation("patch", [...writeParameters, { name: "force", in: "query", schema: { type: "boolean" } }]),
      delete: operation("delete", []),
    };
  }
  return paths;
}

function customName(kind: ServedKind): string {
  return `${kind.group.split(".").reverse().join(".")}.${kind.version}.${kind.kind}`;
}

function schemasOf(kinds: readonly ServedKind[], prefix: string): JsonObject {
  const schemas: JsonObject = {};
  const roots = kinds.map((kind) => (kind.custom === undefined ? kind.definition : objectMetaDefinition));
  for (const name of closure(roots)) {
    schemas[publicName(name)] = published(definition(name) as unknown as Json, prefix);
  }
  for (const kind of kinds) {
    const name = kind.custom === undefined ? publicName(kind.definition) : customName(kind);
    const own = kind.custom === undefined ? schemas[name] : published(kind.schema as unknown as Json, prefix);
    schemas[name] = { ...(own as JsonObject), "x-kubernetes-group-version-kind": [identity(kind)] };
  }
  return schemas;
}

/** OpenAPI v3 of one group and version, undefined if it is not served. */
export function openApiV3(registry: Registry, group: string, version: string): JsonObject | undefined {
  const kinds = groupsOf(registry).get(group)?.get(version);
  if (kinds === undefined) return undefined;
  const schemas = schemasOf(kinds, "#/components/schemas/");
  return { openapi: "3.0.0", info, paths: pathsOf(kinds), components: { schemas } };
}

/** The index of OpenAPI v3: one document a group and version, with a hash so that clients may cache it. */
export function openApiV3Index(registry: Registry): JsonObject {
  const paths: JsonObject = {};
  for (const [group, versions] of groupsOf(registry)) {
    for (const [version, kinds] of versions) {
      const path = group === "" ? `api/${version}` : `apis/${group}/${version}`;
      const what = kinds.map((kind) => [apiVersionOf(kind), kind.kind, kind.custom?.structural ?? null]);
      const hash = createHash("sha256").update(JSON.stringify(what)).digest("hex").slice(0, 32);
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
    }
  }
  return { paths };
}

/** OpenAPI v2 in JSON: the definitions and paths of everything. */
export function openApiV2(registry: Registry): JsonObject {
  const kinds = registry.all();
  const definitions = schemasOf(kinds, "#/definitions/");
  for (const name of Object.keys(allDefinitions())) {
    definitions[publicName(name)] ??= published(definition(name) as unknown as Json, "#/definitions/");
  }
  return { swagger: "2.0", info, paths: pathsOf(kinds), definitions };
}

export const openApiV2ProtobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/** A protobuf field of bytes: tag, length, content. Everything here is ASCII and shorter than 128 bytes. */
function field(number: number, content: string): string {
  const lengthDelimited = 2;
  return String.fromCharCode((number << 3) | lengthDelimited, content.length) + content;
}

/**
 * OpenAPI v2 as protobuf, the only form in which kubectl asks for it, with no kinds in it: kubectl then goes by OpenAPI v3 and its
 * own knowledge. Fields as in gnostic's OpenAPIv2.proto: Document {1: swagger, 2: Info {1: title, 2: version}, 8: Paths}.
 */
export function openApiV2Protobuf(): string {
  return field(1, "2.0") + field(2, field(1, info.title) + field(2, info.version)) + field(8, "");
}
