import type { ClaimPhase, DeletionReason, NodeClaim, RequirementSpec, Taint } from "../../core/model/index.ts";
import { annotations, claimNotes, finalizers, labels } from "../../core/model/index.ts";
import { formatResources } from "../../core/resources/index.ts";

interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

export interface ClaimDocument {
  readonly apiVersion: "karpenter.sh/v1";
  readonly kind: "NodeClaim";
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly finalizers: readonly string[];
    readonly ownerReferences: readonly object[];
  };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
}

/**
 * The custom resource that shows a record. Labels carry what `kubectl get nodeclaims` prints; conditions are Karpenter's
 * (facts §3.8), each with the time of the evidence it rests on.
 */
export function claimDocument(claim: NodeClaim, phase: ClaimPhase): ClaimDocument {
  const { instance } = claim;
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: {
      name: claim.name,
      labels: {
        ...claim.labels,
        [labels.nodePool]: claim.nodePool,
        [labels.nodeClass]: claim.nodeClass,
        ...(instance === undefined
          ? {}
          : {
              [labels.instanceType]: instance.instanceType,
              [labels.zone]: instance.zone,
              [labels.capacityType]: instance.capacityType,
            }),
      },
      annotations: {
        ...claim.annotations,
        [annotations.nodePoolHash]: claim.nodePoolHash,
        [annotations.nodeClassHash]: claim.nodeClassHash,
        ...(claim.deletion?.deadlineMs === undefined
          ? {}
          : { [annotations.terminationTimestamp]: timestamp(claim.deletion.deadlineMs) }),
        ...notesOf(claim),
      },
      finalizers: [finalizers.termination],
      ownerReferences: [
        {
          apiVersion: "karpenter.sh/v1",
          kind: "NodePool",
          name: claim.nodePool,
          uid: claim.nodePoolUid,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: claim.nodeClass },
      requirements: requirementsOf(claim).map(wireRequirement),
      resources: { requests: formatResources(claim.requests) },
      ...(claim.taints.length === 0 ? {} : { taints: claim.taints.map(wireTaint) }),
      ...(claim.startupTaints.length === 0 ? {} : { startupTaints: claim.startupTaints.map(wireTaint) }),
      expireAfter: claim.expireAfterMs === null ? "Never" : duration(claim.expireAfterMs),
      ...(claim.terminationGracePeriodMs === null
        ? {}
        : { terminationGracePeriod: duration(claim.terminationGracePeriodMs) }),
    },
    status: {
      conditions: conditionsOf(claim, phase),
      ...(claim.nodeName === undefined ? {} : { nodeName: claim.nodeName }),
      ...(claim.lastPodEventAtMs === undefined ? {} : { lastPodEventTime: timestamp(claim.lastPodEventAtMs) }),
      ...(instance === undefined
        ? {}
        : {
            providerID: instance.providerId,
            ...(instance.imageId === undefined ? {} : { imageID: instance.imageId }),
            capacity: formatResources(instance.capacity),
            allocatable: formatResources(instance.allocatable),
          }),
    },
  };
}

/** What Karpenter's fields have no place for. */
function notesOf({ version, reason, instance, deletion }: NodeClaim): Readonly<Record<string, string>> {
  const { command } = deletion ?? {};
  return {
    [claimNotes.recordVersion]: String(version),
    [claimNotes.madeFor]: reason,
    ...(instance === undefined ? {} : { [claimNotes.priceMicroUsd]: String(instance.priceMicroUsd) }),
    ...(command === undefined
      ? {}
      : {
          [claimNotes.command]: command.id,
          [claimNotes.decision]: command.decision,
          [claimNotes.consolidationType]: command.consolidationType ?? "",
        }),
  };
}

