import { labels, type Resources } from "../../shared/core/model/index.ts";
import { subtractResources } from "../../shared/core/resources/index.ts";
import type { KeptNode, KeptNodeClaim } from "../objects.ts";
import type { ClusterView } from "../view.ts";
import { deletionRequestedAtMs } from "./claims.ts";
import { counter, doublingBuckets, gauge, histogram, perObject, summary } from "./definition.ts";
import { type Family, inBlocks, labelText, sampleLine } from "./exposition.ts";
import { createCounter, createHistogram, createSummary } from "./instruments.ts";
import type { NodeLoad, NodeLoads } from "./node-load.ts";
import { amountsOf, resourceType } from "./resource-types.ts";
import { seconds } from "./seconds.ts";

const wellKnown: readonly string[] = [
  labels.nodePool,
  labels.zone,
  labels.region,
  labels.instanceType,
  labels.arch,
  labels.os,
  labels.capacityType,
  "node.kubernetes.io/windows-build",
  ...[
    "capacity-reservation-id",
    "capacity-reservation-type",
    "capacity-reservation-interruptible",
    "instance-hypervisor",
    "instance-encryption-in-transit-supported",
    "instance-category",
    "instance-capability-flex",
    "instance-family",
    "instance-generation",
    "instance-size",
    "instance-local-nvme",
    "instance-cpu",
    "instance-cpu-manufacturer",
    "instance-cpu-sustained-clock-speed-mhz",
    "instance-memory",
    "instance-ebs-bandwidth",
    "instance-network-bandwidth",
    "instance-gpu-name",
    "instance-gpu-manufacturer",
    "instance-gpu-count",
    "instance-gpu-memory",
    "instance-accelerator-name",
    "instance-accelerator-manufacturer",
    "instance-accelerator-count",
    "instance-tenancy",
    "placement-group-id",
    "placement-group-partition",
  ].map((name) => `karpenter.k8s.aws/${name}`),
  labels.zoneId,
];

/** Karpenter's well-known node labels and the names that they have on its series (facts §3.2). */
const nodeLabelNames: readonly (readonly [key: string, name: string])[] = wellKnown.map((key) => [
  key,
  key
    .slice(key.indexOf("/") + 1)
    .toLowerCase()
    .replaceAll("-", "_"),
]);

const nodeLabels = [...nodeLabelNames.map(([, name]) => name), "node_name", "phase", "managed"];
const resourceLabels = [...nodeLabels, "resource_type"];

const hour = 3600;
/** Karpenter's bounds: from a quarter of an hour to thirty days. */
const lifetimeBuckets = [
  ...[0.25, 0.5, 0.75, 1, 2, 4, 6, 8, 10, 12, 16, 20].map((hours) => hours * hour),
  ...[1, 2, 3, 5, 10, 15, 20, 25, 30].map((days) => days * 24 * hour),
];

/** Bounds of our own: Karpenter's for NodeClaims, with the ten minutes that the known alert asks about among them. */
const terminationBuckets = [...doublingBuckets(1, 10), 600, 1024, 2048, 4096, 8192];

export const nodeSeries = {
  allocatable: perObject(gauge("karpenter_nodes_allocatable", resourceLabels, "What a node has for pods.")),
  podRequests: perObject(
    gauge(
      "karpenter_nodes_total_pod_requests",
      resourceLabels,
      "What a node's pods request, its DaemonSets' included.",
    ),
  ),
  podLimits: perObject(
    gauge(
      "karpenter_nodes_total_pod_limits",
      resourceLabels,
      "What a node's pods are limited to, its DaemonSets' included.",
    ),
  ),
  daemonRequests: perObject(
    gauge("karpenter_nodes_total_daemon_requests", resourceLabels, "What the pods of DaemonSets on a node request."),
  ),
  daemonLimits: perObject(
    gauge(
      "karpenter_nodes_total_daemon_limits",
      resourceLabels,
      "What the pods of DaemonSets on a node are limited to.",
    ),
  ),
  overhead: perObject(
    gauge(
      "karpenter_nodes_system_overhead",
      resourceLabels,
      "What a node keeps for itself: its capacity without what pods may have.",
    ),
  ),
  age: perObject(gauge("karpenter_nodes_current_lifetime_seconds", nodeLabels, "A node's age.")),
  created: counter("karpenter_nodes_created_total", ["nodepool", "zone"], "Nodes that joined and were registered."),
  terminated: counter("karpenter_nodes_terminated_total", ["nodepool", "zone"], "Nodes that are gone."),
  termination: {
    ...summary(
      "karpenter_nodes_termination_duration_seconds",
      ["nodepool"],
      "From the wish that a node goes until it was gone.",
    ),
    buckets: terminationBuckets,
  },
  lifetime: histogram(
    "karpenter_nodes_lifetime_duration_seconds",
    ["nodepool"],
    lifetimeBuckets,
    "How old nodes were when they were gone.",
  ),
} as const;

