import { activeCapacity, type CapacityBuffer, type PodSpec, type Resources } from "../../core/model/index.ts";
import { type CapacityBufferSpec, capacityBufferKind } from "../kinds/capacity-buffer.ts";
import { amounts, converting, type Document, fieldsOf, numberOr, textMap } from "./fields.ts";
import { metadataOf } from "./metadata.ts";
import { accepted } from "./node-pool.ts";
import { podSpecOf } from "./pod.ts";

/** What has pods and a number of them, in the API group `apps`. */
const scalable: ReadonlySet<string> = new Set(["Deployment", "ReplicaSet", "StatefulSet"]);

/** What a buffer may refer to, in its namespace: a PodTemplate, or something with pods and a number of them. */
export type FindReferred = (kind: string, namespace: string, name: string) => unknown;

/**
 * A CapacityBuffer with what it refers to looked up by `find`, which answers undefined for what is not there.
 * @throws UnreadableObjectError naming buffer, field and what is wrong
 */
export function toCapacityBuffer(document: unknown, find: FindReferred): CapacityBuffer {
  return converting("CapacityBuffer", document, (written) => {
    const { uid, name, namespace = "default", resourceVersion, generation } = metadataOf(written);
    const { spec } = accepted(capacityBufferKind, written);
    const own = { uid, namespace, name, resourceVersion, generation, strategy: spec.provisioningStrategy };
    const no = (reason: string, message: string): CapacityBuffer => ({
      ...own,
      replicas: 0,
      fault: { reason, message },
    });
    if (spec.provisioningStrategy !== activeCapacity) {
      return no("ResolutionFailed", `strategy ${spec.provisioningStrategy} is not known; only ${activeCapacity} is`);
    }
    const { podTemplateRef, scalableRef } = spec;
    const [kind, referred] = podTemplateRef
      ? ["PodTemplate", podTemplateRef.name]
      : [scalableRef?.kind, scalableRef?.name];
    if (kind === undefined || referred === undefined) {
      return no("ResolutionFailed", "neither spec.podTemplateRef nor spec.scalableRef is set");
    }
    if (podTemplateRef === undefined && !isScalable(scalableRef)) {
      const what = `${kind}${scalableRef?.apiGroup ? ` of ${scalableRef.apiGroup}` : ""}`;
      return no(
        "ResolutionFailed",
        `spec.scalableRef: no room can be counted in a ${what}; name a ${[...scalable].join(", ")}`,
      );
    }
    const found = find(kind, namespace, referred);
    if (found === undefined) {
      return no(
        podTemplateRef ? "PodTemplateNotFound" : "ScalableRefNotFound",
        `there is no ${kind} ${namespace}/${referred}`,
      );
    }
    const target = fieldsOf(found, kind);
    const template = templateOf(kind, target, name);
    const scale = podTemplateRef ? 0 : (fieldsOf(target.spec, "spec").replicas ?? 1);
    const counted = podTemplateRef
      ? { ...own, podTemplate: { name: referred, generation: generationOf(target) } }
      : own;
    return {
      ...counted,
      template,
      replicas: replicasOf(spec, template.requests, typeof scale === "number" ? scale : 0),
    };
  });
}

function generationOf(target: Document): number {
  return numberOr(fieldsOf(target.metadata, "metadata").generation, 1, "metadata.generation");
}

function isScalable(reference: CapacityBufferSpec["scalableRef"]): boolean {
  return reference !== undefined && scalable.has(reference.kind) && ["", "apps"].includes(reference.apiGroup ?? "");
}

function templateOf(kind: string, target: Document, name: string): PodSpec {
  const holder = kind === "PodTemplate" ? target : fieldsOf(target.spec, "spec");
  const { metadata, spec } = fieldsOf(holder.template, "template");
  const { labels, annotations } = fieldsOf(metadata, "template.metadata");
  return podSpecOf(
    textMap(labels, "template.metadata.labels"),
    textMap(annotations, "template.metadata.annotations"),
    fieldsOf(spec, "template.spec"),
    name,
  );
}

/** The larger of a count and a share (rounded up, one at least), and no more than the limits hold (Cluster Autoscaler's rules). */
function replicasOf(spec: CapacityBufferSpec, requests: Resources, scale: number): number {
  const wished: number[] = [];
  if (spec.replicas !== undefined) wished.push(spec.replicas);
  if (spec.percentage !== undefined && scale > 0) wished.push(Math.ceil((scale * spec.percentage) / 100));
  const limits = amounts(spec.limits, "down", "spec.limits");
  const within = Object.entries(limits).flatMap(([name, limit]) => {
    const request = requests[name] ?? 0;
    return request > 0 ? [Math.floor(limit / request)] : [];
  });
  const most = within.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...within);
  if (wished.length === 0) return most === Number.POSITIVE_INFINITY ? 0 : most;
  return Math.min(Math.max(...wished), most);
}
