// The judge of neighbours for plans of any size: the rules of neighbours.ts, read from counts by rule and domain that are
// made once, instead of from every pair of pods. neighbours.test.ts holds the two against each other. It also counts the
// preferences that a plan honours.
import type {
  LabelSelector,
  Pod,
  PodAffinityTerm,
  ProvisioningPlan,
  Snapshot,
  TopologySpread,
} from "../../shared/core/model/index.ts";
import { keyOf, mayRun, tolerates } from "./feasibility.ts";
import { afterPlan, domainOf, type Place, portFaults, selected, selectedBy } from "./neighbours.ts";

type Counts = ReadonlyMap<string, number>;

interface SpreadCounts {
  /** Pods that the rule counts, by domain; every domain that counts is there. */
  readonly all: Counts;
  /** Those of them that are new and have other rules. */
  readonly later: Counts;
}

interface Ledger {
  readonly world: Snapshot;
  readonly places: readonly Place[];
  readonly spread: (pod: Pod, constraint: TopologySpread) => SpreadCounts;
  /** Pods that a term of this pod selects, by domain. */
  readonly near: (pod: Pod, term: PodAffinityTerm) => Counts;
  /** Every required anti-affinity term there is, with where its owners are. */
  readonly repelling: readonly { readonly owner: Pod; readonly term: PodAffinityTerm; readonly owners: Counts }[];
}

/** Everything that is wrong with where the plan puts pods in respect of others; empty: nothing. */
export function neighbourFaultsAtScale(world: Snapshot, plan: ProvisioningPlan): string[] {
  const ledger = openLedger(world, afterPlan(world, plan));
  return ledger.places.flatMap((place) =>
    place.fresh.flatMap((pod) => [
      ...pod.topologySpread
        .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === "DoNotSchedule")
        .filter((constraint) => !isEven(ledger, place, pod, constraint))
        .map(({ topologyKey }) => `${keyOf(pod)} on ${place.name}: spread over ${topologyKey}`),
      ...pod.requiredPodAffinity
        .filter((term) => !isNear(ledger, place, pod, term))
        .map(({ topologyKey }) => `${keyOf(pod)} on ${place.name}: near others over ${topologyKey}`),
      ...pod.requiredPodAntiAffinity
        .filter((term) => !isFar(ledger, place, pod, term))
        .map(({ topologyKey }) => `${keyOf(pod)} on ${place.name}: apart from others over ${topologyKey}`),
      ...ledger.repelling
        .filter(({ owner, term, owners }) => {
          const mine = domainOf(place, term.topologyKey);
          if (mine === undefined || !selectedBy(world, owner, term, pod)) return false;
          return (owners.get(mine) ?? 0) > (owns(pod, owner, term) ? 1 : 0);
        })
        .map(({ term }) => `${keyOf(pod)} on ${place.name}: others over ${term.topologyKey} repel it`),
      ...(pod.hostPorts.length === 0 ? [] : portFaults(place, pod)),
    ]),
  );
}

/** How many preferences the pods that the plan places have, and how many of them their places honour. */
export function preferencesHonoured(world: Snapshot, plan: ProvisioningPlan): { asked: number; honoured: number } {
  const ledger = openLedger(world, afterPlan(world, plan));
  let [asked, honoured] = [0, 0];
  const count = (holds: boolean): void => {
    asked += 1;
    if (holds) honoured += 1;
  };
  for (const place of ledger.places) {
    for (const pod of place.fresh) {
      const free = { ...pod, nodeSelector: {}, tolerations: [{ operator: "Exists" as const }] };
      for (const { term } of pod.preferredNodeAffinity)
        count(mayRun({ ...free, requiredNodeAffinity: [term] }, place.seen));
      for (const { term } of pod.preferredPodAffinity) count(isNear(ledger, place, pod, term));
      for (const { term } of pod.preferredPodAntiAffinity) count(isFar(ledger, place, pod, term));
      for (const constraint of pod.topologySpread) {
        if (constraint.whenUnsatisfiable === "ScheduleAnyway") count(isEven(ledger, place, pod, constraint));
      }
    }
  }
  return { asked, honoured };
}

function isEven(ledger: Ledger, place: Place, pod: Pod, constraint: TopologySpread): boolean {
  const mine = domainOf(place, constraint.topologyKey);
  if (mine === undefined) return false;
  const { all, later } = ledger.spread(pod, constraint);
  const least = all.size < (constraint.minDomains ?? 0) ? 0 : leastOf(all);
  return (all.get(mine) ?? 0) - (later.get(mine) ?? 0) - least <= constraint.maxSkew;
}

const least = new WeakMap<Counts, number>();
function leastOf(counts: Counts): number {
  const known = least.get(counts);
  if (known !== undefined) return known;
  let found = Number.POSITIVE_INFINITY;
  for (const count of counts.values()) if (count < found) found = count;
  least.set(counts, found);
  return found;
}

