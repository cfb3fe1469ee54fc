import { type DrainStep, type Step, sameTaint } from "../core/lifecycle/index.ts";
import {
  claimConcurrency,
  drainPollMs,
  goneRecordMs,
  maxCommitTries,
  minWakeDelayMs,
  terminationPollMs,
} from "../core/limits.ts";
import { annotations, finalizers, labels, type Node, type NodeClaim, taints } from "../core/model/index.ts";
import type { ClaimChange, KubeEvent, NodePatch } from "../ports/index.ts";
import { announce, claimEvents } from "./announce.ts";
import { type ClaimDesk, ensureMirror } from "./claim-desk.ts";
import { deadlineOf } from "./deletion.ts";
import { measureDisrupted, measureGone, measureInitialized, measureRegistered } from "./measure.ts";
import { forEachBounded } from "./report.ts";

/** The record after the step, and whether there is more to do about it now; `gone`: it is no more. */
export type StepOutcome = { readonly claim: NodeClaim; readonly more: boolean } | "gone";

type StepOf<K extends Step["kind"]> = Extract<Step, { kind: K }>;
type ActiveStep = Exclude<Step, { kind: "wait" | "launch" }>;

/** Kubernetes' own label: load balancers stop sending to a node that bears it. */
const excludeFromLoadBalancers = "node.kubernetes.io/exclude-from-external-load-balancers";

/** Carries out one step. The evidence is written after the effect, so that a crash between them repeats the effect. */
export function applyStep(desk: ClaimDesk, claim: NodeClaim, step: ActiveStep): Promise<StepOutcome> {
  const nowMs = desk.ports.clock.now();
  switch (step.kind) {
    case "register":
      return register(desk, claim, step);
    case "initialize":
      return initialize(desk, claim, step.node);
    case "untaint":
      return untaintNode(desk, claim, step.node);
    case "request-deletion":
      return requestDeletion(desk, claim, step);
    case "taint":
      return taintNode(desk, claim, step.node);
    case "drain":
      return drain(desk, claim, step.step);
    case "note-drained":
      return note(desk, claim, { drainedAtMs: nowMs });
    case "terminate":
      return terminate(desk, claim);
    case "note-not-found":
      return note(desk, claim, { notFoundAtMs: nowMs });
    case "finish":
      return finish(desk, claim, step.node);
  }
}

async function note(
  desk: ClaimDesk,
  claim: NodeClaim,
  change: ClaimChange,
): Promise<{ readonly claim: NodeClaim; readonly more: boolean }> {
  const { ports, context, log } = desk;
  const written = await ports.store.changeClaim(context.name, claim.name, claim.version, change);
  if (written.kind === "written") return { claim: written.claim, more: true };
  // Somebody else moved it on: the next run sees how.
  log.due(ports.clock.now() + minWakeDelayMs);
  return { claim, more: false };
}

async function patch(desk: ClaimDesk, claim: NodeClaim, node: Node, change: NodePatch): Promise<boolean> {
  const { uid, resourceVersion } = node;
  const outcome = await desk.context.cluster.patchNode(node.name, { uid, resourceVersion }, change);
  await desk.refreshNode(claim);
  if (outcome === "done") return true;
  desk.log.due(desk.ports.clock.now() + minWakeDelayMs);
  return false;
}

async function register(desk: ClaimDesk, claim: NodeClaim, step: StepOf<"register">): Promise<StepOutcome> {
  const { ports, context, log } = desk;
  const { node } = step;
  if (step.patch !== undefined) {
    const owner = desk.mirrors.get(claim.name) ?? (await ensureMirror(desk, claim));
    if (step.taintMissing) {
      const message = `node ${node.name} joined without taint ${taints.unregistered.key}: pods may have come before its labels`;
      const text = { type: "Warning", reason: "UnregisteredTaintMissing", message } as const;
      await announce(context.cluster, log, claimEvents(claim, desk.mirrors.get(claim.name), node, text));
    }
    if (!(await patch(desk, claim, node, { ...step.patch, owner: { name: claim.name, uid: owner.uid } })))
      return { claim, more: false };
  }
  const registeredAtMs = ports.clock.now();
  const outcome = await note(desk, claim, { nodeName: node.name, nodeUid: node.uid, registeredAtMs });
  if (!outcome.more) return outcome;
  log.count("nodesRegistered");
  measureRegistered(ports.telemetry, context.name, claim, registeredAtMs);
  return outcome;
}

