import { finalizers, labels, type Node, type NodeClaim, own, type Taint, taints } from "../model/index.ts";
import { isKnownEphemeral } from "../scheduling/taints.ts";

/** What registration writes on a node: data for the Cluster port's `patchNode`. */
export interface RegistrationPatch {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly finalizers: readonly string[];
}

/** The same taint, whatever its value: a node has one of a key and effect. */
export function sameTaint(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}

/** The registered label says that the sync below was done: once, for the taints it adds are others' to remove. */
export function isSynced(node: Node): boolean {
  return node.labels[labels.registered] === "true";
}

/**
 * Labels, annotations and taints of the claim go onto the node, the unregistered taint goes. A node that says
 * `karpenter.sh/do-not-sync-taints` brings its own taints.
 */
export function registrationPatch(claim: NodeClaim, node: Node): RegistrationPatch {
  const kept = node.taints.filter((taint) => !sameTaint(taint, taints.unregistered));
  const added =
    node.labels[labels.doNotSyncTaints] === "true"
      ? []
      : [...claim.taints, ...claim.startupTaints].filter((taint) => !kept.some((present) => sameTaint(present, taint)));
  return {
    labels: { ...claim.labels, [labels.registered]: "true" },
    annotations: claim.annotations,
    taints: [...kept, ...added],
    finalizers: node.finalizers.includes(finalizers.termination)
      ? node.finalizers
      : [...node.finalizers, finalizers.termination],
  };
}

/** Why a registered node is not initialized yet, in Karpenter's reasons (facts §3.8); undefined: it is. */
export function notInitialized(
  claim: NodeClaim,
  node: Node,
): { readonly reason: string; readonly message: string } | undefined {
  if (!isReady(node)) return { reason: "NodeNotReady", message: `node ${node.name} does not report Ready` };
  const startup = node.taints.find((taint) => claim.startupTaints.some((own) => sameTaint(own, taint)));
  if (startup !== undefined) {
    return { reason: "StartupTaintsExist", message: `startup taint ${startup.key}:${startup.effect} is still there` };
  }
  const ephemeral = node.taints.find(isKnownEphemeral);
  if (ephemeral !== undefined) {
    return {
      reason: "KnownEphemeralTaintsExist",
      message: `taint ${ephemeral.key}:${ephemeral.effect} is still there`,
    };
  }
  const absent = Object.keys(claim.requests)
    .sort()
    .find((resource) => claim.requests[resource]! > 0 && (own(node.allocatable, resource) ?? 0) === 0);
  if (absent !== undefined) {
    return { reason: "ResourceNotRegistered", message: `resource ${absent} is not reported by the node yet` };
  }
  return undefined;
}

export function isReady(node: Node): boolean {
  return node.conditions.some((condition) => condition.type === "Ready" && condition.status === "True");
}
