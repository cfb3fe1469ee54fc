import type { CapacityType, ClaimInstance, DisruptedBy, NodeClaim } from "../../core/model/index.ts";
import { annotations, claimNotes, deletionReasons, labels, snakeCaseReason } from "../../core/model/index.ts";
import { type NodeClaimResource, type NodeClaimStatus, nodeClaimKind } from "../kinds/node-claim.ts";
import { durationMs, durationOrNeverMs } from "./durations.ts";
import { amounts, converting, given, timeOr } from "./fields.ts";
import { type Metadata, metadataOf } from "./metadata.ts";
import { accepted, requirementsOf, taintsOf } from "./node-pool.ts";

/** When a condition became true; undefined if it is not. */
function trueSinceMs(status: NodeClaimStatus, type: string): number | undefined {
  const condition = status.conditions?.find((one) => one.type === type);
  return condition?.status === "True" ? Date.parse(condition.lastTransitionTime) : undefined;
}

/** The instance by its provider id: `aws:///zone/i-…`, or of any other form, which says no zone. */
function instanceOf(metadata: Metadata, status: NodeClaimStatus): ClaimInstance | undefined {
  const providerId = status.providerID ?? "";
  if (providerId === "") return undefined;
  const [, zone, id] = /^aws:\/\/\/([^/]+)\/(i-[0-9a-z]+)$/.exec(providerId) ?? [];
  return {
    id: id ?? providerId.slice(providerId.lastIndexOf("/") + 1),
    providerId,
    instanceType: metadata.labels[labels.instanceType] ?? "",
    zone: metadata.labels[labels.zone] ?? zone ?? "",
    ...given("zoneId", metadata.labels[labels.zoneId]),
    capacityType: (metadata.labels[labels.capacityType] ?? "on-demand") as CapacityType,
    priceMicroUsd: wholeNumber(metadata.annotations[claimNotes.priceMicroUsd]) ?? 0,
    ...given("imageId", status.imageID),
    capacity: amounts(status.capacity, "down", "status.capacity"),
    allocatable: amounts(status.allocatable, "down", "status.allocatable"),
    launchedAtMs: trueSinceMs(status, "Launched") ?? metadata.createdAtMs,
  };
}

/** The pool that owns a claim: by owner reference its uid, by label its name. */
function poolUidOf({ metadata }: NodeClaimResource): string {
  return metadata.ownerReferences?.find((owner) => owner.kind === "NodePool")?.uid ?? "";
}

/** Why it is to go, by its condition; or that somebody deleted it. */
function deletionOf(metadata: Metadata, status: NodeClaimStatus): NodeClaim["deletion"] {
  const told = status.conditions?.find(({ type }) => type === "DisruptionReason");
  const requestedAtMs = trueSinceMs(status, "DisruptionReason") ?? metadata.deletionAtMs;
  if (requestedAtMs === undefined) return undefined;
  const reason = deletionReasons.find((one) => told?.status === "True" && one === snakeCaseReason(told.reason ?? ""));
  const deadlineMs = Date.parse(metadata.annotations[annotations.terminationTimestamp] ?? "");
  return {
    requestedAtMs,
    reason: reason ?? "deleted",
    ...(Number.isNaN(deadlineMs) ? {} : { deadlineMs }),
    ...given("command", commandOf(metadata)),
  };
}

function commandOf({ annotations: notes }: Metadata): DisruptedBy | undefined {
  const id = notes[claimNotes.command];
  const decision = notes[claimNotes.decision];
  if (id === undefined || (decision !== "delete" && decision !== "replace")) return undefined;
  const type = consolidationTypes.find((one) => one === notes[claimNotes.consolidationType]);
  return { id, decision, ...given("consolidationType", type) };
}

const consolidationTypes = ["empty", "multi", "single"] as const;

const noteKeys: ReadonlySet<string> = new Set(Object.values(claimNotes));

/** Without our notes, which have fields of their own in the record. */
function othersAnnotations({ annotations: all }: Metadata): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => !noteKeys.has(key)));
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * A NodeClaim document read as a record: for claims that come from a file, are imported or are adopted. One that we did
 * not write doesn't say what the instance costs (the price is 0 until somebody looks it up) nor why it was made
 * (`provisioned`); the version of a record is 0, as the document is none.
 * @throws UnreadableObjectError naming claim, field and what is wrong
 */
export function toNodeClaim(document: unknown): NodeClaim {
  return converting("NodeClaim", document, (written) => {
    const metadata = metadataOf(written);
    const resource = accepted(nodeClaimKind, written);
    const { spec, status = {} } = resource;
    const requirements = requirementsOf(spec.requirements);
    const types = requirements.find(({ key, operator }) => key === labels.instanceType && operator === "In");
    const grace = spec.terminationGracePeriod;
    const lastPodEventAtMs = timeOr(status.lastPodEventTime, undefined, "status.lastPodEventTime");
    return {
      name: metadata.name,
      version: 0,
      createdAtMs: metadata.createdAtMs,
      nodePool: metadata.labels[labels.nodePool] ?? "",
      nodePoolUid: poolUidOf(resource),
      nodePoolHash: metadata.annotations[annotations.nodePoolHash] ?? "",
      nodeClass: spec.nodeClassRef.name,
      nodeClassHash: metadata.annotations[annotations.nodeClassHash] ?? "",
      requirements,
      instanceTypes: types?.values ?? [],
      labels: metadata.labels,
      annotations: othersAnnotations(metadata),
      taints: taintsOf(spec.taints),
      startupTaints: taintsOf(spec.startupTaints),
      requests: amounts(spec.resources?.requests, "up", "spec.resources.requests"),
      expireAfterMs: durationOrNeverMs(spec.expireAfter),
      terminationGracePeriodMs: grace === undefined ? null : durationMs(grace),
      reason: metadata.annotations[claimNotes.madeFor] || "provisioned",
      ...given("instance", instanceOf(metadata, status)),
      ...given("nodeName", status.nodeName || undefined),
      ...given("registeredAtMs", trueSinceMs(status, "Registered")),
      ...given("initializedAtMs", trueSinceMs(status, "Initialized")),
      ...given("lastPodEventAtMs", lastPodEventAtMs),
      ...given("deletion", deletionOf(metadata, status)),
      ...given("drainedAtMs", trueSinceMs(status, "Drained")),
      ...given("terminateCalledAtMs", trueSinceMs(status, "InstanceTerminating")),
    };
  });
}
