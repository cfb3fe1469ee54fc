// Lists over HTTP: selectors, pages that all show the same revision, and what resourceVersion asks for.
import { apiVersionOf } from "../kinds.ts";
import { ApiError, badRequest, expired, invalid } from "../status.ts";
import type { StoreContext } from "../store/context.ts";
import { keyOf, keyText } from "../store/objects.ts";
import { present } from "../store/versions.ts";
import { matcher } from "../store/watch.ts";
import type { JsonObject, KubeObject, ListOptions } from "../types.ts";
import { integerOf } from "./negotiation.ts";
import type { Target } from "./route.ts";

export interface Page {
  items: KubeObject[];
  metadata: JsonObject;
}

interface Continue {
  v: "meta.k8s.io/v1";
  rv: number;
  start: string;
}

function decodeContinue(text: string): Continue {
  try {
    const token = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as Continue;
    if (token.v === "meta.k8s.io/v1" && Number.isSafeInteger(token.rv) && typeof token.start === "string") return token;
  } catch {
    // A token that does not decode is answered like one that decodes to something else.
  }
  throw badRequest("continue key is not valid: it is not a token of this server");
}

function listOptionsInvalid(field: string, message: string): ApiError {
  const cause = { reason: "FieldValueForbidden", message, field };
  return invalid({ plural: "listoptions", group: "meta.k8s.io", kind: "ListOptions" }, "", [cause]);
}

function tooLarge(asked: number, current: number): ApiError {
  const message = `Too large resource version: ${asked}, current: ${current}`;
  const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version", field: "" }];
  return new ApiError(504, "Timeout", `Timeout: ${message}`, { causes, retryAfterSeconds: 1 });
}

/** The revision that a request wants to see exactly, undefined for the newest. @throws BadRequest, Invalid, Timeout */
function exactRevision(context: StoreContext, query: URLSearchParams): number | undefined {
  const text = query.get("resourceVersion") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  if (match !== "" && match !== "Exact" && match !== "NotOlderThan") {
    throw listOptionsInvalid(
      "resourceVersionMatch",
      `Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan"`,
    );
  }
  if (match !== "" && text === "") {
    throw listOptionsInvalid(
      "resourceVersionMatch",
      "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
    );
  }
  if (match === "Exact" && text === "0") {
    throw listOptionsInvalid(
      "resourceVersionMatch",
      'Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    );
  }
  if (text === "" || text === "0") return undefined;
  const asked = revisionOf(text);
  if (asked > context.objects.revision) throw tooLarge(asked, context.objects.revision);
  const limited = integerOf("limit", query.get("limit")) ?? 0;
  return match === "Exact" || (match === "" && limited > 0) ? asked : undefined;
}

/** @throws BadRequest for a resourceVersion that is no number. */
export function revisionOf(text: string): number {
  if (!/^\d+$/.test(text))
    throw badRequest(`Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: invalid syntax`);
  return Number(text);
}

export function selectorsOf(target: Target, query: URLSearchParams): ListOptions {
  const options: ListOptions = {};
  const labels = query.get("labelSelector");
  const fields = query.get("fieldSelector");
  if (target.namespace !== undefined) options.namespace = target.namespace;
  if (labels !== null && labels !== "") options.labelSelector = labels;
  const named = target.name === undefined ? [] : [`metadata.name=${target.name}`];
  const all = [...named, ...(fields === null || fields === "" ? [] : [fields])];
  if (all.length > 0) options.fieldSelector = all.join(",");
  return options;
}

/** @throws BadRequest, Invalid, Expired (410) for a page whose revision is forgotten, Timeout (504) for one of the future. */
export function listPage(context: StoreContext, target: Target, query: URLSearchParams): Page {
  const { objects } = context;
  const { kind } = target;
  const options = selectorsOf(target, query);
  const matches = matcher(kind, options);
  const limit = integerOf("limit", query.get("limit")) ?? 0;
  const token = query.get("continue") ?? "";
  const from = token === "" ? undefined : decodeContinue(token);
  if (from !== undefined && (query.get("resourceVersion") ?? "0") !== "0" && query.get("resourceVersion") !== "") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  const exact = from?.rv ?? exactRevision(context, query);
  const revision = exact ?? objects.revision;
  if (from !== undefined && revision < objects.oldestRevision) {
    throw expired(
      "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.",
    );
  }
  const all =
    revision === objects.revision
      ? objects.list(kind.storage, options.namespace)
      : objects.listAt(kind.storage, revision, options.namespace);
  const matching = all.filter(
    (object) => matches(object) && (from === undefined || keyText(keyOf(object)) > from.start),
  );
  const items = limit > 0 ? matching.slice(0, limit) : matching;
  const metadata: JsonObject = { resourceVersion: String(revision) };
  const left = matching.length - items.length;
  if (left > 0) {
    const next: Continue = { v: "meta.k8s.io/v1", rv: revision, start: keyText(keyOf(items.at(-1)!)) };
    metadata.continue = Buffer.from(JSON.stringify(next), "utf8").toString("base64url");
    if (options.labelSelector === undefined && options.fieldSelector === undefined) metadata.remainingItemCount = left;
  }
  return { items: items.map((object) => present(kind, object)), metadata };
}

const itemTexts = new WeakMap<KubeObject, string>();

/** A list document as text. Built-in lists leave out their items' kind and apiVersion, as the API server does. */
export function listText(target: Target, page: Page): string {
  const { kind } = target;
  const texts = page.items.map((object) => {
    let text = itemTexts.get(object);
    if (text === undefined) {
      const { apiVersion: _a, kind: _k, ...rest } = object;
      text = JSON.stringify(kind.custom === undefined ? rest : object);
      if (Object.isFrozen(object)) itemTexts.set(object, text);
    }
    return text;
  });
  const head = JSON.stringify({ kind: kind.listKind, apiVersion: apiVersionOf(kind), metadata: page.metadata });
  return `${head.slice(0, -1)},"items":[${texts.join(",")}]}`;
}

/** PartialObjectMetadata of an object. */
export function metadataOnly(object: KubeObject): JsonObject {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: object.metadata as unknown as JsonObject,
  };
}
