// An independent judge of plans: slow, obvious, and without a line of the solver. It re-states kube-scheduler's filters
// (resources, taints, node selectors and affinity) and the NodePool's rules, and tries every node that a claim could
// become: each of its types in each place and way that its requirements leave open.
import { buildInstanceTypes } from "../../shared/core/catalog/index.ts";
import type {
  DaemonSet,
  InstanceType,
  NodeClaim,
  NodePool,
  Offering,
  PlannedClaim,
  Pod,
  PodSpec,
  ProvisioningPlan,
  RequirementSpec,
  Snapshot,
  Taint,
  Toleration,
} from "../../shared/core/model/index.ts";

const typeLabel = "node.kubernetes.io/instance-type";

type Labels = Record<string, string>;
type Amounts = Record<string, number>;

/** A node as kube-scheduler will see it. */
export interface Seen {
  readonly name: string;
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  readonly allocatable: Amounts;
}

export function keyOf(pod: Pod): string {
  return `${pod.namespace}/${pod.name}`;
}

function holds({ operator, values }: RequirementSpec, value: string | undefined): boolean {
  const number = value === undefined || !/^\d+$/.test(value) ? Number.NaN : Number(value);
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return number > Number(values[0]);
    case "Gte":
      return number >= Number(values[0]);
    case "Lt":
      return number < Number(values[0]);
    case "Lte":
      return number <= Number(values[0]);
  }
}

export function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some((t) => {
    if (t.effect !== undefined && t.effect !== taint.effect) return false;
    if (t.key === undefined || t.key === "") return t.operator === "Exists";
    return t.key === taint.key && (t.operator === "Exists" || (t.value ?? "") === taint.value);
  });
}

export function mayRun(spec: PodSpec, on: Seen, hostMatters = true): boolean {
  for (const taint of on.taints) {
    if (taint.effect !== "PreferNoSchedule" && !tolerates(spec.tolerations, taint)) return false;
  }
  for (const [key, value] of Object.entries(spec.nodeSelector)) if (on.labels[key] !== value) return false;
  const host = (key: string) => !hostMatters && key === "kubernetes.io/hostname";
  return (
    spec.requiredNodeAffinity === undefined ||
    spec.requiredNodeAffinity.some(
      ({ expressions, fields }) =>
        expressions.length + fields.length > 0 &&
        expressions.every((e) => host(e.key) || holds(e, on.labels[e.key])) &&
        fields.every((f) => !hostMatters || holds(f, on.name)),
    )
  );
}

export function sum(all: readonly Readonly<Amounts>[]): Amounts {
  const total: Amounts = {};
  for (const one of all) for (const name of Object.keys(one)) total[name] = (total[name] ?? 0) + one[name]!;
  return total;
}

export function within(asked: Readonly<Amounts>, there: Readonly<Amounts>): boolean {
  return Object.keys(asked).every((name) => asked[name]! <= 0 || asked[name]! <= (there[name] ?? 0));
}

/** Daemons that will run on this node. One that not even an empty node could hold never does. */
function daemonsOn(sets: readonly DaemonSet[], on: Seen, except: ReadonlySet<string> = new Set()): Amounts[] {
  return sets
    .filter(
      ({ uid, template }) =>
        !except.has(uid) && mayRun(template, on, false) && within(template.requests, on.allocatable),
    )
    .map(({ template }) => template.requests);
}

const isReserved = (o: Offering) => o.reservationId !== undefined;

export function isOpen(snapshot: Snapshot, type: InstanceType, o: Offering): boolean {
  const refused = snapshot.refusals.some(
    (r) =>
      r.instanceType === type.name &&
      r.zone === o.zone &&
      r.capacityType === o.capacityType &&
      (r.untilMs === undefined || r.untilMs > snapshot.nowMs),
  );
  return o.available && !refused && (!isReserved(o) || o.reservationCount! > 0);
}

const labelsMade = new WeakMap<Offering, Labels>();
/** The labels that EC2's answer settles; kept, since large plans ask for them at every claim. */
function launchedLabels(type: InstanceType, o: Offering): Readonly<Labels> {
  const labels: Labels = labelsMade.get(o) ?? {};
  if (labelsMade.has(o)) return labels;
  labelsMade.set(o, labels);
  for (const [key, values] of Object.entries(type.labels)) if (values.length === 1) labels[key] = values[0]!;
  labels["topology.kubernetes.io/zone"] = o.zone;
  labels["karpenter.sh/capacity-type"] = o.capacityType;
  delete labels["topology.k8s.aws/zone-id"];
  if (o.zoneId !== "") labels["topology.k8s.aws/zone-id"] = o.zoneId;
  for (const key of ["id", "type", "interruptible"]) delete labels[`karpenter.k8s.aws/capacity-reservation-${key}`];
  if (o.reservationId !== undefined) labels["karpenter.k8s.aws/capacity-reservation-id"] = o.reservationId;
  return labels;
}

