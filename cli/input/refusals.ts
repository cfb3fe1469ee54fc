// Pods and pod templates that the API server would refuse for where they want to run: a plan for them would be for nothing.

import { labelErrors } from "../../local/kube/builtins/names.ts";
import { hostPortErrors, placementErrors } from "../../local/kube/builtins/placement-validation.ts";
import { type FieldError, printFieldErrorBody } from "../../shared/api/schema/field-error.ts";
import { InputError } from "../input-error.ts";
import { fieldsOf, type Json, objectsOf, type SourceDocument } from "./documents.ts";
import type { Objects } from "./objects.ts";

const templated = ["apps/Deployment", "apps/ReplicaSet", "apps/StatefulSet", "apps/DaemonSet", "batch/Job"] as const;

/** Throws InputError naming file, document, object and field of the first that would be refused. */
export function refuseInvalidPods(objects: Objects): void {
  for (const source of objects.of("/Pod")) refuse(source, errorsOf(source.document, ""));
  for (const kind of templated) {
    for (const source of objects.of(kind))
      refuse(source, errorsOf(fieldsOf(fieldsOf(source.document.spec).template), "spec.template."));
  }
}

type JsonTree = Parameters<typeof placementErrors>[0];

function errorsOf(pod: Json, prefix: string): FieldError[] {
  const spec = fieldsOf(pod.spec);
  const taken = new Set<string>();
  const ports = objectsOf(spec.containers).flatMap((container, i) =>
    hostPortErrors(container as JsonTree, `${prefix}spec.containers[${i}]`, taken),
  );
  const { labels } = fieldsOf(pod.metadata);
  return [
    ...labelErrors(fieldsOf(labels), `${prefix}metadata.labels`),
    ...placementErrors(spec as JsonTree, `${prefix}spec`),
    ...ports,
  ];
}

function refuse({ where, kind, document }: SourceDocument, [first]: readonly FieldError[]): void {
  if (first === undefined) return;
  const { namespace, name } = fieldsOf(document.metadata) as { namespace: string; name: string };
  throw new InputError(`${where}: ${kind} ${namespace}/${name}: ${first.path}: ${printFieldErrorBody(first)}`);
}
