// The JSON schema dialect of CustomResourceDefinitions (apiextensions.k8s.io/v1), as far as structural schemas go.

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type JsonObject = { [key: string]: Json };

/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  /** CEL over `self` and, for transition rules, `oldSelf`. */
  rule: string;
  message?: string;
  /** CEL that yields the message; used instead of `message` when it evaluates to a non-empty string. */
  messageExpression?: string;
  /** Where under the rule's own node the error is reported, such as ".spec.name". */
  fieldPath?: string;
  reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | "FieldValueDuplicate";
  /** `oldSelf` is an optional value and the rule also runs when there is no old value. */
  optionalOldSelf?: boolean;
}

/** JSONSchemaProps of apiextensions.k8s.io/v1. */
export interface JsonSchemaProps {
  description?: string;
  type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  format?: string;
  nullable?: boolean;
  default?: Json;
  enum?: Json[];

  pattern?: string;
  minLength?: number;
  maxLength?: number;

  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;

  items?: JsonSchemaProps;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;

  properties?: { [name: string]: JsonSchemaProps };
  additionalProperties?: JsonSchemaProps | boolean;
  required?: string[];
  minProperties?: number;
  maxProperties?: number;

  allOf?: JsonSchemaProps[];
  anyOf?: JsonSchemaProps[];
  oneOf?: JsonSchemaProps[];
  not?: JsonSchemaProps;

  "x-kubernetes-validations"?: ValidationRule[];
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-map-type"?: "atomic" | "granular";
}

/** Whether a value is a JSON object (not null, not a list). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The schema of a field of an object, or undefined where the schema knows no such field. */
export function fieldSchema(schema: JsonSchemaProps, name: string): JsonSchemaProps | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}
