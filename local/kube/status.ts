// Failures as kube-apiserver states them: a `Status` object with code, reason and details.
import type { JsonObject } from "./types.ts";

export interface StatusCause {
  reason: string;
  message: string;
  field: string;
}

interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** A refusal by the API. `code` is the HTTP status. `retry` follows the house rule: when is it sensible to repeat the call? */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails;
  readonly retry: "now" | "later" | "never";

  constructor(code: number, reason: string, message: string, details: StatusDetails = {}) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.retry = code === 429 || code >= 500 ? "later" : code === 409 || code === 410 ? "now" : "never";
  }

  /** The `Status` document for the wire. */
  status(): JsonObject {
    const status: JsonObject = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: this.message,
    };
    if (this.reason !== "") status.reason = this.reason;
    if (Object.keys(this.details).length > 0) status.details = { ...this.details } as unknown as JsonObject;
    status.code = this.code;
    return status;
  }
}

/** What a message calls a resource: "pods", "deployments.apps". */
export interface Named {
  plural: string;
  group: string;
  kind: string;
}

function qualified(resource: Named): string {
  return resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
}

function detailsOf(resource: Named, name: string): StatusDetails {
  return { name, ...(resource.group === "" ? {} : { group: resource.group }), kind: resource.plural };
}

export function notFound(resource: Named, name: string): ApiError {
  return new ApiError(404, "NotFound", `${qualified(resource)} "${name}" not found`, detailsOf(resource, name));
}

/** @param leaving the object that is there is being deleted, so a later attempt may succeed. */
export function alreadyExists(resource: Named, name: string, leaving = false): ApiError {
  const text = `${leaving ? "object is being deleted: " : ""}${qualified(resource)} "${name}" already exists`;
  return new ApiError(409, "AlreadyExists", text, detailsOf(resource, name));
}

export function conflict(resource: Named, name: string, why: string): ApiError {
  const text = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`;
  return new ApiError(409, "Conflict", text, detailsOf(resource, name));
}

export const modifiedMeanwhile =
  "the object has been modified; please apply your changes to the latest version and try again";

/** 422 with one cause a field. `causes` must not be empty. */
export function invalid(resource: Named, name: string, causes: StatusCause[]): ApiError {
  const kind = resource.group === "" ? resource.kind : `${resource.kind}.${resource.group}`;
  const parts = causes.map((c) => `${c.field}: ${c.message}`);
  const all = parts.length === 1 ? parts[0] : `[${parts.join(", ")}]`;
  return new ApiError(422, "Invalid", `${kind} "${name}" is invalid: ${all}`, {
    ...(name === "" ? {} : { name }),
    ...(resource.group === "" ? {} : { group: resource.group }),
    ...(resource.kind === "" ? {} : { kind: resource.kind }),
    causes,
  });
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, "BadRequest", message);
}

export function forbidden(resource: Named, name: string, why: string): ApiError {
  const text = `${qualified(resource)} "${name}" is forbidden: ${why}`;
  return new ApiError(403, "Forbidden", text, detailsOf(resource, name));
}

export function methodNotAllowed(): ApiError {
  return new ApiError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
}

export function notAcceptable(accepted: string): ApiError {
  return new ApiError(406, "NotAcceptable", `only the following media types are accepted: ${accepted}`);
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  return new ApiError(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  );
}

export function expired(message: string): ApiError {
  return new ApiError(410, "Expired", message);
}