async function initialize(desk: ClaimDesk, claim: NodeClaim, node: Node): Promise<StepOutcome> {
  if (!(await patch(desk, claim, node, { labels: { [labels.initialized]: "true" } }))) return { claim, more: false };
  const initializedAtMs = desk.ports.clock.now();
  const outcome = await note(desk, claim, { initializedAtMs });
  if (!outcome.more) return outcome;
  desk.log.count("nodesInitialized");
  measureInitialized(desk.ports.telemetry, desk.context.name, claim, initializedAtMs);
  desk.wake("disrupt");
  return outcome;
}

async function requestDeletion(
  desk: ClaimDesk,
  claim: NodeClaim,
  step: StepOf<"request-deletion">,
): Promise<StepOutcome> {
  const { ports, context, log } = desk;
  const requestedAtMs = ports.clock.now();
  const deletion = { requestedAtMs, reason: step.reason, ...deadlineOf(claim, requestedAtMs) };
  const outcome = await note(desk, claim, { deletion });
  if (!outcome.more) return outcome;
  log.count("deletionsRequested");
  measureDisrupted(ports.telemetry, context.name, claim, step.reason);
  const text = { type: "Normal", reason: "Disrupted", message: step.message } as const;
  await announce(context.cluster, log, claimEvents(claim, desk.mirrors.get(claim.name), undefined, text));
  desk.wake("provision");
  return outcome;
}

async function taintNode(desk: ClaimDesk, claim: NodeClaim, node: Node): Promise<StepOutcome> {
  const deadlineMs = claim.deletion?.deadlineMs;
  const change: NodePatch = {
    taints: [...node.taints, taints.disrupted],
    labels: { [excludeFromLoadBalancers]: "true" },
    ...(deadlineMs === undefined
      ? {}
      : { annotations: { [annotations.terminationTimestamp]: new Date(deadlineMs).toISOString() } }),
  };
  return { claim, more: await patch(desk, claim, node, change) };
}

/**
 * The record is read again after the node: a command that set this taint before the node was read shows in it, unless it
 * was rolled back since. Whoever changed the node meanwhile makes the write fail.
 */
async function untaintNode(desk: ClaimDesk, claim: NodeClaim, node: Node): Promise<StepOutcome> {
  const { ports, context, log } = desk;
  const current = await ports.store.readClaim(context.name, claim.name);
  if (current === undefined || current.version !== claim.version) {
    log.due(ports.clock.now() + minWakeDelayMs);
    return { claim, more: false };
  }
  const kept = node.taints.filter((taint) => !sameTaint(taint, taints.disrupted));
  if (!(await patch(desk, claim, node, { taints: kept }))) return { claim, more: false };
  log.count("nodesUntainted");
  return { claim, more: true };
}

