// Random worlds as manifests and a catalog file, which is what both planners read. Claims that have no node yet, and nodes
// that are on their way out, are left out: the plan's contract has no documents for what only a running cluster knows.
import type { Catalog, DaemonSet, Node, NodePool, Pod, Snapshot, Taint } from "../../shared/core/model/index.ts";
import { formatResources } from "../../shared/core/resources/index.ts";
import { nodeDocument, podDocument } from "../cluster/agreement-documents.ts";

export interface Scenario {
  readonly catalog: Catalog;
  readonly objects: readonly object[];
}

export function scenarioOf(world: Snapshot): Scenario {
  const unavailable = world.refusals
    .filter(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs > world.nowMs)
    .map(({ instanceType, zone, capacityType }) => ({ instanceType, zone, capacityType }));
  const managed = new Set(
    world.claims.filter(({ deletion }) => deletion === undefined).flatMap(({ nodeName }) => nodeName ?? []),
  );
  const hasPool = world.nodePools.some(({ name }) => name === "default");
  const leaving = new Set(world.claims.filter(({ deletion }) => deletion).flatMap(({ nodeName }) => nodeName ?? []));
  return {
    catalog: { ...world.catalog, unavailable },
    objects: [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } },
      ...world.nodePools.map(poolDocument),
      ...world.daemonSets.map(daemonSetDocument),
      ...world.nodes
        .filter(({ name }) => !leaving.has(name))
        .map((node) => joinedDocument(node, hasPool && managed.has(node.name))),
      ...world.pods.filter(({ nodeName }) => nodeName === undefined || !leaving.has(nodeName)).map(podOf),
    ],
  };
}

function podOf(pod: Pod): object {
  const document = written(withTerms(pod)) as { spec: object };
  return pod.nodeName === undefined ? document : { ...document, status: { phase: "Running" } };
}

/** Karpenter ignores pods that name `matchFields`, even if it asks for nothing: it is left out there. */
function written(pod: Pod): object {
  const text = JSON.stringify(podDocument(pod, pod.nodeName));
  return JSON.parse(text.replaceAll(',"matchFields":[]', "")) as object;
}

/**
 * The API takes no empty list of required terms. A term that asks for nothing matches no node, which Karpenter takes for
 * every node (exceptions.ts): so that it doesn't hide all else, random worlds go without.
 */
function withTerms({ requiredNodeAffinity, ...pod }: Pod): Pod {
  const terms = (requiredNodeAffinity ?? []).filter(
    ({ expressions, fields }) => expressions.length + fields.length > 0,
  );
  return terms.length === 0 ? pod : { ...pod, requiredNodeAffinity: terms };
}

function joinedDocument(node: Node, isManaged: boolean): object {
  const own = isManaged ? { "karpenter.sh/nodepool": "default" } : {};
  const labels = { ...node.labels, ...own };
  const seen = { name: node.name, labels, taints: node.taints, allocatable: node.allocatable };
  const { spec, ...document } = nodeDocument(seen) as { spec: object };
  return { ...document, spec: { ...spec, providerID: node.providerId } };
}

function daemonSetDocument({ namespace, name, template }: DaemonSet): object {
  const { spec } = written(withTerms({ ...template, namespace, name } as Pod)) as { spec: object };
  const labels = { daemon: name };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { namespace, name },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

/** The API takes no empty value for one. */
function valued({ key, value, effect }: Taint): object {
  return value === "" ? { key, effect } : { key, value, effect };
}

function poolDocument(pool: NodePool): object {
  const { name, weight, labels, taints, startupTaints, requirements, limits } = pool;
  const counted = Object.keys(limits).length === 0 ? {} : { limits: formatResources(limits) };
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: {
      weight,
      ...counted,
      template: {
        metadata: { labels },
        spec: {
          nodeClassRef: pool.nodeClassRef,
          requirements: requirements.map(({ key, operator, values }) =>
            values.length === 0 ? { key, operator } : { key, operator, values },
          ),
          taints: taints.map(valued),
          startupTaints: startupTaints.map(valued),
        },
      },
      disruption: { consolidateAfter: "0s" },
    },
  };
}
