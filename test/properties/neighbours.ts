// The judge of rules between pods, as slow and obvious as the other and without a line of the solver: Kubernetes' topology
// spread, pod affinity and anti-affinity, and host ports, on the state that a plan leads to.
import type {
  HostPort,
  LabelSelector,
  Pod,
  PodAffinityTerm,
  ProvisioningPlan,
  Snapshot,
  TopologySpread,
} from "../../shared/core/model/index.ts";
import { keyOf, mayRun, type Seen, tolerates } from "./feasibility.ts";

/** A node as far as it is known: labels with one possible value, and its pods. */
export interface Place {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly seen: Seen;
  readonly pods: readonly Pod[];
  readonly fresh: readonly Pod[];
}

export function selected(selector: LabelSelector | undefined, pod: Pod): boolean {
  if (selector === undefined) return false;
  return (
    Object.entries(selector.matchLabels).every(([key, value]) => pod.labels[key] === value) &&
    selector.matchExpressions.every(({ key, operator, values }) => {
      const value = pod.labels[key];
      if (operator === "Exists") return value !== undefined;
      if (operator === "DoesNotExist") return value === undefined;
      const among = value !== undefined && values.includes(value);
      return operator === "In" ? among : !among;
    })
  );
}

export function selectedBy(world: Snapshot, owner: Pod, term: PodAffinityTerm, other: Pod): boolean {
  const { namespaces, namespaceSelector } = term;
  const space = world.namespaces.find(({ name }) => name === other.namespace)?.labels ?? {};
  const inside =
    namespaces.length === 0 && namespaceSelector === undefined
      ? other.namespace === owner.namespace
      : namespaces.includes(other.namespace) ||
        (namespaceSelector !== undefined && selected(namespaceSelector, { ...other, labels: space }));
  return inside && selected(narrowed(term.labelSelector, owner, term.matchLabelKeys, term.mismatchLabelKeys), other);
}

/** The selector of a rule, narrowed to pods that have the owner's values of some labels, and others' values of others. */
function narrowed(
  selector: LabelSelector | undefined,
  owner: Pod,
  same: readonly string[],
  different: readonly string[] = [],
): LabelSelector | undefined {
  if (selector === undefined) return undefined;
  const asks = (keys: readonly string[], operator: "In" | "NotIn") =>
    keys.flatMap((key) => {
      const value = owner.labels[key];
      return value === undefined ? [] : [{ key, operator, values: [value] }];
    });
  const more = [...asks(same, "In"), ...asks(different, "NotIn")];
  return { ...selector, matchExpressions: [...selector.matchExpressions, ...more] };
}

const over = (pod: Pod) => pod.phase === "Succeeded" || pod.phase === "Failed";

/** The cluster once the plan has come true: pods that are planned stand only in their new places. */
export function afterPlan(world: Snapshot, plan: ProvisioningPlan): Place[] {
  const byKey = new Map(world.pods.map((pod) => [keyOf(pod), pod]));
  const planned = new Set([...plan.claims, ...plan.placements].flatMap(({ pods }) => pods));
  const claimOf = new Map(world.claims.map((claim) => [claim.instance?.providerId ?? "", claim]));
  const put = (target: string) =>
    plan.placements.filter((p) => p.target === target).flatMap((p) => p.pods.map((key) => byKey.get(key)!));
  const single = (requirements: Snapshot["claims"][number]["requirements"]) =>
    Object.fromEntries(
      requirements.flatMap(({ key, operator, values }) =>
        operator === "In" && values.length === 1 ? [[key, values[0]!]] : [],
      ),
    );
  const places: Place[] = world.nodes.map((node) => {
    const claim = claimOf.get(node.providerId ?? "-");
    const name = claim?.name ?? node.name;
    // The pods of a node that is on its way out are on theirs, whether or not they have a new place.
    const stay = world.pods.filter(
      (pod) => pod.nodeName === node.name && !over(pod) && !planned.has(keyOf(pod)) && claim?.deletion === undefined,
    );
    const fresh = put(name);
    // Taints of its start are gone once it is initialized.
    const isYoung = claim !== undefined && claim.initializedAtMs === undefined;
    const taints = node.taints.filter(({ key }) => !(isYoung && claim.startupTaints.some((one) => one.key === key)));
    const seen = { name: node.name, labels: node.labels, taints, allocatable: node.allocatable };
    return { name, labels: node.labels, seen, pods: [...stay, ...fresh], fresh };
  });
  for (const claim of world.claims) {
    if (places.some(({ name }) => name === claim.name)) continue;
    const fresh = put(claim.name);
    const labels = { ...claim.labels, ...single(claim.requirements) };
    const seen = { name: "", labels, taints: claim.taints, allocatable: {} };
    places.push({ name: claim.name, labels, seen, pods: fresh, fresh });
  }
  for (const claim of plan.claims) {
    const fresh = claim.pods.map((key) => byKey.get(key)!);
    const labels = { ...claim.labels, ...single(claim.requirements) };
    const seen = { name: "", labels, taints: claim.taints, allocatable: {} };
    places.push({ name: claim.name, labels, seen, pods: fresh, fresh });
  }
  return places;
}