/** One bounded step: asks the eviction API, ends what is past its time, and looks again soon. */
async function drain(desk: ClaimDesk, claim: NodeClaim, step: DrainStep): Promise<StepOutcome> {
  const { ports, context, log } = desk;
  const events: KubeEvent[] = [];
  const refused: string[] = [];
  await forEachBounded(step.evict, claimConcurrency, async (pod) => {
    const { namespace, name, uid } = pod;
    const outcome = await context.cluster.evictPod(pod);
    if (outcome.kind === "evicted") {
      const text = { type: "Normal", reason: "Evicted", message: "its node is to go" } as const;
      events.push({ key: `Evicted/${uid}`, kind: "Pod", namespace, name, uid, ...text });
    } else if (outcome.kind !== "gone") {
      refused.push(`${namespace}/${name}: ${outcome.message ?? "its disruption budget allows no eviction now"}`);
    }
  });
  log.count("podsEvicted", events.length);
  log.count("evictionsRefused", refused.length);
  await forEachBounded(step.remove, claimConcurrency, async ({ pod, gracePeriodMs }) => {
    await context.cluster.deletePod(pod, gracePeriodMs);
    log.count("podsForced");
  });
  await announce(context.cluster, log, [...events, ...drainHeldUp(desk, claim, refused.sort())]);
  const pollAtMs = ports.clock.now() + drainPollMs;
  log.due(step.nextChangeAtMs === null ? pollAtMs : Math.min(pollAtMs, step.nextChangeAtMs));
  return { claim, more: false };
}

/** One event for all pods that may not be evicted now: it comes again with every look. */
function drainHeldUp(desk: ClaimDesk, claim: NodeClaim, refused: readonly string[]): readonly KubeEvent[] {
  const [first, ...more] = refused;
  if (first === undefined) return [];
  const message = `${first}${more.length === 0 ? "" : ` (and ${more.length} more pods)`}`;
  const node =
    claim.nodeName === undefined || claim.nodeUid === undefined
      ? undefined
      : { name: claim.nodeName, uid: claim.nodeUid };
  return claimEvents(claim, desk.mirrors.get(claim.name), node, { type: "Warning", reason: "FailedDraining", message });
}

async function terminate(desk: ClaimDesk, claim: NodeClaim): Promise<StepOutcome> {
  const { ports, context, log } = desk;
  await context.cloud.terminate([claim.instance!.id]);
  log.count("terminationsCalled");
  log.due(ports.clock.now() + terminationPollMs);
  const { claim: called } = await note(desk, claim, { terminateCalledAtMs: ports.clock.now() });
  return { claim: called, more: false };
}

/** The instance is no more: the node's and the custom resource's finalizers go, and last the record. */
async function finish(desk: ClaimDesk, claim: NodeClaim, node: Node | undefined): Promise<StepOutcome> {
  const { ports, context, log } = desk;
  if (node !== undefined && !(await removeNode(desk, node))) {
    log.due(ports.clock.now() + minWakeDelayMs);
    return { claim, more: false };
  }
  const mirror = desk.mirrors.get(claim.name);
  if (mirror !== undefined) await context.cluster.releaseClaim(claim.name, { uid: mirror.uid });
  const nowMs = ports.clock.now();
  const retired = await ports.store.retireClaim(context.name, claim.name, claim.version, nowMs, nowMs + goneRecordMs);
  if (retired.kind === "conflict" && retired.current?.goneAtMs === undefined) {
    log.due(nowMs + minWakeDelayMs);
    return "gone";
  }
  log.count("claimsGone");
  measureGone(ports.telemetry, context.name, claim, nowMs);
  desk.wake("provision");
  desk.wake("disrupt");
  return "gone";
}

/** Deletes the Node if it is still that one, then takes our finalizer off it. */
async function removeNode(desk: ClaimDesk, node: Node): Promise<boolean> {
  const { cluster } = desk.context;
  await cluster.deleteNode(node.name, { uid: node.uid });
  for (let tries = 0; tries < maxCommitTries; tries++) {
    const current = await cluster.findNode({ name: node.name });
    if (current === undefined || current.uid !== node.uid) return true;
    const { uid, resourceVersion } = current;
    const kept = current.finalizers.filter((name) => name !== finalizers.termination);
    const outcome = await cluster.patchNode(node.name, { uid, resourceVersion }, { finalizers: kept });
    if (outcome !== "changed") return true;
  }
  return false;
}
