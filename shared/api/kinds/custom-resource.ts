import type { ObjectMeta } from "../kubernetes/metadata.ts";
import type { Schema } from "../schema/build.ts";
import { object, string } from "../schema/build.ts";
import type { JsonSchemaProps } from "../schema/types.ts";

/** A column of `kubectl get`; `wide` ones show with `-o wide` only. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "date";
  readonly jsonPath: string;
  readonly wide?: boolean;
}

/** One of our kinds: all that its CustomResourceDefinition says. */
export interface CustomResource<Spec, Status> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: "Cluster" | "Namespaced";
  readonly description: string;
  readonly spec: Schema<Spec>;
  /** False only for EC2NodeClass, whose CRD accepts an object without a spec. */
  readonly specRequired: boolean;
  readonly status: Schema<Status>;
  readonly columns: readonly PrinterColumn[];
  readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string };
}

/** The document of a kind, after defaults. */
export interface Resource<Spec, Status> {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  spec: Spec;
  status?: Status;
}

/** The whole schema of a kind, from apiVersion to status. */
export function rootSchema(kind: CustomResource<unknown, unknown>): JsonSchemaProps {
  const spec = { spec: kind.spec };
  const rest = {
    apiVersion: string("Version of the API that the object is written in."),
    kind: string("What the object is."),
    metadata: { type: "object" } as Schema<object>,
    status: kind.status,
  };
  return kind.specRequired
    ? object(kind.description, { required: spec, optional: rest })
    : object(kind.description, { optional: { ...spec, ...rest } });
}

/** `group/version` of a kind. */
export function apiVersionOf(kind: Pick<CustomResource<unknown, unknown>, "group" | "version">): string {
  return `${kind.group}/${kind.version}`;
}

export const readyColumn: PrinterColumn = {
  name: "Ready",
  type: "string",
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
};
export const ageColumn: PrinterColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };
