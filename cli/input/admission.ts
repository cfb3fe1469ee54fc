// What the API server's admission would have done to pods that come straight from a manifest: priorities from
// PriorityClasses, requests and limits from LimitRanges.
import type { Json, SourceDocument } from "./documents.ts";
import type { Objects } from "./objects.ts";

const asObject = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
const asList = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

interface ContainerDefaults {
  readonly requests: Json;
  readonly limits: Json;
}

/** Fills in, in place, what pods (and templates of DaemonSets) leave to their namespace and cluster. */
export function admit(pods: readonly SourceDocument[], daemonSets: readonly SourceDocument[], objects: Objects): void {
  const priorities = new Map<string, unknown>();
  let globalDefault: unknown;
  for (const { document } of objects.of("scheduling.k8s.io/PriorityClass")) {
    priorities.set(asObject(document.metadata).name as string, document.value);
    if (document.globalDefault === true) globalDefault = document.value;
  }
  const defaults = containerDefaults(objects.of("/LimitRange"));
  if (priorities.size === 0 && defaults.size === 0) return;
  const fill = (document: Json, spec: Json): void => {
    const { namespace } = asObject(document.metadata) as { namespace: string };
    const { priorityClassName } = spec;
    const priority = typeof priorityClassName === "string" ? priorities.get(priorityClassName) : globalDefault;
    if (spec.priority === undefined && priority !== undefined) spec.priority = priority;
    const own = defaults.get(namespace);
    if (own === undefined) return;
    for (const container of [...asList(spec.containers), ...asList(spec.initContainers)]) fillContainer(container, own);
  };
  for (const { document } of pods) fill(document, asObject(document.spec));
  for (const { document } of daemonSets) fill(document, asObject(asObject(asObject(document.spec).template).spec));
}

/** The defaults of `type: Container` limits, by namespace; of several ranges the first that names a resource counts. */
function containerDefaults(limitRanges: readonly SourceDocument[]): Map<string, ContainerDefaults> {
  const defaults = new Map<string, ContainerDefaults>();
  for (const { document } of limitRanges) {
    const { namespace } = asObject(document.metadata) as { namespace: string };
    for (const limit of asList(asObject(document.spec).limits)) {
      if (limit.type !== "Container") continue;
      const limits = asObject(limit.default);
      const requests = { ...limits, ...asObject(limit.defaultRequest) };
      const known = defaults.get(namespace);
      defaults.set(namespace, {
        requests: { ...requests, ...known?.requests },
        limits: { ...limits, ...known?.limits },
      });
    }
  }
  return defaults;
}

/** A container that limits a resource without requesting it requests its limit; only then do the defaults count. */
function fillContainer(container: Json, defaults: ContainerDefaults): void {
  const resources = asObject(container.resources);
  const limits = asObject(resources.limits);
  container.resources = {
    ...resources,
    requests: { ...defaults.requests, ...limits, ...asObject(resources.requests) },
    limits: { ...defaults.limits, ...limits },
  };
}
