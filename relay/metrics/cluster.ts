import type { Kind } from "../objects.ts";
import type { ClusterView } from "../view.ts";
import { gauge, perObject } from "./definition.ts";
import type { Family } from "./exposition.ts";
import { createGauge } from "./instruments.ts";
import type { NodeLoads } from "./node-load.ts";
import { resourceType } from "./resource-types.ts";
import { seconds } from "./seconds.ts";

export const clusterStateSeries = {
  nodeCount: gauge(
    "karpenter_cluster_state_node_count",
    [],
    "Nodes, and instances of NodeClaims whose node has not joined yet.",
  ),
  synced: gauge(
    "karpenter_cluster_state_synced",
    [],
    "1 if everything was listed and every NodeClaim has its instance, else 0.",
  ),
  unsynced: gauge(
    "karpenter_cluster_state_unsynced_time_seconds",
    [],
    "For how long the cluster's state is not synced.",
  ),
  utilization: perObject(
    gauge(
      "karpenter_cluster_utilization_percent",
      ["resource_type"],
      "What pods request of what all nodes have, in percent.",
    ),
  ),
} as const;

/** Without these, counts and sums say nothing. */
const needed: readonly Kind[] = ["Pod", "Node", "NodePool", "NodeClaim"];

export function createClusterStateSeries(
  view: ClusterView,
  loads: NodeLoads,
  clock: { now(): number },
): readonly Family[] {
  const startedAtMs = clock.now();
  const unlaunched = followUnlaunched(view);

  /** Since when it is not synced; undefined: it is. */
  function unsyncedSinceMs(): number | undefined {
    if (!needed.every((kind) => view.isListed(kind))) return startedAtMs;
    return unlaunched.oldestMs();
  }

  return [
    createGauge(clusterStateSeries.nodeCount, () => [[[], view.count("Node") + nodeless(view)]]),
    createGauge(clusterStateSeries.synced, () => [[[], unsyncedSinceMs() === undefined ? 1 : 0]]),
    createGauge(clusterStateSeries.unsynced, (nowMs) => [[[], seconds(unsyncedSinceMs() ?? nowMs, nowMs)]]),
    createGauge(clusterStateSeries.utilization, () => utilization(view, loads)),
  ];
}

/** Launched claims that no node belongs to. */
function nodeless(view: ClusterView): number {
  const joined = new Set([...view.all("Node")].map(({ providerId }) => providerId));
  let count = 0;
  for (const { providerId } of view.all("NodeClaim")) {
    if (providerId !== undefined && !joined.has(providerId)) count++;
  }
  return count;
}

/** When claims without an instance were made, by uid: few at any time, and in the order in which they came. */
function followUnlaunched(view: ClusterView): { oldestMs(): number | undefined } {
  const since = new Map<string, number>();
  for (const claim of view.all("NodeClaim"))
    if (claim.providerId === undefined) since.set(claim.uid, claim.createdAtMs);
  view.onChange("NodeClaim", (before, after) => {
    if (after !== undefined && after.providerId === undefined) since.set(after.uid, after.createdAtMs);
    else since.delete((after ?? before)?.uid ?? "");
  });
  return {
    oldestMs: () => (since.size === 0 ? undefined : [...since.values()].reduce((a, b) => Math.min(a, b))),
  };
}

function* utilization(view: ClusterView, loads: NodeLoads): Generator<readonly [readonly string[], number]> {
  const has = new Map<string, number>();
  const asked = new Map<string, number>();
  for (const { name, allocatable } of view.all("Node")) {
    for (const resource in allocatable) has.set(resource, (has.get(resource) ?? 0) + allocatable[resource]!);
    for (const [resource, amount] of loads.get(name)?.requests ?? []) {
      asked.set(resource, (asked.get(resource) ?? 0) + amount);
    }
  }
  for (const [resource, amount] of has) {
    if (amount > 0) yield [[resourceType(resource)[0]], (100 * (asked.get(resource) ?? 0)) / amount];
  }
}
