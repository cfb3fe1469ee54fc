import { isReady, isTerminal, protectedUntil, sameTaint } from "../lifecycle/index.ts";
import { type Node, type NodeClaim, type NodePool, type Pod, type Snapshot, taints } from "../model/index.ts";
import type { PoolCount } from "./budgets.ts";

/** A claim with its node and pods, and what keeps it from every graceful method. */
export interface Candidate {
  readonly claim: NodeClaim;
  readonly node?: Node;
  readonly pool?: NodePool;
  /** Bound pods that have not ended. */
  readonly pods: readonly Pod[];
  readonly blocked: readonly string[];
  /** When a protection ends by itself; null: none does. */
  readonly nextChangeAtMs: number | null;
}

/** Every claim of the snapshot that is not on its way out, by name. `holding`: targets with room for CapacityBuffers. */
export function candidatesOf(snapshot: Snapshot, holding: ReadonlySet<string>): readonly Candidate[] {
  const nodes = nodesByProviderId(snapshot.nodes);
  const pods = podsByNode(snapshot.pods);
  const pools = new Map(snapshot.nodePools.map((pool) => [pool.name, pool]));
  const nominated = new Set(snapshot.placements.map((placement) => placement.target));
  const commanded = new Set(snapshot.commands.flatMap((command) => command.candidates));
  return snapshot.claims
    .filter((claim) => claim.deletion === undefined && claim.goneAtMs === undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((claim) => {
      const node = claim.instance === undefined ? undefined : nodes.get(claim.instance.providerId);
      const pool = pools.get(claim.nodePool);
      const bound = node === undefined ? [] : (pods.get(node.name) ?? []);
      const own = {
        claim,
        ...(node === undefined ? {} : { node }),
        ...(pool === undefined ? {} : { pool }),
        pods: bound,
      };
      const isNominated = nominated.has(claim.name) || (node !== undefined && nominated.has(node.name));
      const isCommanded = commanded.has(claim.name) || claim.commandId !== undefined;
      const found = blocks(own, isNominated, isCommanded, snapshot.nowMs);
      if (!holding.has(claim.name)) return { ...own, ...found };
      return { ...own, ...found, blocked: [...found.blocked, "it holds room for a CapacityBuffer"] };
    });
}

function blocks(
  { claim, node, pool, pods }: Omit<Candidate, "blocked" | "nextChangeAtMs">,
  nominated: boolean,
  commanded: boolean,
  nowMs: number,
): Pick<Candidate, "blocked" | "nextChangeAtMs"> {
  const blocked: string[] = [];
  let next = Number.POSITIVE_INFINITY;
  if (pool === undefined) blocked.push(`NodePool ${claim.nodePool} is not in the cluster`);
  if (claim.initializedAtMs === undefined || node === undefined) blocked.push("the node is not initialized");
  if (commanded) blocked.push("the node is being disrupted already");
  if (nominated) blocked.push("pods are on their way to the node");
  if (node?.deletionAtMs !== undefined) blocked.push("the node is being deleted");
  const holders = [
    { what: "the node", holder: node },
    { what: "the NodeClaim", holder: claim },
    ...pods.map((pod) => ({ what: `pod ${pod.namespace}/${pod.name}`, holder: pod })),
  ];
  for (const { what, holder } of holders) {
    if (holder === undefined) continue;
    const untilMs = protectedUntil(holder);
    if (untilMs <= nowMs) continue;
    blocked.push(`${what} has karpenter.sh/do-not-disrupt`);
    next = Math.min(next, untilMs);
  }
  return { blocked, nextChangeAtMs: next === Number.POSITIVE_INFINITY ? null : next };
}

/** A provider id that several nodes claim is nobody's, and an empty one matches nothing. */
function nodesByProviderId(nodes: readonly Node[]): ReadonlyMap<string, Node> {
  const byId = new Map<string, Node>();
  const doubled = new Set<string>();
  for (const node of nodes) {
    if (node.providerId === undefined || node.providerId === "") continue;
    if (byId.has(node.providerId)) doubled.add(node.providerId);
    byId.set(node.providerId, node);
  }
  for (const id of doubled) byId.delete(id);
  return byId;
}

function podsByNode(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    if (pod.nodeName === undefined || isTerminal(pod)) continue;
    const list = byNode.get(pod.nodeName);
    if (list === undefined) byNode.set(pod.nodeName, [pod]);
    else list.push(pod);
  }
  return byNode;
}

/** Nodes of each pool as budgets count them: initialized, not terminating; down or going ones are `disrupting`. */
export function countPools(snapshot: Snapshot): ReadonlyMap<string, PoolCount> {
  const nodes = nodesByProviderId(snapshot.nodes);
  const commanded = new Set(snapshot.commands.flatMap((command) => command.candidates));
  const counts = new Map<string, { total: number; disrupting: number }>();
  for (const claim of snapshot.claims) {
    if (claim.initializedAtMs === undefined || claim.terminateCalledAtMs !== undefined || claim.instance === undefined)
      continue;
    const count = counts.get(claim.nodePool) ?? { total: 0, disrupting: 0 };
    counts.set(claim.nodePool, count);
    const node = nodes.get(claim.instance.providerId);
    const going =
      claim.deletion !== undefined ||
      commanded.has(claim.name) ||
      node === undefined ||
      node.deletionAtMs !== undefined ||
      node.taints.some((taint) => sameTaint(taint, taints.disrupted));
    count.total++;
    if (going || !isReady(node)) count.disrupting++;
  }
  return counts;
}
