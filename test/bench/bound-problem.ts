// What a lower bound needs to know: groups of equal pods, candidates to put them on, and who may go where.
import { buildInstanceTypes, expandInstanceFamilies } from "../../shared/core/catalog/index.ts";
import {
  type InstanceType,
  labels,
  type NodePool,
  type Pod,
  type PodSpec,
  type Snapshot,
} from "../../shared/core/model/index.ts";
import { Requirements, wellKnownLabels } from "../../shared/core/requirements/index.ts";
import { fits, sumResources } from "../../shared/core/resources/index.ts";
import { selects, untoleratedTaint } from "../../shared/core/scheduling/index.ts";

export interface Group {
  readonly pod: Pod;
  readonly count: number;
  /** Amounts along `resources` of the problem. */
  readonly wants: readonly number[];
  /** Required anti-affinity terms on the hostname that repel the pod's own kind, as text. */
  readonly repels: readonly string[];
}

/** An instance type under a pool that admits it, at its cheapest available offering that the pool allows. */
export interface Candidate {
  readonly name: string;
  readonly pool: NodePool;
  readonly requirements: Requirements;
  readonly priceUsd: number;
  readonly has: readonly number[];
  /** One entry a group: pods of it may sit here and one fits an empty node. */
  readonly takes: readonly boolean[];
}

export interface BoundProblem {
  readonly groups: readonly Group[];
  readonly candidates: readonly Candidate[];
}

export function boundProblem(snapshot: Snapshot): BoundProblem {
  const pods = snapshot.pods.filter((pod) => pod.nodeName === undefined && pod.phase === "Pending");
  const resources = [...new Set(pods.flatMap((pod) => Object.keys(pod.requests)))].sort();
  const groups = groupsOf(pods, resources);
  const candidates = snapshot.nodePools.flatMap((pool) => candidatesOf(pool, snapshot, groups, resources));
  return { groups, candidates: undominated(candidates.filter(({ takes }) => takes.includes(true))) };
}

function groupsOf(pods: readonly Pod[], resources: readonly string[]): Group[] {
  const groups = new Map<string, { pod: Pod; count: number; repels: string[] }>();
  for (const pod of pods) {
    const repels = pod.requiredPodAntiAffinity
      .filter(({ topologyKey, labelSelector }) => topologyKey === labels.hostname && selects(labelSelector, pod.labels))
      .map((term) => JSON.stringify([pod.namespace, term.labelSelector]))
      .sort();
    const { requests, tolerations, nodeSelector, requiredNodeAffinity } = pod;
    const key = JSON.stringify([requests, tolerations, nodeSelector, requiredNodeAffinity, repels]);
    const group = groups.get(key) ?? { pod, count: 0, repels };
    groups.set(key, group);
    group.count++;
  }
  return [...groups.values()].map((group) => ({
    ...group,
    wants: resources.map((resource) => group.pod.requests[resource] ?? 0),
  }));
}

function candidatesOf(
  pool: NodePool,
  snapshot: Snapshot,
  groups: readonly Group[],
  resources: readonly string[],
): Candidate[] {
  const nodeClass = snapshot.nodeClasses.find(({ name }) => name === pool.nodeClassRef.name);
  if (nodeClass === undefined) return [];
  const types = buildInstanceTypes(snapshot.catalog, nodeClass, snapshot.settings);
  const asked = Requirements.of(expandInstanceFamilies(pool, types).requirements).intersection(
    Requirements.fromLabels({ ...pool.labels, [labels.nodePool]: pool.name }),
  );
  const daemons = snapshot.daemonSets
    .filter(({ template }) => runsEverywhere(template, pool))
    .map(({ template }) => template.requests);
  const tolerated = groups.map(({ pod }) => untoleratedTaint(pod.tolerations, pool.taints) === undefined);
  const asks = groups.map(({ pod }) => asksOf(pod));
  return types.flatMap((type): Candidate[] => {
    const brought = Requirements.of(
      Object.entries(type.labels).map(([key, values]) => ({ key, operator: "In" as const, values })),
    );
    if (!admits(asked, brought)) return [];
    const priceUsd = cheapestUsd(type, asked);
    if (priceUsd === undefined) return [];
    // A daemon that not even an empty node holds never runs there.
    const kept = sumResources(daemons.filter((requests) => fits(requests, type.allocatable)));
    const has = resources.map((resource) => (type.allocatable[resource] ?? 0) - (kept[resource] ?? 0));
    const requirements = asked.intersection(brought);
    const takes = groups.map(
      ({ wants }, group) =>
        tolerated[group]! &&
        wants.every((amount, axis) => amount <= has[axis]!) &&
        asks[group]!.some((ask) => requirements.compatible(ask, { allowUndefined: wellKnownLabels })),
    );
    return [{ name: type.name, pool, requirements, priceUsd, has, takes }];
  });
}

/** A daemon that no node of the pool is without; of the others the bound takes no room, which can only lower it. */
function runsEverywhere({ tolerations, nodeSelector, requiredNodeAffinity }: PodSpec, { taints }: NodePool): boolean {
  return (
    Object.keys(nodeSelector).length === 0 &&
    requiredNodeAffinity === undefined &&
    untoleratedTaint(tolerations, taints) === undefined
  );
}

/** A type meets what a pool asks of labels that types bring; the pool's own labels are no business of the type. */
function admits(asked: Requirements, brought: Requirements): boolean {
  for (const requirement of asked) {
    const own = brought.get(requirement.key);
    if (
      own === undefined
        ? wellKnownLabels.has(requirement.key) && !requirement.absent && requirement.key !== labels.nodePool
        : !own.intersects(requirement)
    )
      return false;
  }
  return true;
}

function cheapestUsd(type: InstanceType, asked: Requirements): number | undefined {
  const prices = type.offerings
    .filter((offering) => offering.available)
    .filter(({ zone }) => asked.get(labels.zone)?.has(zone) ?? true)
    .filter(({ capacityType }) => asked.get(labels.capacityType)?.has(capacityType) ?? true)
    .map(({ priceMicroUsd }) => priceMicroUsd);
  return prices.length === 0 ? undefined : Math.min(...prices) / 1_000_000;
}

/** One conjunction for each OR'd term. */
function asksOf(pod: Pod): Requirements[] {
  const selector = Requirements.fromLabels(pod.nodeSelector);
  if (pod.requiredNodeAffinity === undefined) return [selector];
  return pod.requiredNodeAffinity.map(({ expressions }) => selector.intersection(Requirements.of(expressions)));
}

/** Without those for which another of the pool is as good in everything and costs no more: swapping them costs nothing. */
function undominated(candidates: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  const cheapestFirst = [...candidates].sort(
    (a, b) => a.priceUsd - b.priceUsd || b.has[0]! - a.has[0]! || (a.name < b.name ? -1 : 1),
  );
  for (const candidate of cheapestFirst) {
    const isDominated = kept.some(
      (other) =>
        other.pool === candidate.pool &&
        other.has.every((amount, axis) => amount >= candidate.has[axis]!) &&
        candidate.takes.every((takes, group) => !takes || other.takes[group]!),
    );
    if (!isDominated) kept.push(candidate);
  }
  return kept;
}
