// What a client sends and what it wants back: media types, bodies, query parameters.
import type { IncomingMessage } from "node:http";
import { parse as parseYaml } from "yaml";
import { isObject } from "../json.ts";
import { ApiError, badRequest, invalid, notAcceptable, unsupportedMediaType } from "../status.ts";
import type { DeleteOptions, Json, PatchType, UpdateOptions } from "../types.ts";
import { decodeProtobuf, protobufType } from "./protobuf.ts";

export type View = "object" | "table" | "metadata" | "metadataList" | "discovery";

export interface Wanted {
  view: View;
  yaml: boolean;
}

const viewByAs: Record<string, View> = {
  Table: "table",
  PartialObjectMetadata: "metadata",
  PartialObjectMetadataList: "metadataList",
  APIGroupDiscoveryList: "discovery",
};

/** The first media type of the Accept header that can be served. @throws NotAcceptable (406) */
export function wantedOf(accept: string | undefined): Wanted {
  if (accept === undefined || accept.trim() === "") return { view: "object", yaml: false };
  for (const clause of accept.split(",")) {
    const [type = "", ...rest] = clause.split(";").map((part) => part.trim());
    const parameters = new Map(rest.map((part) => part.split("=").map((p) => p.trim()) as [string, string]));
    const json = ["application/json", "*/*", "application/*"].includes(type);
    if (!json && type !== "application/yaml") continue;
    const as = parameters.get("as");
    if (as === undefined) return { view: "object", yaml: !json };
    const view = viewByAs[as];
    if (view === undefined) continue;
    if (view === "discovery" && parameters.get("v") !== "v2") continue;
    return { view, yaml: !json };
  }
  throw notAcceptable("application/json, application/yaml");
}

export const bodyLimitBytes = 3 * 1024 * 1024;

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    sizeBytes += (chunk as Buffer).length;
    if (sizeBytes > bodyLimitBytes) {
      throw new ApiError(413, "RequestEntityTooLarge", `Request entity too large: limit is ${bodyLimitBytes}`);
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function mediaType(request: IncomingMessage): string {
  return (request.headers["content-type"] ?? "application/json").split(";")[0]!.trim();
}

function parseBody(text: string, yaml: boolean): Json {
  try {
    return (yaml ? parseYaml(text) : JSON.parse(text)) as Json;
  } catch (error) {
    throw badRequest(`the body of the request could not be decoded: ${(error as Error).message}`);
  }
}

const documentTypes = ["application/json", "application/yaml", protobufType];

function parseDocument(bytes: Buffer, type: string): Json {
  if (!documentTypes.includes(type)) throw unsupportedMediaType(documentTypes);
  if (type === protobufType) return decodeProtobuf(bytes);
  return parseBody(bytes.toString("utf8"), type === "application/yaml");
}

/** A document in JSON, YAML or protobuf. @throws UnsupportedMediaType (415), BadRequest */
export async function readDocument(request: IncomingMessage): Promise<Json> {
  return parseDocument(await readBytes(request), mediaType(request));
}

const patchTypes: Record<string, PatchType> = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
  "application/apply-patch+yaml": "apply",
};

/** @throws UnsupportedMediaType (415) for anything that is no patch. */
export async function readPatch(request: IncomingMessage): Promise<{ type: PatchType; body: Json }> {
  const type = patchTypes[mediaType(request)];
  const bytes = await readBytes(request);
  if (type === undefined) throw unsupportedMediaType(Object.keys(patchTypes));
  return { type, body: parseBody(bytes.toString("utf8"), type === "apply") };
}

function dryRunOf(values: readonly string[]): boolean {
  const bad = values.find((value) => value !== "All");
  if (bad !== undefined) {
    const cause = {
      reason: "FieldValueNotSupported",
      message: `Unsupported value: ${JSON.stringify(bad)}: supported values: "All"`,
      field: "dryRun",
    };
    throw invalid({ plural: "options", group: "meta.k8s.io", kind: "CreateOptions" }, "", [cause]);
  }
  return values.length > 0;
}

function integerOf(name: string, text: string | null): number | undefined {
  if (text === null || text === "") return undefined;
  if (!/^-?\d+$/.test(text))
    throw badRequest(`${name}: strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

const validations = ["Ignore", "Warn", "Strict"] as const;

/** Options of a write. The field manager falls back to the first part of the user agent, as the API server has it. */
export function writeOptions(
  request: IncomingMessage,
  query: URLSearchParams,
  warn: (text: string) => void,
): UpdateOptions {
  const asked = query.get("fieldValidation");
  const fieldValidation = validations.find((v) => v === (asked === null || asked === "" ? "Warn" : asked));
  if (fieldValidation === undefined) {
    const list = validations.map((v) => JSON.stringify(v)).join(", ");
    const message = `Unsupported value: ${JSON.stringify(asked)}: supported values: ${list}`;
    throw invalid({ plural: "options", group: "meta.k8s.io", kind: "CreateOptions" }, "", [
      { reason: "FieldValueNotSupported", message, field: "fieldValidation" },
    ]);
  }
  const agent = (request.headers["user-agent"] ?? "unknown").split("/")[0]!.slice(0, 128);
  return {
    fieldManager: query.get("fieldManager") || agent || "unknown",
    dryRun: dryRunOf(query.getAll("dryRun")),
    fieldValidation,
    onWarning: warn,
  };
}

/** Options of a deletion: the body wins over the query. @throws BadRequest */
export function deleteOptions(query: URLSearchParams, body: Json | undefined): DeleteOptions {
  if (body !== undefined && body !== null && !isObject(body)) throw badRequest("DeleteOptions must be an object");
  const sent = isObject(body) ? body : {};
  if (sent.kind !== undefined && sent.kind !== "DeleteOptions" && sent.kind !== "Eviction") {
    throw badRequest(`no kind ${JSON.stringify(sent.kind)} is registered as DeleteOptions`);
  }
  const out: DeleteOptions = {};
  const grace = sent.gracePeriodSeconds ?? integerOf("gracePeriodSeconds", query.get("gracePeriodSeconds"));
  if (typeof grace === "number") out.gracePeriodSeconds = grace;
  const policy = sent.propagationPolicy ?? query.get("propagationPolicy");
  const orphan = sent.orphanDependents ?? query.get("orphanDependents");
  if (typeof policy === "string" && policy !== "") out.propagationPolicy = policy as "Background";
  else if (orphan === true || orphan === "true") out.propagationPolicy = "Orphan";
  if (isObject(sent.preconditions)) {
    const { uid, resourceVersion } = sent.preconditions;
    out.preconditions = {
      ...(typeof uid === "string" ? { uid } : {}),
      ...(typeof resourceVersion === "string" ? { resourceVersion } : {}),
    };
  }
  const dry = [...query.getAll("dryRun"), ...(Array.isArray(sent.dryRun) ? (sent.dryRun as string[]) : [])];
  out.dryRun = dryRunOf(dry);
  return out;
}

/** A DELETE's body is optional. */
export async function readOptionalDocument(request: IncomingMessage): Promise<Json | undefined> {
  const bytes = await readBytes(request);
  return bytes.length === 0 ? undefined : parseDocument(bytes, mediaType(request));
}

export function isTrue(text: string | null): boolean {
  return text !== null && ["true", "1", "t", "True"].includes(text);
}

export { integerOf };
