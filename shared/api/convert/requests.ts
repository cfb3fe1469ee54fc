import { own, type Resources } from "../../core/model/index.ts";
import { amounts, type Document, each, fieldsOf } from "./fields.ts";

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

function add(sum: Record<string, number>, more: Resources): void {
  for (const resource in more) sum[resource] = (own(sum, resource) ?? 0) + more[resource]!;
}

function raise(floor: Record<string, number>, other: Resources): void {
  for (const resource in other) floor[resource] = Math.max(own(floor, resource) ?? 0, other[resource]!);
}

/**
 * What a pod asks of its node, `pods: 1` included. Init containers run one after the other, each beside the sidecars
 * (restartPolicy Always) started before it; sidecars go on beside the containers. What is asked for the pod as a whole
 * replaces the sum; a pod-level limit does so only where no container asks. Overhead comes on top.
 * Source: k8s.io/component-helpers resource.PodRequests and the core/v1 defaults for pod-level requests.
 */
export function podRequests(spec: Document): Resources {
  const total: Record<string, number> = {};
  each(spec.containers, "spec.containers", (container) => add(total, containerRequests(container)));
  if (spec.initContainers !== undefined) addInitContainers(total, spec.initContainers);
  if (spec.resources !== undefined) applyPodLevel(total, fieldsOf(spec.resources, "spec.resources"));
  if (spec.overhead !== undefined) add(total, amounts(spec.overhead, "up", "spec.overhead"));
  total.pods = 1;
  return total;
}

function addInitContainers(total: Record<string, number>, initContainers: unknown): void {
  const sidecars: Record<string, number> = {};
  const highest: Record<string, number> = {};
  each(initContainers, "spec.initContainers", (container) => {
    const requests = containerRequests(container);
    if (container.restartPolicy === "Always") {
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

function applyPodLevel(total: Record<string, number>, resources: Document): void {
  const limits = amounts(resources.limits, "up", "spec.resources.limits");
  for (const resource in limits) {
    // Huge pages cannot be overcommitted: their limit is their request, whatever the containers ask for.
    if (resource.startsWith("hugepages-")) total[resource] = limits[resource]!;
    else if (isPodLevel(resource)) total[resource] ??= limits[resource]!;
  }
  const requests = amounts(resources.requests, "up", "spec.resources.requests");
  for (const resource in requests) if (isPodLevel(resource)) total[resource] = requests[resource]!;
}