/** The claim's requirements, with the instance types that it may become as one of them. */
function requirementsOf({ requirements, instanceTypes }: NodeClaim): RequirementSpec[] {
  const others = requirements.filter(({ key }) => key !== labels.instanceType);
  const { minValues } = requirements.find((r) => r.key === labels.instanceType && r.minValues !== undefined) ?? {};
  return [
    ...others,
    {
      key: labels.instanceType,
      operator: "In",
      values: instanceTypes,
      ...(minValues === undefined ? {} : { minValues }),
    },
  ];
}

/**
 * Reasons to go that are at the same time evidence of having been quiet for long enough. Of a node that stays, that is a
 * matter of the clock and the pool's consolidateAfter: the planner works it out, and no record says it, so such claims are
 * without the condition Consolidatable. Drifted is never there, as drift is not looked for.
 */
const consolidationReasons: ReadonlySet<DeletionReason> = new Set(["empty", "underutilized"]);

function conditionsOf(claim: NodeClaim, phase: ClaimPhase): Condition[] {
  const { createdAtMs, instance, launchFailure, deletion } = claim;
  const launched =
    instance !== undefined
      ? met("Launched", instance.launchedAtMs)
      : unmet("Launched", launchFailure?.reason ?? "AwaitingReconciliation", launchFailure?.message ?? "", createdAtMs);
  const registered =
    claim.registeredAtMs !== undefined
      ? met("Registered", claim.registeredAtMs)
      : unmet("Registered", "NodeNotFound", "no node has joined for this instance", createdAtMs);
  const initialized =
    claim.initializedAtMs !== undefined
      ? met("Initialized", claim.initializedAtMs)
      : unmet(
          "Initialized",
          claim.registeredAtMs === undefined ? "NodeNotFound" : "NodeNotReady",
          claim.registeredAtMs === undefined ? "no node has joined yet" : "the node is not fit for pods yet",
          createdAtMs,
        );
  const steps = [launched, registered, initialized];
  const open = steps.find(({ status }) => status !== "True");
  const ready: Condition =
    open === undefined
      ? met("Ready", claim.initializedAtMs ?? createdAtMs)
      : unmet("Ready", "ReconcilingDependents", `${open.type} is not met: phase ${phase}`, createdAtMs);
  const ending: Condition[] = [];
  if (deletion !== undefined) {
    if (consolidationReasons.has(deletion.reason)) ending.push(met("Consolidatable", deletion.requestedAtMs));
    ending.push({ ...met("DisruptionReason", deletion.requestedAtMs), reason: conditionReason(deletion.reason) });
    ending.push(
      claim.drainedAtMs !== undefined
        ? met("Drained", claim.drainedAtMs)
        : unmet("Drained", "Draining", "pods are being evicted", deletion.requestedAtMs),
    );
    if (claim.terminateCalledAtMs !== undefined) ending.push(met("InstanceTerminating", claim.terminateCalledAtMs));
  }
  return [...steps, ...ending, ready];
}

function met(type: string, atMs: number): Condition {
  return { type, status: "True", reason: type, message: "", lastTransitionTime: timestamp(atMs) };
}

function unmet(type: string, reason: string, message: string, sinceMs: number): Condition {
  return { type, status: "Unknown", reason: conditionReason(reason), message, lastTransitionTime: timestamp(sinceMs) };
}

/** Reasons are CamelCase words to the API server; whatever doesn't fit its pattern is squeezed into it. */
function conditionReason(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined.slice(0, 1024) : `Reason${joined}`.slice(0, 1024);
}

function wireRequirement({ key, operator, values, minValues }: RequirementSpec): object {
  return {
    key,
    operator,
    ...(values.length === 0 ? {} : { values }),
    ...(minValues === undefined ? {} : { minValues }),
  };
}

function wireTaint({ key, value, effect }: Taint): object {
  return value === "" ? { key, effect } : { key, value, effect };
}

/** "1h30m"; whole seconds, rounded up. */
function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor((seconds % 3600) / 60), "m"],
    [seconds % 60, "s"],
  ].filter(([amount]) => amount !== 0);
  return parts.length === 0 ? "0s" : parts.map(([amount, unit]) => `${amount}${unit}`).join("");
}

function timestamp(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
}
