import type { PodSpec } from "../../core/model/index.ts";
import { templateOf } from "./cluster-objects.ts";
import { choice, converting, type Document, fieldsOf, numberOr, within } from "./fields.ts";
import { metadataOf } from "./metadata.ts";
import { podSpecOf } from "./pod.ts";

export const workloadKinds = ["Deployment", "ReplicaSet", "StatefulSet", "Job"] as const;

/** Something that makes pods: how many at a time, and of what template. */
export interface Workload {
  readonly kind: (typeof workloadKinds)[number];
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly pods: number;
  readonly template: PodSpec;
}

/** @throws UnreadableObjectError */
export function toWorkload(document: unknown): Workload {
  return converting("workload", document, (workload) => {
    const kind = choice(workload.kind, workloadKinds, "kind");
    const { uid, namespace, name } = metadataOf(workload);
    const { labels, annotations, spec } = templateOf(workload);
    const pods = podsOf(kind, workload);
    try {
      const template = podSpecOf(labels, annotations, spec, name);
      return { kind, uid, namespace: namespace ?? "default", name, pods, template };
    } catch (problem) {
      throw within(problem, "spec.template");
    }
  });
}

/** A Job runs `parallelism` pods at a time, but no more than it still has to complete. */
function podsOf(kind: Workload["kind"], workload: Document): number {
  const spec = fieldsOf(workload.spec, "spec");
  if (kind !== "Job") return numberOr(spec.replicas, 1, "spec.replicas");
  if (spec.suspend === true) return 0;
  const parallelism = numberOr(spec.parallelism, 1, "spec.parallelism");
  const completions = numberOr(spec.completions, parallelism, "spec.completions");
  const succeeded = numberOr(fieldsOf(workload.status, "status").succeeded, 0, "status.succeeded");
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}
