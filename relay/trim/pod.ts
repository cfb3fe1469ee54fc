import {
  choice,
  type Document,
  fieldsOf,
  isRecord,
  listOf,
  text,
  textMap,
  textOr,
  timeOr,
} from "../../shared/api/convert/fields.ts";
import { metadataOf } from "../../shared/api/convert/metadata.ts";
import { podRequests } from "../../shared/api/convert/requests.ts";
import { annotations, type PodPhase, type Resources } from "../../shared/core/model/index.ts";
import type { KeptPod, OwnerName, PodResources } from "../objects.ts";
import type { Pool } from "./intern.ts";

const phases = ["Pending", "Running", "Succeeded", "Failed", "Unknown"] as const;
/** The marker of a static pod that its kubelet mirrors. */
const mirrorAnnotation = "kubernetes.io/config.mirror";

/** Throws a FieldProblem. */
export function trimPod(document: Document, pool: Pool): KeptPod {
  const metadata = metadataOf(document);
  const spec = fieldsOf(document.spec, "spec");
  const status = fieldsOf(document.status, "status");
  const { owner } = metadata;
  const nodeName = textOr(spec.nodeName, "", "spec.nodeName");
  const conditions = listOf(status.conditions, "status.conditions");
  const ready = conditionOf(conditions, "Ready");
  const scheduled = conditionOf(conditions, "PodScheduled");
  return {
    uid: metadata.uid,
    namespace: pool.text(metadata.namespace ?? "default"),
    name: metadata.name,
    owner: owner === undefined ? undefined : ownerName(fieldsOf(document.metadata, "metadata").ownerReferences, pool),
    isDaemon: owner?.kind === "DaemonSet",
    isStatic: owner?.kind === "Node" || metadata.annotations[mirrorAnnotation] !== undefined,
    nodeName: nodeName === "" ? undefined : pool.text(nodeName),
    phase: choice<readonly PodPhase[]>(status.phase, phases, "status.phase", "Pending"),
    ready: ready?.status === "True",
    // The scheduler also says False while a gate holds the pod back; that is no question of nodes.
    unschedulable: scheduled?.status === "False" && scheduled.reason === "Unschedulable",
    gated: listOf(spec.schedulingGates, "spec.schedulingGates").length > 0,
    nominated: textOr(status.nominatedNodeName, "", "status.nominatedNodeName") !== "",
    doNotDisrupt: metadata.annotations[annotations.doNotDisrupt],
    createdAtMs: metadata.createdAtMs,
    scheduledAtMs: trueSince(scheduled),
    startedAtMs: timeOr(status.startTime, undefined, "status.startTime"),
    readyAtMs: trueSince(ready),
    deletionAtMs: metadata.deletionAtMs,
    resources: sharedResources(spec, pool),
  };
}

/** Of the owner reference with `controller: true`, which there is. */
function ownerName(references: unknown, pool: Pool): OwnerName {
  const controller = listOf(references, "metadata.ownerReferences").find(
    (one) => isRecord(one) && one.controller === true,
  );
  const { apiVersion, kind, name } = fieldsOf(controller, "metadata.ownerReferences");
  const owner = {
    apiVersion: textOr(apiVersion, "", "metadata.ownerReferences.apiVersion"),
    kind: text(kind, "metadata.ownerReferences.kind"),
    name: text(name, "metadata.ownerReferences.name"),
  };
  return pool.shared(`${owner.apiVersion}/${owner.kind}/${owner.name}`, () => owner);
}

function conditionOf(conditions: readonly unknown[], type: string): Document | undefined {
  return conditions.find((one): one is Document => isRecord(one) && one.type === type);
}

function trueSince(condition: Document | undefined): number | undefined {
  if (condition?.status !== "True") return undefined;
  return timeOr(condition.lastTransitionTime, undefined, "status.conditions.lastTransitionTime");
}

/** Pods of one template are written alike, so that what they are written as finds the sums made for the first of them. */
function sharedResources(spec: Document, pool: Pool): PodResources {
  const containers = listOf(spec.containers, "spec.containers");
  const initContainers = listOf(spec.initContainers, "spec.initContainers");
  const key = JSON.stringify([containers.map(asked), initContainers.map(asked), spec.resources, spec.overhead]);
  return pool.shared(key, () => ({
    requests: Object.freeze(podRequests(spec)),
    limits: Object.freeze(podLimits(spec, containers, initContainers)),
  }));
}

function asked(container: unknown): unknown {
  return isRecord(container) ? [container.resources, container.restartPolicy] : container;
}

/**
 * The same sums over limits, as Kubernetes' PodLimits: overhead counts only where there is a limit.
 * Source: k8s.io/component-helpers resource.PodLimits.
 */
function podLimits(spec: Document, containers: readonly unknown[], initContainers: readonly unknown[]): Resources {
  const { pods: _, ...limits } = podRequests({
    containers: containers.map(limitsAsRequests),
    initContainers: initContainers.map(limitsAsRequests),
    resources: { requests: fieldsOf(spec.resources, "spec.resources").limits },
  }) as Record<string, number>;
  if (spec.overhead === undefined) return limits;
  const { pods: _pods, ...overhead } = podRequests({ overhead: textMap(spec.overhead, "spec.overhead") });
  for (const resource in overhead) {
    if (limits[resource] !== undefined) limits[resource] += overhead[resource]!;
  }
  return limits;
}

function limitsAsRequests(container: unknown): unknown {
  if (!isRecord(container)) return container;
  const { limits } = fieldsOf(container.resources, "resources");
  return { restartPolicy: container.restartPolicy, resources: { requests: limits } };
}
