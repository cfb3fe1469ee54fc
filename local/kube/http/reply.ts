// Writing answers: documents as JSON or YAML, Status for failures, warnings as headers.
import type { ServerResponse } from "node:http";
import { stringify as toYaml } from "yaml";
import { ApiError } from "../status.ts";
import type { JsonObject } from "../types.ts";

export interface Reply {
  document(code: number, document: JsonObject, yaml?: boolean, contentType?: string): void;
  text(code: number, text: string, contentType: string): void;
  warn(text: string): void;
  failure(error: unknown): void;
}

function statusOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError(500, "InternalError", `Internal error occurred: ${message}`);
}

/** @param report gets errors that are no answer of the API but a fault in it. */
export function createReply(response: ServerResponse, report: (error: unknown) => void): Reply {
  const warnings: string[] = [];
  const text = (code: number, body: string, contentType: string): void => {
    if (response.headersSent || response.destroyed) return;
    if (warnings.length > 0) response.setHeader("warning", warnings);
    response.writeHead(code, { "content-type": contentType, "cache-control": "no-cache, private" });
    response.end(body);
  };
  const document = (code: number, value: JsonObject, yaml = false, contentType = "application/json"): void => {
    if (yaml) text(code, toYaml(value), "application/yaml");
    else text(code, `${JSON.stringify(value)}\n`, contentType);
  };
  return {
    document,
    text,
    warn: (warning) => {
      warnings.push(`299 - ${JSON.stringify(warning)}`);
    },
    failure: (error) => {
      if (!(error instanceof ApiError)) report(error);
      const failure = statusOf(error);
      const wait = failure.details.retryAfterSeconds;
      if (wait !== undefined && !response.headersSent) response.setHeader("retry-after", String(wait));
      document(failure.code, failure.status());
    },
  };
}