/** Built once for a snapshot: large plans ask for them at every claim. */
const typesBuilt = new WeakMap<Snapshot, Map<string, readonly InstanceType[]>>();

export function typesFor(snapshot: Snapshot, nodeClass: string): readonly InstanceType[] {
  const built = typesBuilt.get(snapshot) ?? new Map<string, readonly InstanceType[]>();
  typesBuilt.set(snapshot, built);
  const found = snapshot.nodeClasses.find(({ name }) => name === nodeClass);
  const types = built.get(nodeClass) ?? (found ? buildInstanceTypes(snapshot.catalog, found, snapshot.settings) : []);
  built.set(nodeClass, types);
  return types;
}

/** Every node that a claim might become, given what EC2 sells now. */
export function outcomes(
  snapshot: Snapshot,
  claim: Pick<PlannedClaim, "nodeClass" | "requirements" | "instanceTypes" | "labels" | "taints" | "nodePool">,
): { readonly type: InstanceType; readonly offering: Offering; readonly seen: Seen }[] {
  return typesFor(snapshot, claim.nodeClass)
    .filter(({ name }) => claim.instanceTypes.includes(name))
    .flatMap((type) =>
      type.offerings
        .filter((offering) => isOpen(snapshot, type, offering))
        .map((offering) => {
          const own: Labels = {
            "karpenter.sh/nodepool": claim.nodePool,
            "karpenter.k8s.aws/ec2nodeclass": claim.nodeClass,
          };
          const labels = { ...claim.labels, ...launchedLabels(type, offering), ...own };
          return { type, offering, seen: { name: "", labels, taints: claim.taints, allocatable: type.allocatable } };
        })
        .filter(({ seen }) =>
          claim.requirements.every((r) => {
            const given = seen.labels[r.key];
            // A label with several values per type and none that an offering settles (tenancy) is the launch's to choose.
            return holds(r, given) || (given === undefined && (type.labels[r.key] ?? []).length > 1);
          }),
        ),
    );
}

/** Nodes and claims that are there, each as every node that it may be; with what is taken already. */
function standing(snapshot: Snapshot): Map<string, { seen: Seen[]; used: Amounts; daemons: ReadonlySet<string> }> {
  const places = new Map<string, { seen: Seen[]; used: Amounts; daemons: ReadonlySet<string> }>();
  const claimByProvider = new Map(snapshot.claims.map((c) => [c.instance?.providerId ?? "", c]));
  const live = (nodeName: string) =>
    snapshot.pods.filter((p) => p.nodeName === nodeName && p.phase !== "Succeeded" && p.phase !== "Failed");
  const leavingNodes = snapshot.claims.filter((c) => c.deletion !== undefined).map((c) => c.nodeName);
  const nominatedTo = (target: string) => {
    const keys = snapshot.placements.filter((p) => p.target === target).flatMap((p) => p.pods);
    return snapshot.pods.filter(
      (p) =>
        keys.includes(keyOf(p)) &&
        p.deletionAtMs === undefined &&
        (p.nodeName === undefined || leavingNodes.includes(p.nodeName)),
    );
  };
  for (const node of snapshot.nodes) {
    const claim = claimByProvider.get(node.providerId ?? "-");
    const target = claim?.name ?? node.name;
    const taints = node.taints.filter(
      (t) =>
        claim === undefined || claim.initializedAtMs !== undefined || !claim.startupTaints.some((s) => s.key === t.key),
    );
    const here = live(node.name);
    places.set(target, {
      seen: [{ name: node.name, labels: node.labels, taints, allocatable: node.allocatable }],
      used: sum([...here, ...nominatedTo(target)].map((p) => p.requests)),
      daemons: new Set(here.flatMap((p) => p.owner?.uid ?? [])),
    });
  }
  for (const claim of snapshot.claims) {
    if (places.has(claim.name)) continue;
    places.set(claim.name, {
      seen: outcomes(snapshot, claim).map(({ seen }) => seen),
      used: sum(nominatedTo(claim.name).map((p) => p.requests)),
      daemons: new Set(),
    });
  }
  return places;
}

function largest(types: readonly InstanceType[]): Amounts {
  const most: Amounts = { nodes: 1 };
  for (const { capacity } of types)
    for (const [name, amount] of Object.entries(capacity)) most[name] = Math.max(most[name] ?? 0, amount);
  return most;
}