/** Series of nodes. Counts are of what was seen since the first list; what it held is not new. */
export function createNodeSeries(view: ClusterView, loads: NodeLoads, clock: { now(): number }): readonly Family[] {
  const created = createCounter(nodeSeries.created);
  const terminated = createCounter(nodeSeries.terminated);
  const termination = createSummary(nodeSeries.termination, clock);
  const lifetime = createHistogram(nodeSeries.lifetime);
  const leaving = followLeaving(view);

  view.onChange("Node", (before, after) => {
    if (!view.isListed("Node")) return;
    const node = after ?? before;
    const nodePool = node?.labels[labels.nodePool];
    if (node === undefined || nodePool === undefined) return;
    const zone = node.labels[labels.zone] ?? "";
    if (after !== undefined) {
      if (isRegistered(after) && !(before !== undefined && isRegistered(before))) created.add([nodePool, zone]);
      return;
    }
    const nowMs = clock.now();
    terminated.add([nodePool, zone]);
    lifetime.observe([nodePool], seconds(node.createdAtMs, nowMs));
    const sinceMs = Math.min(leaving.take(node.name) ?? nowMs, node.deletionAtMs ?? nowMs);
    termination.observe([nodePool], seconds(sinceMs, nowMs));
  });

  const perResource = (definition: Family["definition"], read: (node: KeptNode) => Resources): Family => ({
    definition,
    blocks: () => inBlocks(resourceLines(view, definition.name, read)),
  });
  const ofLoad = (read: (load: NodeLoad) => Resources) => (node: KeptNode) => {
    const load = loads.get(node.name);
    return load === undefined ? {} : read(load);
  };
  return [
    perResource(nodeSeries.allocatable, ({ allocatable }) => allocatable),
    perResource(
      nodeSeries.podRequests,
      ofLoad(({ requests }) => amountsOf(requests)),
    ),
    perResource(
      nodeSeries.podLimits,
      ofLoad(({ limits, pods }) => ({ ...amountsOf(limits), pods })),
    ),
    perResource(
      nodeSeries.daemonRequests,
      ofLoad(({ daemonRequests }) => amountsOf(daemonRequests)),
    ),
    perResource(
      nodeSeries.daemonLimits,
      ofLoad(({ daemonLimits, daemons }) => (daemons === 0 ? {} : { ...amountsOf(daemonLimits), pods: daemons })),
    ),
    perResource(nodeSeries.overhead, ({ capacity, allocatable }) => subtractResources(capacity, allocatable)),
    { definition: nodeSeries.age, blocks: (nowMs) => inBlocks(ageLines(view, nowMs)) },
    created,
    terminated,
    termination,
    lifetime,
  ];
}

function isRegistered(node: KeptNode): boolean {
  return node.labels[labels.registered] === "true";
}

/**
 * When nodes were first wished gone, by name. It is the wish written in the NodeClaim that counts: here the Node itself is
 * deleted last, when its instance is no more.
 */
function followLeaving(view: ClusterView): { take(nodeName: string): number | undefined } {
  const since = new Map<string, number>();
  const note = (claim: KeptNodeClaim) => {
    const atMs = deletionRequestedAtMs(claim);
    if (atMs !== undefined && claim.nodeName !== undefined) since.set(claim.nodeName, atMs);
  };
  for (const claim of view.all("NodeClaim")) note(claim);
  view.onChange("NodeClaim", (before, after) => {
    if (after !== undefined) note(after);
    else if (before?.nodeName !== undefined && view.node(before.nodeName) === undefined) since.delete(before.nodeName);
  });
  return {
    take(nodeName) {
      const atMs = since.get(nodeName);
      since.delete(nodeName);
      return atMs;
    },
  };
}

/** A node's labels as text, kept for as long as the node stays as it is. Labels that it lacks are left out: no value and no label are one to Prometheus. */
const ownLabels = new WeakMap<KeptNode, string>();

function labelsOf(node: KeptNode, view: ClusterView): string {
  let text = ownLabels.get(node);
  if (text === undefined) {
    const known = nodeLabelNames.flatMap(([key, name]) => {
      const value = node.labels[key];
      return value === undefined || value === "" ? [] : [labelText(name, value)];
    });
    text = [...known, labelText("node_name", node.name)].join(",");
    ownLabels.set(node, text);
  }
  return `${text},managed="${view.claimOfNode(node.name) !== undefined}"`;
}

function* resourceLines(view: ClusterView, name: string, read: (node: KeptNode) => Resources): Generator<string> {
  for (const node of view.all("Node")) {
    const own = labelsOf(node, view);
    const amounts = read(node);
    for (const resource in amounts) {
      const [type, unit] = resourceType(resource);
      yield sampleLine(name, `${own},resource_type="${type}"`, amounts[resource]! / unit);
    }
  }
}

function* ageLines(view: ClusterView, nowMs: number): Generator<string> {
  for (const node of view.all("Node")) {
    yield sampleLine(nodeSeries.age.name, labelsOf(node, view), seconds(node.createdAtMs, nowMs));
  }
}
