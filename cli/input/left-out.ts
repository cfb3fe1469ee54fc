// What manifests leave out and a cluster would say, filled in as it would most likely be.
import { buildInstanceTypes } from "../../shared/core/catalog/index.ts";
import { protectedUntil } from "../../shared/core/lifecycle/index.ts";
import {
  annotations,
  type Catalog,
  labels,
  type Node,
  type NodeClass,
  type Settings,
} from "../../shared/core/model/index.ts";

/** A node manifest may leave its amounts to its instance type. */
export function withAmounts(node: Node, nodeClasses: readonly NodeClass[], catalog: Catalog, settings: Settings): Node {
  if (Object.keys(node.allocatable).length > 0) return node;
  const nodeClass = nodeClasses.find(({ name }) => name === node.labels[labels.nodeClass]) ?? nodeClasses[0];
  if (nodeClass === undefined) return node;
  const name = node.labels[labels.instanceType];
  const type = buildInstanceTypes(catalog, nodeClass, settings).find((one) => one.name === name);
  return type === undefined ? node : { ...node, capacity: type.capacity, allocatable: type.allocatable };
}

/** A node that says nothing of its readiness is ready, as a pod without a status is one that waits for a place. */
export function withReadiness(node: Node): Node {
  if (node.conditions.some(({ type }) => type === "Ready")) return node;
  return {
    ...node,
    conditions: [...node.conditions, { type: "Ready", status: "True", changedAtMs: node.createdAtMs }],
  };
}

/**
 * A `karpenter.sh/do-not-disrupt` for some time counts from the creation. Where nobody says when that was, it still holds:
 * nothing is disrupted by a made-up age.
 */
export function guarded<
  T extends { readonly annotations: Readonly<Record<string, string>>; readonly createdAtMs: number },
>(object: T): T {
  const untilMs = object.createdAtMs === 0 ? protectedUntil(object) : 0;
  if (untilMs === 0 || untilMs === Number.POSITIVE_INFINITY) return object;
  return { ...object, annotations: { ...object.annotations, [annotations.doNotDisrupt]: "true" } };
}
