import {
  instanceVisibleMs,
  launchRetryMs,
  launchTimeoutMs,
  notFoundGapMs,
  registrationTimeoutMs,
  terminationPollMs,
  terminationRepeatMs,
  windowsRegistrationTimeoutMs,
} from "../limits.ts";
import {
  type ClaimPhase,
  type CloudInstance,
  type Command,
  type DeletionReason,
  type Launch,
  labels,
  type Node,
  type NodeClaim,
  type NodeClass,
  type Pod,
  taints,
} from "../model/index.ts";
import { type DrainStep, planDrain } from "./drain.ts";
import { isSynced, notInitialized, type RegistrationPatch, registrationPatch, sameTaint } from "./join.ts";
import { phaseOf } from "./phase.ts";

/** What one look at the world showed of one claim. Absent: not looked at, or not there, as each field says. */
export interface Observed {
  /** The launch item that the record names. */
  readonly launch?: Launch;
  readonly command?: Command;
  /** Nodes with the claim's provider id: none, one, or a mistake. */
  readonly nodes: readonly Node[];
  readonly nodeClass?: NodeClass;
  /** A person deleted the custom resource. */
  readonly mirrorDeleted: boolean;
  /** Looked up only for claims that are to go. */
  readonly instance?: CloudInstance | "not-found";
  /** Pods of the node, read only for claims that are to go. */
  readonly pods?: readonly Pod[];
}

export type Step =
  | { readonly kind: "wait"; readonly untilMs: number | null; readonly reason: string; readonly message: string }
  | { readonly kind: "launch" }
  | {
      readonly kind: "register";
      readonly node: Node;
      readonly patch?: RegistrationPatch;
      readonly taintMissing: boolean;
    }
  | { readonly kind: "initialize"; readonly node: Node }
  | { readonly kind: "untaint"; readonly node: Node }
  | { readonly kind: "request-deletion"; readonly reason: DeletionReason; readonly message: string }
  | { readonly kind: "taint"; readonly node: Node }
  | { readonly kind: "drain"; readonly step: DrainStep }
  | { readonly kind: "note-drained"; readonly message: string }
  | { readonly kind: "terminate" }
  | { readonly kind: "note-not-found" }
  | { readonly kind: "finish"; readonly node?: Node };

/** The next thing to do about a claim: one effect, or to wait and until when. Repeating a step that was done is harmless. */
export function nextStep(claim: NodeClaim, seen: Observed, nowMs: number): Step {
  const phase = phaseOf(claim, seen.launch, seen.command);
  if (phase === "Gone") return wait(null, "Gone", "nothing is left to do");
  if (phase === "Launching") return wait(null, "Launching", "the launch is not settled yet");
  const unwanted = claim.deletion === undefined ? deletionOf(claim, phase, seen, nowMs) : undefined;
  if (unwanted !== undefined) return { kind: "request-deletion", ...unwanted };
  switch (phase) {
    case "Pending":
      return nextOfPending(claim, seen, nowMs);
    case "Launched":
      return nextOfLaunched(claim, seen);
    case "Registered":
      return takeBack(claim, seen) ?? nextOfRegistered(claim, seen);
    case "Initialized":
      return takeBack(claim, seen) ?? wait(null, phase, "the claim has its node");
    case "Draining":
      return nextOfDraining(claim, seen, nowMs);
    case "Terminating":
      return nextOfTerminating(claim, seen, nowMs);
    default:
      return wait(null, phase, "the claim has its node");
  }
}

function wait(untilMs: number | null, reason: string, message: string): Step {
  return { kind: "wait", untilMs, reason, message };
}

/** How long an instance may take to join: Windows is slower by far. */
export function registrationTimeoutOf(claim: NodeClaim): number {
  const os =
    claim.labels[labels.os] ?? claim.requirements.find((r) => r.key === labels.os && r.operator === "In")?.values[0];
  return os === "windows" ? windowsRegistrationTimeoutMs : registrationTimeoutMs;
}

/** Somebody's wish or a limit passed: why the claim is to go. */
function deletionOf(
  claim: NodeClaim,
  phase: ClaimPhase,
  seen: Observed,
  nowMs: number,
): { readonly reason: DeletionReason; readonly message: string } | undefined {
  if (seen.mirrorDeleted) return { reason: "deleted", message: "the NodeClaim was deleted" };
  if (seen.nodes.some((node) => node.deletionAtMs !== undefined)) {
    return { reason: "deleted", message: "the Node was deleted" };
  }
  if (phase === "Pending" && nowMs >= claim.createdAtMs + launchTimeoutMs) {
    const cause = claim.launchFailure?.message ?? notReady(seen.nodeClass, claim.nodeClass);
    if (cause !== undefined && claim.launchFailure === undefined)
      return { reason: "nodeclass_not_ready", message: cause };
    return {
      reason: "launch_timeout",
      message: `no instance within 5 minutes${cause === undefined ? "" : `: ${cause}`}`,
    };
  }
  const launchedAtMs = claim.instance?.launchedAtMs ?? 0;
  if (phase === "Launched" && nowMs >= launchedAtMs + registrationTimeoutOf(claim)) {
    const minutes = registrationTimeoutOf(claim) / 60_000;
    return {
      reason: "registration_timeout",
      message: `no node joined within ${minutes} minutes: ${likelyCause(seen)}`,
    };
  }
  return undefined;
}

