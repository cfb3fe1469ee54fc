// Nodes, DaemonSets, budgets and namespaces as the core sees them.
import type { DaemonSet, Node, PodDisruptionBudget } from "../../core/model/index.ts";
import { labelSelectorOf } from "./affinity.ts";
import {
  amounts,
  choice,
  converting,
  type Document,
  each,
  FieldProblem,
  fieldsOf,
  given,
  numberOr,
  text,
  textMap,
  textOr,
  timeOr,
  within,
} from "./fields.ts";
import { metadataOf, taintsOf } from "./metadata.ts";
import { podSpecOf } from "./pod.ts";

const statuses = ["True", "False", "Unknown"] as const;

/** @throws UnreadableObjectError */
export function toNode(document: unknown): Node {
  return converting("Node", document, (node) => {
    const metadata = metadataOf(node);
    const spec = fieldsOf(node.spec, "spec");
    const status = fieldsOf(node.status, "status");
    const capacity = amounts(status.capacity, "down", "status.capacity");
    return {
      uid: metadata.uid,
      name: metadata.name,
      resourceVersion: metadata.resourceVersion,
      ...given("providerId", textOr(spec.providerID, undefined, "spec.providerID") || undefined),
      labels: metadata.labels,
      annotations: metadata.annotations,
      taints: taintsOf(spec.taints, "spec.taints"),
      capacity,
      allocatable:
        status.allocatable === undefined ? capacity : amounts(status.allocatable, "down", "status.allocatable"),
      conditions: each(status.conditions, "status.conditions", (condition) => ({
        type: text(condition.type, "type"),
        status: choice(condition.status, statuses, "status"),
        changedAtMs: timeOr(condition.lastTransitionTime, 0, "lastTransitionTime"),
      })),
      cordoned: spec.unschedulable === true,
      createdAtMs: metadata.createdAtMs,
      ...given("deletionAtMs", metadata.deletionAtMs),
      finalizers: metadata.finalizers,
    };
  });
}

/** The pod template of a workload: its labels, annotations and spec. */
function templateOf(workload: Document): {
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
  spec: Document;
} {
  const template = fieldsOf(fieldsOf(workload.spec, "spec").template, "spec.template");
  const metadata = fieldsOf(template.metadata, "spec.template.metadata");
  return {
    labels: textMap(metadata.labels, "spec.template.metadata.labels"),
    annotations: textMap(metadata.annotations, "spec.template.metadata.annotations"),
    spec: fieldsOf(template.spec, "spec.template.spec"),
  };
}

/** @throws UnreadableObjectError */
export function toDaemonSet(document: unknown): DaemonSet {
  return converting("DaemonSet", document, (daemonSet) => {
    const { uid, namespace, name } = metadataOf(daemonSet);
    const { labels, annotations, spec } = templateOf(daemonSet);
    try {
      return { uid, namespace: namespace ?? "default", name, template: podSpecOf(labels, annotations, spec, name) };
    } catch (problem) {
      throw within(problem, "spec.template");
    }
  });
}

/** A count or a percentage, as text. */
function countOr(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  const written = String(value);
  if (!/^[0-9]+%?$/.test(written)) throw new FieldProblem(field, `expected a count or a percentage, got "${written}"`);
  return written;
}

/** @throws UnreadableObjectError */
export function toPodDisruptionBudget(document: unknown): PodDisruptionBudget {
  return converting("PodDisruptionBudget", document, (budget) => {
    const { namespace, name } = metadataOf(budget);
    const spec = fieldsOf(budget.spec, "spec");
    const status = fieldsOf(budget.status, "status");
    return {
      namespace: namespace ?? "default",
      name,
      ...given("selector", labelSelectorOf(spec.selector, "spec.selector")),
      disruptionsAllowed: numberOr(status.disruptionsAllowed, 0, "status.disruptionsAllowed"),
      ...given("minAvailable", countOr(spec.minAvailable, "spec.minAvailable")),
      ...given("maxUnavailable", countOr(spec.maxUnavailable, "spec.maxUnavailable")),
      unhealthyPodEvictionPolicy: choice(
        spec.unhealthyPodEvictionPolicy,
        ["IfHealthyBudget", "AlwaysAllow"],
        "spec.unhealthyPodEvictionPolicy",
        "IfHealthyBudget",
      ),
    };
  });
}

/** @throws UnreadableObjectError */
export function toNamespace(document: unknown): { name: string; labels: Readonly<Record<string, string>> } {
  return converting("Namespace", document, (namespace) => {
    const { name, labels } = metadataOf(namespace);
    return { name, labels };
  });
}
