// Which change is worth whose look: a table of what Karpenter's controllers watch, for wakes instead of work queues. On
// purpose generous where it is cheap (a wake too many is one look that finds nothing) and deaf to what we write ourselves.
import { isDeepStrictEqual } from "node:util";
import { taints } from "../../shared/core/model/index.ts";
import type {
  KeptBudget,
  KeptBuffer,
  KeptDaemonSet,
  KeptNode,
  KeptNodeClaim,
  KeptNodeClass,
  KeptNodePool,
  KeptObjects,
  KeptOverlay,
  KeptPod,
  KeptPodTemplate,
  KeptVolumeClaim,
  Kind,
} from "../objects.ts";
import type { ClusterView } from "../view.ts";

/** The controllers that the relay wakes; garbage collection lives by the clock alone. */
export type RelayTarget = "provision" | "disrupt" | "lifecycle" | "resolve-node-classes";

export const relayTargets: readonly RelayTarget[] = ["provision", "disrupt", "lifecycle", "resolve-node-classes"];

const nobody: readonly RelayTarget[] = [];

/** kube-scheduler found no node for it, and a new node may be the answer. */
export function isWaiting(pod: KeptPod): boolean {
  return (
    pod.unschedulable &&
    pod.nodeName === undefined &&
    pod.deletionAtMs === undefined &&
    !isOver(pod) &&
    !pod.gated &&
    !pod.nominated &&
    !pod.isDaemon &&
    !pod.isStatic
  );
}

export function isOver(pod: KeptPod): boolean {
  return pod.phase === "Succeeded" || pod.phase === "Failed";
}

/** What of a pod's life counts on its node: the changes that restart consolidateAfter (Karpenter's pod events). */
export type Stay = "none" | "bound" | "ending" | "over";

export function stayOf(pod: KeptPod | undefined): Stay {
  if (pod?.nodeName === undefined) return "none";
  if (isOver(pod)) return "over";
  return pod.deletionAtMs === undefined ? "bound" : "ending";
}

/** What a change means may hang on what else there is. */
export interface Surroundings {
  /** Whether the node of that name is on its way out, so that its pods are being drained. */
  isLeavingNode(nodeName: string): boolean;
  /** Whether some CapacityBuffer keeps room, which a pod that is bound may have taken. */
  keepsRoom(): boolean;
  /** Whether some CapacityBuffer is counted in that PodTemplate. */
  isCountedIn(template: Pick<KeptPodTemplate, "namespace" | "name">): boolean;
}

export function surroundingsIn(view: Pick<ClusterView, "node" | "claimOfNode" | "count" | "all">): Surroundings {
  return {
    isLeavingNode: (name) => isLeaving(view.node(name)) || view.claimOfNode(name)?.deletionAtMs !== undefined,
    keepsRoom: () => view.count("CapacityBuffer") > 0,
    isCountedIn({ namespace, name }) {
      for (const buffer of view.all("CapacityBuffer")) {
        if (buffer.podTemplate === name && buffer.namespace === namespace) return true;
      }
      return false;
    },
  };
}

function podChanged(
  before: KeptPod | undefined,
  after: KeptPod | undefined,
  { isLeavingNode, keepsRoom }: Surroundings,
): readonly RelayTarget[] {
  if (after !== undefined && isWaiting(after)) return ["provision"];
  const [was, is] = [stayOf(before), stayOf(after)];
  if (was !== is && is === "bound") return keepsRoom() ? ["disrupt", "provision"] : ["disrupt"];
  const blocksOtherwise = is === "bound" && before?.doNotDisrupt !== after?.doNotDisrupt;
  if (was === "over" || (was === is && !blocksOtherwise)) return nobody;
  // Pods end all the time; only where a node is drained does lifecycle wait for that.
  const nodeName = (before?.nodeName ?? after?.nodeName)!;
  return isLeavingNode(nodeName) ? ["disrupt", "lifecycle"] : ["disrupt"];
}

/** Its pods will need another place: it is being deleted, or tainted by a disruption. */
function isLeaving(node: KeptNode | undefined): boolean {
  if (node === undefined) return false;
  return node.deletionAtMs !== undefined || node.taints.some(({ key }) => key === taints.disrupted.key);
}

function nodeChanged(before: KeptNode | undefined, after: KeptNode | undefined): readonly RelayTarget[] {
  const leaves = (isLeaving(after) && !isLeaving(before)) || (before !== undefined && after === undefined);
  return leaves ? ["lifecycle", "disrupt", "provision"] : ["lifecycle", "disrupt"];
}

