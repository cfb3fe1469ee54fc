import type { PodSpec } from "../../core/model/index.ts";
import {
  choice,
  converting,
  type Document,
  FieldProblem,
  fieldsOf,
  isRecord,
  listOf,
  numberOr,
  textMap,
  within,
} from "./fields.ts";
import { metadataOf } from "./metadata.ts";
import { podSpecOf } from "./pod.ts";

const workloadKinds = ["Deployment", "ReplicaSet", "StatefulSet", "Job"] as const;

/** Something that makes pods: how many at a time, and of what template. */
interface Workload {
  readonly kind: (typeof workloadKinds)[number];
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** Pods that it wants to run now. */
  readonly pods: number;
  readonly template: PodSpec;
  /** Names of a StatefulSet's claim templates. */
  readonly claimTemplates: readonly string[];
}

/** @throws UnreadableObjectError naming workload, field and what is wrong */
export function toWorkload(document: unknown): Workload {
  const written = isRecord(document) ? document.kind : undefined;
  const title = workloadKinds.find((kind) => kind === written) ?? "workload";
  return converting(title, document, (workload) => {
    const kind = choice(workload.kind, workloadKinds, "kind");
    const { uid, namespace, name } = metadataOf(workload);
    return {
      kind,
      uid,
      namespace: namespace ?? "default",
      name,
      pods: podsOf(kind, workload),
      template: templateOf(workload, name),
      claimTemplates: kind === "StatefulSet" ? claimTemplatesOf(fieldsOf(workload.spec, "spec")) : [],
    };
  });
}

/** What the API server refuses to be without is refused here too: a workload without a template would make no pods. */
function templateOf(workload: Document, name: string): PodSpec {
  const template = fieldsOf(workload.spec, "spec").template;
  if (template === undefined || template === null) throw new FieldProblem("spec.template", "is missing");
  const { metadata, spec } = fieldsOf(template, "spec.template");
  if (spec === undefined || spec === null) throw new FieldProblem("spec.template.spec", "is missing");
  const { labels, annotations } = fieldsOf(metadata, "spec.template.metadata");
  try {
    return podSpecOf(
      textMap(labels, "metadata.labels"),
      textMap(annotations, "metadata.annotations"),
      fieldsOf(spec, "spec"),
      name,
    );
  } catch (problem) {
    throw within(problem, "spec.template");
  }
}

function claimTemplatesOf(spec: Document): string[] {
  return listOf(spec.volumeClaimTemplates, "spec.volumeClaimTemplates").map((template, index) => {
    const field = `spec.volumeClaimTemplates[${index}]`;
    const { name } = fieldsOf(fieldsOf(template, field).metadata, `${field}.metadata`);
    if (typeof name !== "string" || name === "") throw new FieldProblem(`${field}.metadata.name`, "is missing");
    return name;
  });
}

/** A whole number from 0 on, as the API server takes for counts. */
function countOr(value: unknown, otherwise: number, field: string): number {
  const count = numberOr(value, otherwise, field);
  if (!Number.isInteger(count) || count < 0) {
    throw new FieldProblem(field, `expected a whole number from 0 on, got ${count}`);
  }
  return count;
}

/**
 * A Job runs `parallelism` pods at a time, but no more than it still has to complete. One without `completions` starts
 * none any more once one has succeeded, and one that has ended (or is about to) starts none at all.
 * Source: Kubernetes documentation, "Jobs", parallel execution and termination.
 */
function podsOf(kind: Workload["kind"], workload: Document): number {
  const spec = fieldsOf(workload.spec, "spec");
  if (kind !== "Job") return countOr(spec.replicas, 1, "spec.replicas");
  const status = fieldsOf(workload.status, "status");
  const parallelism = countOr(spec.parallelism, 1, "spec.parallelism");
  const succeeded = countOr(status.succeeded, 0, "status.succeeded");
  const completions =
    spec.completions === undefined || spec.completions === null
      ? undefined
      : countOr(spec.completions, 0, "spec.completions");
  if (spec.suspend === true || hasEnded(status)) return 0;
  if (completions === undefined) return succeeded > 0 ? 0 : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

const endings: ReadonlySet<unknown> = new Set(["Complete", "Failed", "SuccessCriteriaMet", "FailureTarget"]);

function hasEnded(status: Document): boolean {
  return listOf(status.conditions, "status.conditions").some(
    (condition) => isRecord(condition) && condition.status === "True" && endings.has(condition.type),
  );
}
