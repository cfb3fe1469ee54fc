// What the API server's admission would have done to pods that come straight from a manifest: priorities from
// PriorityClasses, requests and limits from LimitRanges, overhead and nodes from RuntimeClasses.
import { parseQuantity, QuantityError } from "../../shared/core/resources/index.ts";
import { InputError } from "../input-error.ts";
import { fieldsOf, isObject, type Json, objectsOf, type SourceDocument } from "./documents.ts";
import type { Objects } from "./objects.ts";
import { applyRuntimeClass, runtimeClassesOf } from "./runtime-classes.ts";

interface ContainerDefaults {
  readonly requests: Json;
  readonly limits: Json;
}

/** Fills in, in place, what pods (and templates of DaemonSets) leave to their namespace and cluster. */
export function admit(pods: readonly SourceDocument[], daemonSets: readonly SourceDocument[], objects: Objects): void {
  const priorities = new Map<string, unknown>();
  let globalDefault: unknown;
  for (const { document, where } of objects.of("scheduling.k8s.io/PriorityClass")) {
    const { name } = fieldsOf(document.metadata) as { name: string };
    if (!Number.isInteger(document.value)) {
      throw new InputError(`${where}: PriorityClass ${name}: value: expected a whole number`);
    }
    priorities.set(name, document.value);
    if (document.globalDefault === true) globalDefault = document.value;
  }
  const defaults = containerDefaults(objects.of("/LimitRange"));
  const classes = runtimeClassesOf(objects);
  if (priorities.size === 0 && defaults.size === 0 && classes.size === 0) return;
  const fill = (source: SourceDocument, spec: Json): void => {
    applyRuntimeClass(source, spec, classes);
    const { document } = source;
    const { namespace } = fieldsOf(document.metadata) as { namespace: string };
    const { priorityClassName } = spec;
    const priority = typeof priorityClassName === "string" ? priorities.get(priorityClassName) : globalDefault;
    if (spec.priority === undefined && priority !== undefined) spec.priority = priority;
    const own = defaults.get(namespace);
    if (own === undefined) return;
    for (const container of [...objectsOf(spec.containers), ...objectsOf(spec.initContainers)])
      fillContainer(container, own);
  };
  for (const pod of pods) fill(pod, fieldsOf(pod.document.spec));
  for (const set of daemonSets) fill(set, fieldsOf(fieldsOf(fieldsOf(set.document.spec).template).spec));
}

/** The defaults of `type: Container` limits, by namespace; of several ranges the first that names a resource counts. */
function containerDefaults(limitRanges: readonly SourceDocument[]): Map<string, ContainerDefaults> {
  const defaults = new Map<string, ContainerDefaults>();
  for (const source of limitRanges) {
    const { namespace } = fieldsOf(source.document.metadata) as { namespace: string };
    for (const [index, limit] of limitsOf(source).entries()) {
      if (limit.type !== "Container") continue;
      const limits = amountsOf(source, limit.default, `spec.limits[${index}].default`);
      const requests = {
        ...limits,
        ...amountsOf(source, limit.defaultRequest, `spec.limits[${index}].defaultRequest`),
      };
      const known = defaults.get(namespace);
      defaults.set(namespace, {
        requests: { ...requests, ...known?.requests },
        limits: { ...limits, ...known?.limits },
      });
    }
  }
  return defaults;
}

function limitsOf(source: SourceDocument): Json[] {
  const { limits } = fieldsOf(source.document.spec);
  if (limits === undefined || limits === null) return [];
  if (!Array.isArray(limits) || !limits.every(isObject))
    throw refused(source, "spec.limits", "expected a list of objects");
  return limits;
}

/** Amounts as they are written, once it is sure that they can be read. */
function amountsOf(source: SourceDocument, value: unknown, field: string): Json {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw refused(source, field, "expected an object");
  for (const [resource, amount] of Object.entries(value)) {
    if (typeof amount !== "string" && typeof amount !== "number") {
      throw refused(source, `${field}.${resource}`, 'expected a quantity such as "1500m" or "2Gi"');
    }
    try {
      parseQuantity(amount, resource, "up");
    } catch (cause) {
      if (!(cause instanceof QuantityError)) throw cause;
      throw refused(source, `${field}.${resource}`, cause.message);
    }
  }
  return value;
}

function refused({ where, document }: SourceDocument, field: string, problem: string): InputError {
  const { namespace, name } = fieldsOf(document.metadata) as { namespace: string; name: string };
  return new InputError(`${where}: LimitRange ${namespace}/${name}: ${field}: ${problem}`);
}

/** A container that limits a resource without requesting it requests its limit; only then do the defaults count. */
function fillContainer(container: Json, defaults: ContainerDefaults): void {
  const resources = fieldsOf(container.resources);
  const limits = fieldsOf(resources.limits);
  container.resources = {
    ...resources,
    requests: { ...defaults.requests, ...limits, ...fieldsOf(resources.requests) },
    limits: { ...defaults.limits, ...limits },
  };
}