/** Every place is a host of its own, whatever its label says. */
export function domainOf(place: Place, key: string): string | undefined {
  return key === "kubernetes.io/hostname" ? place.name : place.labels[key];
}

/** Everything that is wrong with where the plan puts pods in respect of others; empty: nothing. */
export function neighbourFaults(world: Snapshot, plan: ProvisioningPlan): string[] {
  const places = afterPlan(world, plan);
  return places.flatMap((place) =>
    place.fresh.flatMap((pod) => [
      ...pod.topologySpread
        .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === "DoNotSchedule")
        .flatMap((constraint) => spreadFaults(places, place, pod, constraint)),
      ...pod.requiredPodAffinity.flatMap((term) => nearFaults(world, places, place, pod, term)),
      ...pod.requiredPodAntiAffinity.flatMap((term) => farFaults(world, places, place, pod, term)),
      ...repelledFaults(world, places, place, pod),
      ...portFaults(place, pod),
    ]),
  );
}

export function spreadFaults(places: readonly Place[], place: Place, pod: Pod, constraint: TopologySpread): string[] {
  const { topologyKey: key, maxSkew, nodeAffinityPolicy, nodeTaintsPolicy, minDomains } = constraint;
  const labelSelector = narrowed(constraint.labelSelector, pod, constraint.matchLabelKeys);
  const what = `${keyOf(pod)} on ${place.name}: spread over ${key}`;
  const mine = domainOf(place, key);
  if (mine === undefined) return [`${what}: the node has no such label`];
  const counts = new Map<string, number>();
  // Newcomers that only count for the rule may come after its owners, in whatever domain: they are no fault of theirs.
  let later = 0;
  for (const other of places) {
    const domain = domainOf(other, key);
    if (domain === undefined || lacksLabels(other, pod)) continue;
    const bare = { ...pod, tolerations: [{ operator: "Exists" as const }] };
    if (nodeAffinityPolicy === "Honor" && !mayRun(bare, other.seen)) continue;
    const hard = other.seen.taints.filter(({ effect }) => effect !== "PreferNoSchedule");
    if (nodeTaintsPolicy === "Honor" && !hard.every((taint) => tolerates(pod.tolerations, taint))) continue;
    const here = other.pods.filter(
      (one) => one.namespace === pod.namespace && one.deletionAtMs === undefined && selected(labelSelector, one),
    );
    counts.set(domain, (counts.get(domain) ?? 0) + here.length);
    if (domain !== mine) continue;
    const owners = here.filter((one) => JSON.stringify(one.topologySpread) === JSON.stringify(pod.topologySpread));
    later += here.filter((one) => other.fresh.includes(one) && !owners.includes(one)).length;
  }
  const least = counts.size < (minDomains ?? 0) ? 0 : Math.min(...counts.values());
  const skew = (counts.get(mine) ?? 0) - later - least;
  return skew > maxSkew ? [`${what}: skew ${skew} of ${JSON.stringify([...counts])}`] : [];
}

