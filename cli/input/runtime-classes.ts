// What the RuntimeClass admission plugin does to pods: overhead, node selector and tolerations come from the class.
// Source: Kubernetes' plugin/pkg/admission/runtimeclass. A class that is not in the input changes nothing.
import { InputError } from "../input-error.ts";
import { fieldsOf, type Json, objectsOf, type SourceDocument } from "./documents.ts";
import type { Objects } from "./objects.ts";

interface RuntimeClass {
  readonly name: string;
  readonly overhead: Json | undefined;
  readonly nodeSelector: Json;
  readonly tolerations: readonly Json[];
}

export type RuntimeClasses = ReadonlyMap<string, RuntimeClass>;

export function runtimeClassesOf(objects: Objects): RuntimeClasses {
  const classes = objects.of("node.k8s.io/RuntimeClass").map(({ document }): RuntimeClass => {
    const { name } = fieldsOf(document.metadata) as { name: string };
    const { podFixed } = fieldsOf(document.overhead);
    const { nodeSelector, tolerations } = fieldsOf(document.scheduling);
    return {
      name,
      overhead: podFixed === undefined ? undefined : fieldsOf(podFixed),
      nodeSelector: fieldsOf(nodeSelector),
      tolerations: objectsOf(tolerations),
    };
  });
  return new Map(classes.map((one) => [one.name, one]));
}

/**
 * Fills in, in place, what a pod gets from its class; once is as good as twice. Throws InputError where the two select
 * nodes that exclude each other: an API server would refuse that pod.
 */
export function applyRuntimeClass(source: SourceDocument, spec: Json, classes: RuntimeClasses): void {
  const { runtimeClassName } = spec;
  const its = typeof runtimeClassName === "string" ? classes.get(runtimeClassName) : undefined;
  if (its === undefined) return;
  if (spec.overhead === undefined && its.overhead !== undefined) spec.overhead = its.overhead;
  const selector = { ...fieldsOf(spec.nodeSelector) };
  for (const [key, value] of Object.entries(its.nodeSelector)) {
    if (Object.hasOwn(selector, key) && selector[key] !== value) {
      const { name } = fieldsOf(source.document.metadata) as { name: string };
      throw new InputError(
        `${source.where}: ${source.kind} ${name}: nodeSelector: "${key}" is "${String(selector[key])}" here and "${String(value)}" in RuntimeClass ${its.name}`,
      );
    }
    selector[key] = value;
  }
  if (Object.keys(its.nodeSelector).length > 0) spec.nodeSelector = selector;
  const tolerations = objectsOf(spec.tolerations);
  const known = new Set(tolerations.map((one) => JSON.stringify(one)));
  const more = its.tolerations.filter((one) => !known.has(JSON.stringify(one)));
  if (more.length > 0) spec.tolerations = [...tolerations, ...more];
}