function isNear(ledger: Ledger, place: Place, pod: Pod, term: PodAffinityTerm): boolean {
  const mine = domainOf(place, term.topologyKey);
  if (mine === undefined) return false;
  const counts = ledger.near(pod, term);
  const self = selectedBy(ledger.world, pod, term, pod);
  if ((counts.get(mine) ?? 0) > (self ? 1 : 0)) return true;
  return self && [...counts.values()].reduce((sum, one) => sum + one, 0) === 1;
}

function isFar(ledger: Ledger, place: Place, pod: Pod, term: PodAffinityTerm): boolean {
  const mine = domainOf(place, term.topologyKey);
  if (mine === undefined) return true;
  const self = selectedBy(ledger.world, pod, term, pod) ? 1 : 0;
  return (ledger.near(pod, term).get(mine) ?? 0) <= self;
}

function owns(pod: Pod, owner: Pod, term: PodAffinityTerm): boolean {
  const text = JSON.stringify(term);
  return pod.namespace === owner.namespace && pod.requiredPodAntiAffinity.some((own) => JSON.stringify(own) === text);
}

function openLedger(world: Snapshot, places: readonly Place[]): Ledger {
  const texts = new WeakMap<object, string>();
  const text = (of: object | undefined): string => {
    if (of === undefined) return "";
    const known = texts.get(of) ?? JSON.stringify(of);
    texts.set(of, known);
    return known;
  };
  const kept = <T>(made: Map<string, T>, key: string, make: () => T): T => {
    const found = made.get(key) ?? make();
    made.set(key, found);
    return found;
  };
  const spreads = new Map<string, SpreadCounts>();
  const terms = new Map<string, Counts>();
  return {
    world,
    places,
    spread: (pod, constraint) => {
      const where = [pod.nodeSelector, pod.requiredNodeAffinity, pod.tolerations, pod.topologySpread].map(text);
      const key = [pod.namespace, text(constraint), ...where].join("|");
      return kept(spreads, key, () => spreadCounts(places, pod, constraint));
    },
    near: (pod, term) =>
      kept(terms, `${pod.namespace}|${text(term)}`, () =>
        countBy(places, term.topologyKey, (one) => selectedBy(world, pod, term, one)),
      ),
    repelling: repellingTerms(places, text),
  };
}

function countBy(places: readonly Place[], topologyKey: string, counts: (pod: Pod) => boolean): Counts {
  const byDomain = new Map<string, number>();
  for (const place of places) {
    const domain = domainOf(place, topologyKey);
    // A pod whose domain is not known yet is somewhere all the same: it counts where no domain is.
    const key = domain ?? "\0unknown";
    const here = place.pods.filter(counts).length;
    if (here > 0) byDomain.set(key, (byDomain.get(key) ?? 0) + here);
  }
  return byDomain;
}

function repellingTerms(places: readonly Place[], text: (of: object) => string): Ledger["repelling"] {
  const found = new Map<string, { owner: Pod; term: PodAffinityTerm; owners: Map<string, number> }>();
  for (const place of places) {
    for (const owner of place.pods) {
      // A term that stands twice in one pod repels no more than once.
      for (const term of new Map(owner.requiredPodAntiAffinity.map((one) => [text(one), one])).values()) {
        const key = `${owner.namespace}|${text(term)}`;
        const entry = found.get(key) ?? { owner, term, owners: new Map<string, number>() };
        found.set(key, entry);
        const domain = domainOf(place, term.topologyKey);
        if (domain !== undefined) entry.owners.set(domain, (entry.owners.get(domain) ?? 0) + 1);
      }
    }
  }
  return [...found.values()];
}

function spreadCounts(places: readonly Place[], pod: Pod, constraint: TopologySpread): SpreadCounts {
  const { topologyKey, nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
  const labelSelector: LabelSelector | undefined = constraint.labelSelector;
  const bare = { ...pod, tolerations: [{ operator: "Exists" as const }] };
  const rules = JSON.stringify(pod.topologySpread);
  const [all, later] = [new Map<string, number>(), new Map<string, number>()];
  for (const place of places) {
    const domain = domainOf(place, topologyKey);
    if (domain === undefined) continue;
    if (nodeAffinityPolicy === "Honor" && !mayRun(bare, place.seen)) continue;
    const hard = place.seen.taints.filter(({ effect }) => effect !== "PreferNoSchedule");
    if (nodeTaintsPolicy === "Honor" && !hard.every((taint) => tolerates(pod.tolerations, taint))) continue;
    const here = place.pods.filter(
      (one) => one.namespace === pod.namespace && one.deletionAtMs === undefined && selected(labelSelector, one),
    );
    all.set(domain, (all.get(domain) ?? 0) + here.length);
    const fresh = new Set(place.fresh);
    const others = here.filter((one) => fresh.has(one) && JSON.stringify(one.topologySpread) !== rules);
    later.set(domain, (later.get(domain) ?? 0) + others.length);
  }
  return { all, later };
}