/** What the limits of a pool leave after what is there and after the plan. */
export function limitsLeft(snapshot: Snapshot, plan: ProvisioningPlan, pool: NodePool): Amounts {
  const useOf = (c: NodeClaim | PlannedClaim): Amounts =>
    "instance" in c && c.instance !== undefined
      ? { ...c.instance.capacity, nodes: 1 }
      : largest(typesFor(snapshot, c.nodeClass).filter(({ name }) => c.instanceTypes.includes(name)));
  const counted = snapshot.claims.filter((c) => c.deletion === undefined && c.commandId === undefined);
  const used = sum([...counted, ...plan.claims].filter((c) => c.nodePool === pool.name).map(useOf));
  return Object.fromEntries(Object.entries(pool.limits).map(([name, limit]) => [name, limit - (used[name] ?? 0)]));
}

/** Everything that is wrong with a plan, in words; empty: nothing. */
export function faults(snapshot: Snapshot, plan: ProvisioningPlan): string[] {
  const wrong: string[] = [];
  const podByKey = new Map(snapshot.pods.map((pod) => [keyOf(pod), pod]));
  const seenPods = new Map<string, number>();
  const note = (key: string) => seenPods.set(key, (seenPods.get(key) ?? 0) + 1);
  for (const claim of plan.claims) {
    for (const key of claim.pods) note(key);
    wrong.push(
      ...claimFaults(
        snapshot,
        claim,
        claim.pods.map((key) => podByKey.get(key)!),
      ),
    );
  }
  const places = standing(snapshot);
  for (const { target, pods } of plan.placements) {
    for (const key of pods) note(key);
    const place = places.get(target);
    if (place === undefined || place.seen.length === 0) wrong.push(`placement on ${target}, which is not there`);
    for (const seen of place?.seen ?? []) {
      const members = pods.map((key) => podByKey.get(key)!);
      for (const pod of members) if (!mayRun(pod, seen)) wrong.push(`${keyOf(pod)} may not run on ${target}`);
      const daemons = daemonsOn(snapshot.daemonSets, seen, place!.daemons);
      const total = sum([place!.used, ...daemons, ...members.map(({ requests }) => requests)]);
      if (!within(total, seen.allocatable)) wrong.push(`${target} is overfull`);
    }
  }
  for (const { pod } of plan.unschedulable) note(pod);
  for (const { pod } of plan.ignored) note(pod);
  for (const pod of snapshot.pods) {
    const times = seenPods.get(keyOf(pod)) ?? 0;
    if (pod.nodeName === undefined && pod.phase === "Pending" && times !== 1)
      wrong.push(`${keyOf(pod)} is named ${times} times`);
  }
  for (const pool of snapshot.nodePools) {
    for (const [name, left] of Object.entries(limitsLeft(snapshot, plan, pool))) {
      if (left < 0 && plan.claims.some((c) => c.nodePool === pool.name))
        wrong.push(`${pool.name} exceeds its limit of ${name}`);
    }
  }
  for (const { id, count } of snapshot.catalog.reserved) {
    const holds = ({ requirements }: { readonly requirements: readonly RequirementSpec[] }) =>
      requirements.some(({ key, values }) => key.endsWith("capacity-reservation-id") && values.includes(id));
    const holders = [...snapshot.claims.filter((c) => c.instance === undefined), ...plan.claims].filter(holds);
    if (holders.length > count) wrong.push(`${holders.length} claims count on the ${count} slots of ${id}`);
  }
  const names = new Set(plan.claims.map(({ name }) => name));
  if (names.size !== plan.claims.length) wrong.push("two claims have one name");
  return wrong;
}

function claimFaults(snapshot: Snapshot, claim: PlannedClaim, pods: readonly Pod[]): string[] {
  const wrong: string[] = [];
  const pool = snapshot.nodePools.find(({ name }) => name === claim.nodePool)!;
  if (claim.instanceTypes.length > 60) wrong.push(`${claim.name} has more than 60 types`);
  if (pods.length === 0) wrong.push(`${claim.name} has no pods`);
  const possible = outcomes(snapshot, claim);
  for (const name of claim.instanceTypes) {
    if (!possible.some(({ type }) => type.name === name)) wrong.push(`${claim.name}: ${name} cannot be bought`);
  }
  for (const { type, seen } of possible) {
    const where = `${claim.name} as ${type.name}`;
    for (const pod of pods) if (!mayRun(pod, seen)) wrong.push(`${keyOf(pod)} may not run on ${where}`);
    for (const r of pool.requirements) {
      if (!holds(r, seen.labels[r.key]) && (seen.labels[r.key] !== undefined || (type.labels[r.key] ?? []).length < 2))
        wrong.push(`${where} breaks ${r.key} of its pool`);
    }
    const total = sum([...pods.map(({ requests }) => requests), ...daemonsOn(snapshot.daemonSets, seen)]);
    if (!within(total, seen.allocatable)) wrong.push(`${where} is overfull`);
  }
  const price = Math.min(...possible.map(({ offering }) => offering.priceMicroUsd));
  if (claim.cheapest.priceMicroUsd !== price)
    wrong.push(`${claim.name} is ${price}, not ${claim.cheapest.priceMicroUsd}`);
  for (const { key, minValues } of pool.requirements) {
    const values = new Set(possible.map(({ seen }) => seen.labels[key]));
    if (minValues !== undefined && values.size < minValues)
      wrong.push(`${claim.name} has ${values.size} values of ${key}`);
  }
  return wrong;
}

