// Plans judged from outside: a plan is read back from what a planner printed, and its feasibility, cost and flexibility are
// taken from the judges of test/properties and the catalog, not from the planner's own sums.
import type { PlannedClaim, ProvisioningPlan, Snapshot } from "../../shared/core/model/index.ts";
import { faults, keyOf, mayRun, outcomes, type Seen, sum, typesFor, within } from "../properties/feasibility.ts";
import { neighbourFaultsAtScale, preferencesHonoured } from "../properties/feasibility-at-scale.ts";
import { median } from "./timing.ts";

/** The fields of `timmerman plan -o json` that say where pods go. Both planners print them. */
export interface PrintedPlan {
  readonly nodeClaims: readonly {
    readonly name: string;
    readonly nodePool: string;
    readonly instanceTypes: readonly string[];
    readonly requirements: PlannedClaim["requirements"] | readonly { key: string; operator: string }[] | null;
    readonly labels: Readonly<Record<string, string>> | null;
    readonly taints: readonly { key: string; value?: string; effect: string }[] | null;
    readonly pods: readonly string[];
  }[];
  readonly existingNodes: readonly { readonly node: string; readonly pods: readonly string[] }[];
  readonly unschedulable: readonly { readonly pod: string; readonly reason: string }[];
  readonly ignored: readonly { readonly pod: string; readonly reason: string }[];
}

export interface Judgement {
  readonly nodes: number;
  readonly placed: number;
  readonly unplaced: number;
  /** Of the new nodes, each at the cheapest offering that its claim leaves open. */
  readonly costPerHour: number;
  readonly typesPerClaim: {
    readonly min: number;
    readonly median: number;
    /** Claims with fewer than 15 types though every pod on them alone could run on 15 or more types of the pool. */
    readonly needlesslyFew: number;
  };
  readonly preferences: { readonly asked: number; readonly honoured: number };
  /** The first ten; `faultCount` counts all. */
  readonly faults: readonly string[];
  readonly faultCount: number;
}

/** Types that a claim should name where its pool allows it. */
const enoughTypes = 15;

/** A printed plan in the model's words. Prices are left to the judge: `cheapest` is what the catalog says. */
export function readPlan(printed: PrintedPlan, snapshot: Snapshot): ProvisioningPlan {
  const pools = new Map(snapshot.nodePools.map((pool) => [pool.name, pool]));
  const claimOfNode = new Map(snapshot.claims.map(({ name, nodeName }) => [nodeName ?? name, name]));
  const claims = printed.nodeClaims.map((claim): PlannedClaim => {
    const pool = pools.get(claim.nodePool)!;
    const bare = {
      name: claim.name,
      nodePool: claim.nodePool,
      nodePoolUid: pool.uid,
      nodePoolHash: pool.hash,
      nodeClass: pool.nodeClassRef.name,
      nodeClassHash: "",
      requirements: ((claim.requirements ?? []) as PlannedClaim["requirements"]).map((requirement) => ({
        ...requirement,
        values: requirement.values ?? [],
      })),
      instanceTypes: claim.instanceTypes,
      labels: claim.labels ?? {},
      annotations: {},
      taints: (claim.taints ?? []).map((taint) => ({ ...taint, value: taint.value ?? "" })) as PlannedClaim["taints"],
      startupTaints: [],
      requests: {},
      expireAfterMs: null,
      terminationGracePeriodMs: null,
      pods: claim.pods,
    };
    return { ...bare, cheapest: cheapestOf(snapshot, bare) };
  });
  return {
    claims,
    placements: printed.existingNodes.map(({ node, pods }) => ({ target: claimOfNode.get(node) ?? node, pods })),
    unschedulable: printed.unschedulable.map(({ pod, reason }) => ({ pod, reason, nodePools: {} })),
    ignored: printed.ignored,
    warnings: [],
    buffers: [],
    nextChangeAtMs: null,
  };
}

function cheapestOf(snapshot: Snapshot, claim: Parameters<typeof outcomes>[1]): PlannedClaim["cheapest"] {
  let best: PlannedClaim["cheapest"] | undefined;
  for (const { type, offering } of outcomes(snapshot, claim)) {
    const { zone, capacityType, priceMicroUsd } = offering;
    if (best === undefined || priceMicroUsd < best.priceMicroUsd)
      best = { instanceType: type.name, zone, capacityType, priceMicroUsd };
  }
  return best ?? { instanceType: "", zone: "", capacityType: "on-demand", priceMicroUsd: Number.POSITIVE_INFINITY };
}

export function judged(snapshot: Snapshot, printed: PrintedPlan): Judgement {
  const plan = readPlan(printed, snapshot);
  const found = [...faults(snapshot, plan), ...neighbourFaultsAtScale(snapshot, plan)];
  const counts = plan.claims.map(({ instanceTypes }) => instanceTypes.length).sort((a, b) => a - b);
  const costMicroUsd = plan.claims.reduce((total, { cheapest }) => total + cheapest.priceMicroUsd, 0);
  return {
    nodes: plan.claims.length,
    placed: [...plan.claims, ...plan.placements].reduce((total, { pods }) => total + pods.length, 0),
    unplaced: plan.unschedulable.length + plan.ignored.length,
    costPerHour: costMicroUsd / 1_000_000,
    typesPerClaim: { min: counts[0] ?? 0, median: median(counts), needlesslyFew: needlesslyFew(snapshot, plan) },
    preferences: preferencesHonoured(snapshot, plan),
    faults: found.slice(0, 10),
    faultCount: found.length,
  };
}

/** Claims with too few types that had a choice: see Judgement. */
function needlesslyFew(snapshot: Snapshot, plan: ProvisioningPlan): number {
  const pods = new Map(snapshot.pods.map((pod) => [keyOf(pod), pod]));
  const spaces = new Map<string, readonly Seen[]>();
  const spaceOf = (claim: PlannedClaim): readonly Seen[] => {
    const pool = snapshot.nodePools.find(({ name }) => name === claim.nodePool)!;
    const instanceTypes = typesFor(snapshot, claim.nodeClass).map(({ name }) => name);
    const requirements = pool.requirements;
    const space =
      spaces.get(claim.nodePool) ??
      outcomes(snapshot, { ...claim, requirements, instanceTypes, labels: pool.labels }).map(({ seen }) => seen);
    spaces.set(claim.nodePool, space);
    return space;
  };
  const choices = new Map<string, number>();
  const daemons = sum(snapshot.daemonSets.map(({ template }) => template.requests));
  const choiceOf = (claim: PlannedClaim, key: string): number => {
    const pod = pods.get(key)!;
    const { requests, nodeSelector, requiredNodeAffinity, tolerations } = pod;
    const alike = JSON.stringify([claim.nodePool, requests, nodeSelector, requiredNodeAffinity, tolerations]);
    const known = choices.get(alike);
    if (known !== undefined) return known;
    const types = new Set<string>();
    for (const seen of spaceOf(claim)) {
      const name = seen.labels["node.kubernetes.io/instance-type"]!;
      if (!types.has(name) && within(sum([requests, daemons]), seen.allocatable) && mayRun(pod, seen)) types.add(name);
    }
    choices.set(alike, types.size);
    return types.size;
  };
  return plan.claims.filter(
    (claim) =>
      claim.instanceTypes.length < enoughTypes && claim.pods.every((key) => choiceOf(claim, key) >= enoughTypes),
  ).length;
}
