import { allowedDisruptions } from "../../shared/core/disruption/budgets.ts";
import { claimNotes, type DisruptionReason, type Resources } from "../../shared/core/model/index.ts";
import type { KeptNodeClaim, KeptNodePool } from "../objects.ts";
import type { ClusterView } from "../view.ts";
import { metCondition } from "./claims.ts";
import { gauge, perObject } from "./definition.ts";
import { isGoing, isReadyNode } from "./eligible.ts";
import type { Family } from "./exposition.ts";
import { createGauge, type LabelValues } from "./instruments.ts";
import { resourceType } from "./resource-types.ts";

export const poolSeries = {
  usage: perObject(
    gauge("karpenter_nodepools_usage", ["resource_type", "nodepool"], "What the nodes of a NodePool have in all."),
  ),
  limit: perObject(
    gauge("karpenter_nodepools_limit", ["resource_type", "nodepool"], "What the nodes of a NodePool may have in all."),
  ),
  cost: perObject(
    gauge("karpenter_nodepools_cost_total", ["nodepool"], "What the nodes of a NodePool cost, in USD an hour."),
  ),
  allowed: gauge(
    "karpenter_nodepools_allowed_disruptions",
    ["nodepool", "reason"],
    "Nodes of a NodePool that its budgets let go at the same time.",
  ),
  consuming: gauge(
    "karpenter_nodepools_nodes_consuming_budgets",
    ["nodepool", "reason"],
    "Nodes of a NodePool that are down or going, which its budgets count.",
  ),
} as const;

/** In the spelling of NodePools' budgets, which these two series keep. */
const reasons: readonly DisruptionReason[] = ["Underutilized", "Empty", "Drifted"];

/** What Karpenter shows where no budget says anything: the largest 32-bit integer. */
const unlimited = 2 ** 31 - 1;

type Row = readonly [values: LabelValues, value: number];

export function createPoolSeries(view: ClusterView): readonly Family[] {
  return [
    createGauge(poolSeries.usage, () => resourceRows(view, ({ usage }) => usage)),
    createGauge(poolSeries.limit, () => resourceRows(view, ({ limits }) => limits)),
    createGauge(poolSeries.cost, () => costRows(view)),
    createGauge(poolSeries.allowed, (nowMs) =>
      perReason(view, (pool, { total }, reason) => budgetedNodes(pool, reason, total, nowMs)),
    ),
    createGauge(poolSeries.consuming, () => perReason(view, (_, { going }) => going)),
  ];
}

function* resourceRows(view: ClusterView, read: (pool: KeptNodePool) => Resources): Generator<Row> {
  for (const pool of view.all("NodePool")) {
    const amounts = read(pool);
    for (const resource in amounts) {
      const [type, unit] = resourceType(resource);
      yield [[type, pool.name], amounts[resource]! / unit];
    }
  }
}

/** A pool of which some launched claim's price is not known has no line: half a sum would look like a saving. */
function* costRows(view: ClusterView): Generator<Row> {
  const sums = new Map<string, number>();
  for (const claim of view.all("NodeClaim")) {
    if (claim.providerId === undefined || claim.nodePool === undefined) continue;
    const price = Number(claim.annotations[claimNotes.priceMicroUsd] ?? Number.NaN);
    sums.set(claim.nodePool, (sums.get(claim.nodePool) ?? 0) + price);
  }
  for (const { name } of view.all("NodePool")) {
    const microUsd = sums.get(name) ?? 0;
    if (!Number.isNaN(microUsd)) yield [[name], microUsd / 1e6];
  }
}

/** What the planner's own rule lets go, those on their way not yet taken off. */
function budgetedNodes(pool: KeptNodePool, reason: DisruptionReason, total: number, nowMs: number): number {
  return Math.min(unlimited, allowedDisruptions(pool, reason, { total, disrupting: 0 }, nowMs).allowed);
}

interface PoolCount {
  total: number;
  going: number;
}

function* perReason(
  view: ClusterView,
  read: (pool: KeptNodePool, count: PoolCount, reason: DisruptionReason) => number,
): Generator<Row> {
  const counts = countNodes(view);
  for (const pool of view.all("NodePool")) {
    const count = counts.get(pool.name) ?? { total: 0, going: 0 };
    for (const reason of reasons) yield [[pool.name, reason], read(pool, count, reason)];
  }
}

/** Nodes as budgets count them: initialized, their instances not being ended yet. */
function countNodes(view: ClusterView): ReadonlyMap<string, PoolCount> {
  const counts = new Map<string, PoolCount>();
  for (const claim of view.all("NodeClaim")) {
    if (claim.nodePool === undefined || !countsForBudgets(claim)) continue;
    const count = counts.get(claim.nodePool) ?? { total: 0, going: 0 };
    counts.set(claim.nodePool, count);
    const node = claim.nodeName === undefined ? undefined : view.node(claim.nodeName);
    count.total++;
    if (node === undefined || isGoing(claim, node) || !isReadyNode(node)) count.going++;
  }
  return counts;
}

function countsForBudgets({ conditions }: KeptNodeClaim): boolean {
  return (
    metCondition(conditions, "Initialized") !== undefined &&
    metCondition(conditions, "InstanceTerminating") === undefined
  );
}