/**
 * Unplaced pods that could still be added to the plan: to a node that is there, or on a new node of their own. Pools with
 * floors are not tried.
 */
export function missedPlaces(snapshot: Snapshot, plan: ProvisioningPlan): string[] {
  const missed: string[] = [];
  const podByKey = new Map(snapshot.pods.map((pod) => [keyOf(pod), pod]));
  const places = standing(snapshot);
  for (const { pod: key } of plan.unschedulable) {
    const pod = podByKey.get(key)!;
    for (const [target, { seen, used, daemons }] of places) {
      const added = plan.placements
        .filter((p) => p.target === target)
        .flatMap((p) => p.pods.map((k) => podByKey.get(k)!.requests));
      const claim = snapshot.claims.find(({ name }) => name === target);
      if (claim?.deletion !== undefined || claim?.commandId !== undefined || seen.length === 0) continue;
      // A claim that may become several nodes must satisfy one and the same term as each of them.
      const surely = termsOf(pod).some((variant) => seen.every((s) => mayRun(variant, s)));
      if (
        surely &&
        seen.every((s) =>
          within(sum([used, ...added, pod.requests, ...daemonsOn(snapshot.daemonSets, s, daemons)]), s.allocatable),
        )
      ) {
        missed.push(`${key} fits on ${target}`);
      }
    }
    for (const pool of snapshot.nodePools) {
      if (pool.replicas !== undefined || pool.deletionAtMs !== undefined) continue;
      if (pool.requirements.some(({ minValues }) => minValues !== undefined)) continue;
      // Places of one type and own labels: no zone is chosen only to get away from a daemon.
      const alike = Map.groupBy(ownNodes(snapshot, plan, pool), ({ labels }) => `${labels[typeLabel]}/${labels.team}`);
      const fits = (seen: Seen) =>
        within(sum([pod.requests, ...daemonsOn(snapshot.daemonSets, seen)]), seen.allocatable);
      for (const nodes of alike.values()) {
        const allowed = nodes.filter((seen) => mayRun(pod, seen));
        if (allowed.length === 0 || !allowed.every(fits)) continue;
        missed.push(`${key} fits on a new node of ${pool.name}`);
        break;
      }
    }
  }
  return missed;
}

/** The pod once for each of its OR'd terms. */
function termsOf(pod: Pod): Pod[] {
  return pod.requiredNodeAffinity?.map((term) => ({ ...pod, requiredNodeAffinity: [term] })) ?? [pod];
}

/** Every single node that the pool could still get: types within its limits, offerings, values of its own labels. */
function ownNodes(snapshot: Snapshot, plan: ProvisioningPlan, pool: NodePool): Seen[] {
  const left = limitsLeft(snapshot, plan, pool);
  const ready = snapshot.nodeClasses.some(({ name, ready: is }) => name === pool.nodeClassRef.name && is);
  if (!ready) return [];
  return typesFor(snapshot, pool.nodeClassRef.name)
    .filter(({ capacity }) =>
      Object.keys(left).every((name) => (name === "nodes" ? 1 : (capacity[name] ?? 0)) <= left[name]!),
    )
    .flatMap((type) =>
      type.offerings
        .filter((offering) => isOpen(snapshot, type, offering) && !isReserved(offering))
        .flatMap((offering) => {
          const base = { ...launchedLabels(type, offering), ...pool.labels, "karpenter.sh/nodepool": pool.name };
          return withOwnLabels(pool, base).map((labels) => ({
            name: "",
            labels,
            taints: pool.taints,
            allocatable: type.allocatable,
          }));
        })
        .filter(({ labels }) => pool.requirements.every((r) => holds(r, labels[r.key]))),
    );
}

function withOwnLabels(pool: NodePool, base: Labels): Labels[] {
  return pool.requirements
    .filter(({ key, operator }) => operator === "In" && !(key in base) && !key.includes("/"))
    .reduce<Labels[]>(
      (all, { key, values }) => all.flatMap((l) => values.map((value) => ({ ...l, [key]: value }))),
      [base],
    );
}
