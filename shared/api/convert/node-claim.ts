import type { CapacityType, ClaimInstance, NodeClaim } from "../../core/model/index.ts";
import { annotations, labels } from "../../core/model/index.ts";
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
    priceMicroUsd: 0,
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

/**
 * A NodeClaim document read as a record: for claims that come from a file, are imported or are adopted. The document
 * doesn't say what the instance costs (the price is 0 until somebody looks it up) nor the version of a record (0).
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
      annotations: metadata.annotations,
      taints: taintsOf(spec.taints),
      startupTaints: taintsOf(spec.startupTaints),
      requests: amounts(spec.resources?.requests, "up", "spec.resources.requests"),
      expireAfterMs: durationOrNeverMs(spec.expireAfter),
      terminationGracePeriodMs: grace === undefined ? null : durationMs(grace),
      reason: "provisioned",
      ...given("instance", instanceOf(metadata, status)),
      ...given("nodeName", status.nodeName || undefined),
      ...given("registeredAtMs", trueSinceMs(status, "Registered")),
      ...given("initializedAtMs", trueSinceMs(status, "Initialized")),
      ...given("lastPodEventAtMs", lastPodEventAtMs),
      ...(metadata.deletionAtMs === undefined
        ? {}
        : { deletion: { requestedAtMs: metadata.deletionAtMs, reason: "deleted" as const } }),
    };
  });
}
