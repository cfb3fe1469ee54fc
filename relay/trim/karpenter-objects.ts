import { durationMs, durationOrNeverMs } from "../../shared/api/convert/durations.ts";
import {
  amounts,
  type Document,
  each,
  fieldsOf,
  given,
  numberOr,
  textOr,
  texts,
  timeOr,
} from "../../shared/api/convert/fields.ts";
import { metadataOf } from "../../shared/api/convert/metadata.ts";
import { type Budget, type ConsolidationPolicy, type DisruptionReason, labels } from "../../shared/core/model/index.ts";
import type { KeptBuffer, KeptNodeClaim, KeptNodeClass, KeptNodePool, KeptOverlay } from "../objects.ts";
import type { Pool } from "./intern.ts";
import { conditionsOf, ourAnnotations, sharedTexts } from "./kubernetes-objects.ts";

/** What every custom resource of ours shows. */
function resourceOf(document: Document, status: Document, pool: Pool) {
  const metadata = metadataOf(document);
  return {
    uid: metadata.uid,
    name: pool.text(metadata.name),
    generation: metadata.generation,
    labels: sharedTexts(metadata.labels, pool),
    conditions: conditionsOf(status, pool),
    createdAtMs: metadata.createdAtMs,
    deletionAtMs: metadata.deletionAtMs,
  };
}

/** Throws a FieldProblem, as all of these. The specification is not judged: the functions and the API server do that. */
export function trimNodePool(document: Document, pool: Pool): KeptNodePool {
  const spec = fieldsOf(document.spec, "spec");
  const status = fieldsOf(document.status, "status");
  const template = fieldsOf(fieldsOf(spec.template, "spec.template").spec, "spec.template.spec");
  const reference = fieldsOf(template.nodeClassRef, "spec.template.spec.nodeClassRef");
  return {
    ...resourceOf(document, status, pool),
    weight: numberOr(spec.weight, 0, "spec.weight"),
    limits: amounts(spec.limits, "down", "spec.limits"),
    usage: amounts(status.resources, "down", "status.resources"),
    nodeClassName: textOr(reference.name, "", "spec.template.spec.nodeClassRef.name"),
    replicas: numberOr(spec.replicas, undefined, "spec.replicas"),
    ...disruptionOf(spec.disruption),
  };
}

/** What is left out is what the CRD's defaults say, which an API server has filled in. */
function disruptionOf(written: unknown) {
  const disruption = fieldsOf(written, "spec.disruption");
  const policy = textOr(
    disruption.consolidationPolicy,
    "WhenEmptyOrUnderutilized",
    "spec.disruption.consolidationPolicy",
  );
  return {
    consolidationPolicy: policy as ConsolidationPolicy,
    consolidateAfterMs: durationOrNeverMs(
      textOr(disruption.consolidateAfter, "0s", "spec.disruption.consolidateAfter"),
    ),
    budgets: each(disruption.budgets, "spec.disruption.budgets", budgetOf),
  };
}

function budgetOf(budget: Document): Budget {
  const duration = textOr(budget.duration, undefined, "duration");
  const schedule = textOr(budget.schedule, undefined, "schedule");
  return {
    nodes: textOr(budget.nodes, "10%", "nodes"),
    ...(budget.reasons === undefined ? {} : { reasons: texts(budget.reasons, "reasons") as DisruptionReason[] }),
    ...given("schedule", schedule),
    ...given("durationMs", duration === undefined ? undefined : durationMs(duration)),
  };
}

/** The lists of what the selectors found, each with ids. */
const resolvedLists = ["amis", "subnets", "securityGroups", "capacityReservations"];

export function trimNodeClass(document: Document, pool: Pool): KeptNodeClass {
  const status = fieldsOf(document.status, "status");
  const ids = resolvedLists.flatMap((list) =>
    each(status[list], `status.${list}`, (found) => textOr(found.id, "", "id")),
  );
  const reservations = each(status.capacityReservations, "status.capacityReservations", ({ id, state, endTime }) =>
    [textOr(id, "", "id"), textOr(state, "", "state"), textOr(endTime, "", "endTime")].join("/"),
  );
  return {
    ...resourceOf(document, status, pool),
    resolvedIds: ids.sort().join(" "),
    reservations: [...reservations].sort().join(" "),
  };
}

export function trimNodeClaim(document: Document, pool: Pool): KeptNodeClaim {
  const status = fieldsOf(document.status, "status");
  const resource = resourceOf(document, status, pool);
  const nodeName = textOr(status.nodeName, "", "status.nodeName");
  return {
    ...resource,
    annotations: ourAnnotations(metadataOf(document).annotations),
    nodePool: resource.labels[labels.nodePool],
    nodeName: nodeName === "" ? undefined : pool.text(nodeName),
    providerId: textOr(status.providerID, undefined, "status.providerID") || undefined,
    lastPodEventAtMs: timeOr(status.lastPodEventTime, undefined, "status.lastPodEventTime"),
  };
}

export function trimOverlay(document: Document, pool: Pool): KeptOverlay {
  const { uid, name, generation } = metadataOf(document);
  return { uid, name: pool.text(name), generation };
}

export function trimBuffer(document: Document, pool: Pool): KeptBuffer {
  const { uid, namespace, name, generation } = metadataOf(document);
  const reference = fieldsOf(fieldsOf(document.spec, "spec").podTemplateRef, "spec.podTemplateRef");
  const podTemplate = textOr(reference.name, undefined, "spec.podTemplateRef.name");
  return { uid, namespace: pool.text(namespace ?? "default"), name, generation, podTemplate };
}
