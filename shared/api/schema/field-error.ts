import type { Json } from "./types.ts";

export type FieldErrorType =
  | "Required"
  | "Invalid"
  | "NotSupported"
  | "TypeInvalid"
  | "Duplicate"
  | "Forbidden"
  | "TooLong"
  | "TooMany"
  | "Internal";

/** One thing that is wrong with an object. */
export interface FieldError {
  /** Where, as `spec.template.spec.requirements[0].key`; empty for the object itself, "<nil>" for no place at all. */
  readonly path: string;
  readonly type: FieldErrorType;
  /** The offending value; left out where it says nothing or would be too long to print. */
  readonly badValue?: Json;
  readonly detail: string;
}

const titles: Record<FieldErrorType, string> = {
  Required: "Required value",
  Invalid: "Invalid value",
  NotSupported: "Unsupported value",
  TypeInvalid: "Invalid value",
  Duplicate: "Duplicate value",
  Forbidden: "Forbidden",
  TooLong: "Too long",
  TooMany: "Too many",
  Internal: "Internal error",
};

const withoutValue: ReadonlySet<FieldErrorType> = new Set(["Required", "Forbidden", "TooLong", "Internal"]);

/**
 * The text of an error without its path, as kube-apiserver puts it into a Status cause.
 * Source of the form: k8s.io/apimachinery field.Error.ErrorBody.
 */
export function printFieldErrorBody(error: FieldError): string {
  let text = titles[error.type];
  if (!withoutValue.has(error.type) && error.badValue !== undefined) text += `: ${JSON.stringify(error.badValue)}`;
  if (error.detail !== "") text += `: ${error.detail}`;
  return text;
}

/** The text of an error as kube-apiserver prints it: `spec.weight: Invalid value: 101: spec.weight in body should be …`. */
export function printFieldError(error: FieldError): string {
  return `${error.path === "" ? "<nil>" : error.path}: ${printFieldErrorBody(error)}`;
}

/**
 * The machine-readable reason of an error in a Status cause (`details.causes[].reason`).
 * Source: k8s.io/apimachinery, the values of field.ErrorType.
 */
export function causeReason(error: FieldError): string {
  return error.type === "Internal" ? "InternalError" : `FieldValue${error.type}`;
}
