import { own, type Resources } from "../../core/model/index.ts";
import { amounts, type Document, each, fieldsOf, isRecord, listOf } from "./fields.ts";

/** Resources that a pod may ask for as a whole (Kubernetes: pod-level resources). */
function isPodLevel(resource: string): boolean {
  return resource === "cpu" || resource === "memory" || resource.startsWith("hugepages-");
}

/** A container's requests; where it has a limit and no request, the limit is the request, as the API server fills in. */
function containerRequests(container: Document): Record<string, number> {
  const resources = fieldsOf(container.resources, "resources");
  const requests = amounts(resources.requests, "up", "resources.requests");
  if (resources.limits === undefined) return requests;
  const limits = amounts(resources.limits, "up", "resources.limits");
  for (const resource in limits) if (!Object.hasOwn(requests, resource)) requests[resource] = limits[resource]!;
  return requests;
}

/** Container name → its status, where that tells amounts of its own: the pod is or was being resized. */
type Actual = ReadonlyMap<unknown, Document>;

const nothingActual: Actual = new Map();

function actualOf(status: Document): Actual {
  let actual: Map<unknown, Document> | undefined;
  for (const field of ["containerStatuses", "initContainerStatuses"]) {
    for (const one of listOf(status[field], `status.${field}`)) {
      if (!isRecord(one) || one.resources === undefined) continue;
      actual ??= new Map();
      actual.set(one.name, one);
    }
  }
  return actual ?? nothingActual;
}

/** The kubelet has said that the node can never hold what the pod was resized to: what it has counts, not what it asks for. */
function isResizeInfeasible({ conditions }: Document): boolean {
  const pending = listOf(conditions, "status.conditions").find(
    (one) => isRecord(one) && one.type === "PodResizePending",
  );
  return isRecord(pending) && pending.reason === "Infeasible";
}

/**
 * What a container counts for while it is resized in place: the most of what is asked for, what the kubelet has allotted
 * and what the container really has. Source: k8s.io/component-helpers resource.AggregateContainerRequests.
 */
function effectiveRequests(
  asked: Record<string, number>,
  actual: Document,
  infeasible: boolean,
): Record<string, number> {
  const most = infeasible ? {} : asked;
  const had = fieldsOf(actual.resources, "status.containerStatuses.resources");
  raise(most, amounts(had.requests, "up", "status.containerStatuses.resources.requests"));
  raise(most, amounts(actual.allocatedResources, "up", "status.containerStatuses.allocatedResources"));
  return most;
}

function add(sum: Record<string, number>, more: Resources): void {
  for (const resource in more) sum[resource] = (own(sum, resource) ?? 0) + more[resource]!;
}

function raise(floor: Record<string, number>, other: Resources): void {
  for (const resource in other) floor[resource] = Math.max(own(floor, resource) ?? 0, other[resource]!);
}

/**
 * What a pod asks of its node, `pods: 1` included. Init containers run one after the other, each beside the sidecars
 * (restartPolicy Always) started before it; sidecars go on beside the containers. What is asked for the pod as a whole
 * replaces the sum; a pod-level limit does so only where no container asks. Overhead comes on top. With the pod's status,
 * what its containers really have counts too, which is not what they ask for while they are resized in place.
 * Source: k8s.io/component-helpers resource.PodRequests and the core/v1 defaults for pod-level requests.
 */
export function podRequests(spec: Document, status: Document = {}): Resources {
  const total: Record<string, number> = {};
  const actual = actualOf(status);
  const infeasible = actual.size > 0 && isResizeInfeasible(status);
  const requestsOf = (container: Document): Record<string, number> => {
    const requests = containerRequests(container);
    const its = actual.size === 0 ? undefined : actual.get(container.name);
    return its === undefined ? requests : effectiveRequests(requests, its, infeasible);
  };
  each(spec.containers, "spec.containers", (container) => add(total, requestsOf(container)));
  if (spec.initContainers !== undefined) addInitContainers(total, spec.initContainers, requestsOf);
  if (spec.resources !== undefined) applyPodLevel(total, fieldsOf(spec.resources, "spec.resources"), status);
  if (spec.overhead !== undefined) add(total, amounts(spec.overhead, "up", "spec.overhead"));
  total.pods = 1;
  return total;
}

function addInitContainers(
  total: Record<string, number>,
  initContainers: unknown,
  requestsOf: (container: Document) => Record<string, number>,
): void {
  const sidecars: Record<string, number> = {};
  const highest: Record<string, number> = {};
  each(initContainers, "spec.initContainers", (container) => {
    const isSidecar = container.restartPolicy === "Always";
    const requests = isSidecar ? requestsOf(container) : containerRequests(container);
    if (isSidecar) {
      add(total, requests);
      add(sidecars, requests);
      raise(highest, sidecars);
    } else {
      add(requests, sidecars);
      raise(highest, requests);
    }
  });
  raise(total, highest);
}

function applyPodLevel(total: Record<string, number>, resources: Document, status: Document): void {
  const limits = amounts(resources.limits, "up", "spec.resources.limits");
  for (const resource in limits) {
    // Huge pages cannot be overcommitted: their limit is their request, whatever the containers ask for.
    if (resource.startsWith("hugepages-")) total[resource] = limits[resource]!;
    else if (isPodLevel(resource)) total[resource] ??= limits[resource]!;
  }
  const asked = amounts(resources.requests, "up", "spec.resources.requests");
  const requests = status.resources === undefined ? asked : podLevelRequests(asked, status);
  for (const resource in requests) if (isPodLevel(resource)) total[resource] = requests[resource]!;
}

/** While a pod as a whole is resized in place, as for its containers; only what is asked for at pod level is meant. */
function podLevelRequests(asked: Record<string, number>, status: Document): Record<string, number> {
  const most = effectiveRequests({ ...asked }, status, isResizeInfeasible(status));
  return Object.fromEntries(Object.keys(asked).map((name) => [name, own(most, name) ?? 0]));
}