function claimChanged(before: KeptNodeClaim | undefined, after: KeptNodeClaim | undefined): readonly RelayTarget[] {
  if (before === undefined) return ["lifecycle"];
  // Capacity that was counted on, or a pool's limit, is free again; budgets have one node less under way.
  if (after === undefined) return ["lifecycle", "provision", "disrupt"];
  if (before.deletionAtMs !== after.deletionAtMs) return ["lifecycle", "provision", "disrupt"];
  const annotated = !isDeepStrictEqual(peoplesOf(before.annotations), peoplesOf(after.annotations));
  // Its status, and annotations of ours, are written by the functions, which know what they wrote.
  return before.generation !== after.generation || annotated ? ["lifecycle", "disrupt"] : nobody;
}

/** Without `timmerman/…`, which only we write. */
function peoplesOf(annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !key.startsWith("timmerman/")));
}

function isReady(object: KeptNodePool | KeptNodeClass | undefined): boolean {
  return object?.conditions.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}

function poolOrClassChanged(
  before: KeptNodePool | KeptNodeClass | undefined,
  after: KeptNodePool | KeptNodeClass | undefined,
): readonly RelayTarget[] {
  const written = before?.generation !== after?.generation || before?.deletionAtMs !== after?.deletionAtMs;
  if (written) return ["resolve-node-classes", "provision", "disrupt"];
  // Statuses are ours, but readiness is what pods wait for, whoever found it.
  return isReady(after) && !isReady(before) ? ["provision"] : nobody;
}

function classChanged(before: KeptNodeClass | undefined, after: KeptNodeClass | undefined): readonly RelayTarget[] {
  const woken = poolOrClassChanged(before, after);
  if (before === undefined || after === undefined) return woken;
  // Pods may have waited for a reservation, and nodes drift by what is resolved.
  const more: RelayTarget[] = [];
  if (before.reservations !== after.reservations) more.push("provision");
  if (before.resolvedIds !== after.resolvedIds) more.push("disrupt");
  return [...new Set([...woken, ...more])];
}

function budgetChanged(before: KeptBudget | undefined, after: KeptBudget | undefined): readonly RelayTarget[] {
  const rewritten = before?.generation !== after?.generation;
  // A budget that is used up makes nobody act; one that gives way again lets drains and disruptions go on.
  const opens = before?.disruptionsAllowed === 0 && (after?.disruptionsAllowed ?? 0) > 0;
  return rewritten || opens ? ["disrupt", "lifecycle"] : nobody;
}

function daemonSetChanged(before: KeptDaemonSet | undefined, after: KeptDaemonSet | undefined): readonly RelayTarget[] {
  return before?.generation === after?.generation ? nobody : ["provision", "disrupt"];
}

function volumeClaimChanged(
  before: KeptVolumeClaim | undefined,
  after: KeptVolumeClaim | undefined,
): readonly RelayTarget[] {
  // Pods wait for claims that are not there, and for those that must be bound first.
  const appears = before === undefined && after !== undefined;
  return appears || (before?.phase !== "Bound" && after?.phase === "Bound") ? ["provision"] : nobody;
}

function overlayChanged(before: KeptOverlay | undefined, after: KeptOverlay | undefined): readonly RelayTarget[] {
  return before?.generation === after?.generation ? nobody : ["provision"];
}

function bufferChanged(before: KeptBuffer | undefined, after: KeptBuffer | undefined): readonly RelayTarget[] {
  // Nodes that held its room may be empty ones now.
  return before?.generation === after?.generation ? nobody : ["provision", "disrupt"];
}

function podTemplateChanged(
  before: KeptPodTemplate | undefined,
  after: KeptPodTemplate | undefined,
  { isCountedIn }: Surroundings,
): readonly RelayTarget[] {
  return before?.generation !== after?.generation && isCountedIn((after ?? before)!)
    ? ["provision", "disrupt"]
    : nobody;
}

type Rules = {
  readonly [K in Kind]: (
    before: KeptObjects[K] | undefined,
    after: KeptObjects[K] | undefined,
    around: Surroundings,
  ) => readonly RelayTarget[];
};

/** Whom a change wakes. `before` undefined: it is new; `after` undefined: it is gone. Pods and their templates ask about what is around them. */
export const wakeRules: Rules = {
  Pod: podChanged,
  Node: nodeChanged,
  NodePool: poolOrClassChanged,
  EC2NodeClass: classChanged,
  NodeClaim: claimChanged,
  PodDisruptionBudget: budgetChanged,
  DaemonSet: daemonSetChanged,
  PersistentVolumeClaim: volumeClaimChanged,
  NodeOverlay: overlayChanged,
  CapacityBuffer: bufferChanged,
  PodTemplate: podTemplateChanged,
};
