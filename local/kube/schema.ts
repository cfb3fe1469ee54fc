// Field knowledge in one form for built-in kinds (generated/schemas.json) and custom resources (their structural schema):
// patching, server-side apply, decoding and OpenAPI all read it through here.
import { readFileSync } from "node:fs";
import type { Json } from "./types.ts";

export interface Schema {
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  required?: string[];
  $ref?: string;
  oneOf?: unknown[];
  default?: Json;
  description?: string;
  "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-map-type"?: "atomic" | "granular";
  "x-kubernetes-patch-merge-key"?: string;
  "x-kubernetes-patch-strategy"?: string;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-int-or-string"?: boolean;
}

const path = new URL("generated/schemas.json", import.meta.url);
const definitions = JSON.parse(readFileSync(path, "utf8")) as Record<string, Schema>;

export const objectMetaDefinition = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
export const quantityDefinition = "io.k8s.apimachinery.pkg.api.resource.Quantity";
export const intOrStringDefinition = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";

/** A built-in definition. Throws for a name that was not generated, which is a slip in kinds.ts. */
export function definition(name: string): Schema {
  const found = definitions[name];
  if (found === undefined) throw new Error(`generated/schemas.json has no definition ${name}: run build-schemas.ts`);
  return found;
}

export function allDefinitions(): Record<string, Schema> {
  return definitions;
}

/** Follows a reference; undefined stands for "anything". */
export function resolve(schema: Schema | undefined): Schema | undefined {
  if (schema?.$ref === undefined) return schema;
  return definition(schema.$ref);
}

/** The schema of a field of an object: a property, or what every value of a map is. Undefined: unknown or free. */
export function fieldSchema(schema: Schema | undefined, field: string): Schema | undefined {
  const own = resolve(schema);
  if (own === undefined) return undefined;
  const named = own.properties?.[field];
  if (named !== undefined) return named;
  return typeof own.additionalProperties === "object" ? own.additionalProperties : undefined;
}

/** True where fields that no schema names are kept. */
export function keepsUnknown(schema: Schema | undefined): boolean {
  const own = resolve(schema);
  if (own === undefined) return true;
  if (own["x-kubernetes-preserve-unknown-fields"] === true || own.additionalProperties === true) return true;
  return own.properties === undefined && own.additionalProperties === undefined;
}

/** The schema of a whole custom resource: its structural schema with the API server's own metadata in place. */
export function customObjectSchema(structural: Schema | undefined): Schema {
  return {
    ...structural,
    type: "object",
    properties: {
      ...structural?.properties,
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { $ref: objectMetaDefinition },
    },
  };
}