function likelyCause(seen: Observed): string {
  if (seen.nodes.length > 1) return `several nodes have its provider id (${seen.nodes.map((n) => n.name).join(", ")})`;
  const profile = seen.nodeClass?.resolved.instanceProfile ?? seen.nodeClass?.instanceProfile;
  return `look at the instance's console output, at its security groups' way to the API server, and whether role of profile ${profile ?? "(none)"} may join the cluster`;
}

/** Why instances of this class cannot be launched now; undefined: they can. */
export function notReady(nodeClass: NodeClass | undefined, name: string): string | undefined {
  if (nodeClass === undefined) return `EC2NodeClass ${name} is not in the cluster`;
  if (nodeClass.deletionAtMs !== undefined) return `EC2NodeClass ${name} is being deleted`;
  if (!nodeClass.ready)
    return `EC2NodeClass ${name} is not ready: ${nodeClass.readyMessage ?? "it was not resolved yet"}`;
  return undefined;
}

function nextOfPending(claim: NodeClaim, seen: Observed, nowMs: number): Step {
  const timeoutAtMs = claim.createdAtMs + launchTimeoutMs;
  const cause = notReady(seen.nodeClass, claim.nodeClass);
  if (cause !== undefined) return wait(timeoutAtMs, "NodeClassNotReady", cause);
  const retryAtMs = claim.launchFailure === undefined ? 0 : claim.launchFailure.atMs + launchRetryMs;
  if (nowMs < retryAtMs) {
    return wait(Math.min(retryAtMs, timeoutAtMs), claim.launchFailure!.reason, claim.launchFailure!.message);
  }
  return { kind: "launch" };
}

function nextOfLaunched(claim: NodeClaim, seen: Observed): Step {
  const timeoutAtMs = claim.instance!.launchedAtMs + registrationTimeoutOf(claim);
  const [node, second] = seen.nodes;
  if (node === undefined) return wait(timeoutAtMs, "NodeNotFound", "the instance has not joined yet");
  if (second !== undefined) {
    return wait(timeoutAtMs, "MultipleNodesFound", `nodes ${node.name} and ${second.name} have the same provider id`);
  }
  if (isSynced(node)) return { kind: "register", node, taintMissing: false };
  const taintMissing = !node.taints.some((taint) => sameTaint(taint, taints.unregistered));
  return { kind: "register", node, patch: registrationPatch(claim, node), taintMissing };
}

function nextOfRegistered(claim: NodeClaim, seen: Observed): Step {
  const [node] = seen.nodes;
  if (node === undefined) return wait(null, "NodeNotFound", `node ${claim.nodeName ?? ""} is not there`);
  const lacking = notInitialized(claim, node);
  if (lacking !== undefined) return wait(null, lacking.reason, lacking.message);
  return { kind: "initialize", node };
}

/** A node that is not to go bears the taint of one that is: a run set it after another had rolled its command back. */
function takeBack(claim: NodeClaim, seen: Observed): Step | undefined {
  const [node] = seen.nodes;
  if (claim.commandId !== undefined || node === undefined) return undefined;
  return node.taints.some((taint) => sameTaint(taint, taints.disrupted)) ? { kind: "untaint", node } : undefined;
}

/** The instance is over or on its way there: its pods are beyond help. */
function isOver(instance: Observed["instance"]): boolean {
  return typeof instance === "object" && (instance.state === "terminated" || instance.state === "shutting-down");
}

function nextOfDraining(claim: NodeClaim, seen: Observed, nowMs: number): Step {
  if (claim.drainedAtMs !== undefined) return { kind: "terminate" };
  const [node] = seen.nodes;
  if (node === undefined) return { kind: "note-drained", message: "it has no node" };
  if (isOver(seen.instance)) return { kind: "note-drained", message: "its instance is gone" };
  if (!node.taints.some((taint) => sameTaint(taint, taints.disrupted))) return { kind: "taint", node };
  if (seen.pods === undefined) return wait(nowMs, "Draining", "its pods were not read");
  const step = planDrain(seen.pods, nowMs, claim.deletion?.deadlineMs);
  if (!step.drained) return { kind: "drain", step };
  const left = step.waitingFor.length;
  return {
    kind: "note-drained",
    message: left === 0 ? "no pod is left" : `the deadline passed with ${left} pods left`,
  };
}

function nextOfTerminating(claim: NodeClaim, seen: Observed, nowMs: number): Step {
  const [node] = seen.nodes;
  const finish: Step = node === undefined ? { kind: "finish" } : { kind: "finish", node };
  if (claim.instance === undefined) return finish;
  const pollAtMs = nowMs + terminationPollMs;
  if (seen.instance === undefined) return wait(pollAtMs, "InstanceTerminating", "its instance was not looked up");
  if (seen.instance === "not-found") {
    if (claim.notFoundAtMs === undefined) return { kind: "note-not-found" };
    const settledAtMs = Math.max(claim.notFoundAtMs + notFoundGapMs, claim.instance.launchedAtMs + instanceVisibleMs);
    return nowMs >= settledAtMs ? finish : wait(settledAtMs, "InstanceTerminating", "EC2 does not know its instance");
  }
  if (seen.instance.state === "terminated") return finish;
  const called = claim.terminateCalledAtMs ?? 0;
  if (seen.instance.state !== "shutting-down" && nowMs >= called + terminationRepeatMs) return { kind: "terminate" };
  return wait(pollAtMs, "InstanceTerminating", `its instance is ${seen.instance.state}`);
}
