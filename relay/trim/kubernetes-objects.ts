import {
  amounts,
  choice,
  type Document,
  each,
  fieldsOf,
  numberOr,
  text,
  textOr,
  timeOr,
} from "../../shared/api/convert/fields.ts";
import { metadataOf, taintsOf } from "../../shared/api/convert/metadata.ts";
import type { Condition, KeptBudget, KeptDaemonSet, KeptNode, KeptPodTemplate, KeptVolumeClaim } from "../objects.ts";
import type { Pool } from "./intern.ts";

const conditionStatuses = ["True", "False", "Unknown"] as const;

/** Nodes carry some forty labels, the same ones on each: keys and values are shared. */
export function sharedTexts(map: Readonly<Record<string, string>>, pool: Pool): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const key in map) result[key] = pool.text(map[key]!);
  return result;
}

/** Annotations by which people and we talk about an object; the many others change for reasons that are none of ours. */
export function ourAnnotations(annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => /^(karpenter\.|timmerman\/)/.test(key)));
}

/** The conditions of a status, without the times of heartbeats and the messages. */
export function conditionsOf(status: Document, pool: Pool): readonly Condition[] {
  return each(status.conditions, "status.conditions", (condition) => ({
    type: pool.text(text(condition.type, "type")),
    status: choice(condition.status, conditionStatuses, "status"),
    reason: pool.text(textOr(condition.reason, "", "reason")),
    changedAtMs: timeOr(condition.lastTransitionTime, 0, "lastTransitionTime"),
  }));
}

/** Throws a FieldProblem, as all of these. */
export function trimNode(document: Document, pool: Pool): KeptNode {
  const metadata = metadataOf(document);
  const spec = fieldsOf(document.spec, "spec");
  const status = fieldsOf(document.status, "status");
  const capacity = amounts(status.capacity, "down", "status.capacity");
  return {
    uid: metadata.uid,
    name: pool.text(metadata.name),
    providerId: textOr(spec.providerID, undefined, "spec.providerID") || undefined,
    labels: sharedTexts(metadata.labels, pool),
    annotations: ourAnnotations(metadata.annotations),
    taints: taintsOf(spec.taints, "spec.taints"),
    capacity,
    allocatable:
      status.allocatable === undefined ? capacity : amounts(status.allocatable, "down", "status.allocatable"),
    conditions: conditionsOf(status, pool),
    cordoned: spec.unschedulable === true,
    createdAtMs: metadata.createdAtMs,
    deletionAtMs: metadata.deletionAtMs,
  };
}

export function trimBudget(document: Document, pool: Pool): KeptBudget {
  const { uid, namespace, name, generation } = metadataOf(document);
  const status = fieldsOf(document.status, "status");
  const disruptionsAllowed = numberOr(status.disruptionsAllowed, 0, "status.disruptionsAllowed");
  return { uid, namespace: pool.text(namespace ?? "default"), name, generation, disruptionsAllowed };
}

/** Of a kind of which only that its specification changed means something. */
export function trimGenerational(document: Document, pool: Pool): KeptDaemonSet & KeptPodTemplate {
  const { uid, namespace, name, generation } = metadataOf(document);
  return { uid, namespace: pool.text(namespace ?? "default"), name, generation };
}

export function trimVolumeClaim(document: Document, pool: Pool): KeptVolumeClaim {
  const { uid, namespace, name } = metadataOf(document);
  const phase = textOr(fieldsOf(document.status, "status").phase, "Pending", "status.phase");
  return { uid, namespace: pool.text(namespace ?? "default"), name, phase: pool.text(phase) };
}