/** kube-scheduler counts only nodes that have the labels of all of a pod's required spreads. */
function lacksLabels(place: Place, pod: Pod): boolean {
  const keys = pod.topologySpread
    .filter((one) => one.whenUnsatisfiable === "DoNotSchedule")
    .map((one) => one.topologyKey);
  // Whatever a claim becomes, it will be somewhere, bought in some way.
  const settled = ["topology.kubernetes.io/zone", "karpenter.sh/capacity-type"];
  const will = (key: string) => place.seen.name === "" && settled.includes(key);
  return keys.some((key) => domainOf(place, key) === undefined && !will(key));
}

export function nearFaults(
  world: Snapshot,
  places: readonly Place[],
  place: Place,
  pod: Pod,
  term: PodAffinityTerm,
): string[] {
  const what = `${keyOf(pod)} on ${place.name}: near others over ${term.topologyKey}`;
  const mine = domainOf(place, term.topologyKey);
  if (mine === undefined) return [`${what}: the node has no such label`];
  // kube-scheduler counts only pods that every term means, and only on nodes that have a term's label. Where it counts
  // none at all, a pod may be its own first company.
  const isMeant = (one: Pod) => pod.requiredPodAffinity.every((each) => selectedBy(world, pod, each, one));
  const near = places.filter((other) => other.pods.some((one) => one.uid !== pod.uid && isMeant(one)));
  if (near.some((other) => domainOf(other, term.topologyKey) === mine)) return [];
  const isAlone = near.every((other) =>
    pod.requiredPodAffinity.every(({ topologyKey }) => domainOf(other, topologyKey) === undefined),
  );
  return isAlone && isMeant(pod) ? [] : [`${what}: none is there`];
}

function farFaults(world: Snapshot, places: readonly Place[], place: Place, pod: Pod, term: PodAffinityTerm): string[] {
  const mine = domainOf(place, term.topologyKey);
  if (mine === undefined) return [];
  return places.flatMap((other) => {
    const theirs = domainOf(other, term.topologyKey);
    if (theirs !== undefined && theirs !== mine) return [];
    return other.pods
      .filter((one) => one.uid !== pod.uid && selectedBy(world, pod, term, one))
      .filter(() => theirs === mine)
      .map((one) => `${keyOf(pod)} on ${place.name}: apart from ${keyOf(one)} over ${term.topologyKey}`);
  });
}

function repelledFaults(world: Snapshot, places: readonly Place[], place: Place, pod: Pod): string[] {
  return places.flatMap((other) =>
    other.pods
      .filter((one) => one.uid !== pod.uid)
      .flatMap((one) => one.requiredPodAntiAffinity.map((term) => ({ one, term })))
      .filter(({ one, term }) => selectedBy(world, one, term, pod))
      .filter(({ term }) => {
        const mine = domainOf(place, term.topologyKey);
        return mine !== undefined && mine === domainOf(other, term.topologyKey);
      })
      .map(({ one }) => `${keyOf(pod)} on ${place.name}: ${keyOf(one)} repels it`),
  );
}

export function portFaults(place: Place, pod: Pod): string[] {
  const any = (ip: string) => ip === "" || ip === "0.0.0.0" || ip === "::";
  const clash = (a: HostPort, b: HostPort) =>
    a.port === b.port && a.protocol === b.protocol && (a.hostIp === b.hostIp || any(a.hostIp) || any(b.hostIp));
  return place.pods
    .filter((other) => other.uid !== pod.uid)
    .filter((other) => other.hostPorts.some((theirs) => pod.hostPorts.some((mine) => clash(mine, theirs))))
    .map((other) => `${keyOf(pod)} on ${place.name}: a host port of ${keyOf(other)}`);
}
