// Karpenter's metrics, from what the relay sees: the series that people's Prometheus, dashboards and alerts ask the Service
// `karpenter` for, with Karpenter's names, labels and bounds. Answers to pkg/metrics, pkg/controllers/metrics and AWS'
// operatorpkg. On purpose different: values are read from the view when they are asked for, instead of being kept a second
// time; counters count from the relay's start, and what the first list holds is not new; and nothing is shown that only
// the functions know (docs/metrics.md says for every series where it is).
import type { ClusterView } from "../view.ts";
import { claimSeries, createClaimSeries } from "./claims.ts";
import { clusterStateSeries, createClusterStateSeries } from "./cluster.ts";
import { conditionSeries, genericConditionSeries } from "./condition-series.ts";
import { createConditionSeries } from "./conditions.ts";
import type { SeriesDefinition } from "./definition.ts";
import { createEligibleSeries, eligibleSeries } from "./eligible.ts";
import type { Family } from "./exposition.ts";
import { followNodeLoads } from "./node-load.ts";
import { createNodeSeries, nodeSeries } from "./nodes.ts";
import { createPodSeries, podSeries } from "./pods.ts";
import { createPoolSeries, poolSeries } from "./pools.ts";
import { replicaSeries } from "./replica.ts";

export { claimNotes } from "./claims.ts";
export type { SeriesDefinition } from "./definition.ts";
export { exposition, expositionContentType, type Family } from "./exposition.ts";
export { createReplicaSeries, createWakeSeries, type ReplicaFacts, type WakeSeries } from "./replica.ts";
export { sendExposition } from "./send-exposition.ts";

/** Every series that the relay can show. */
export const seriesDefinitions: readonly SeriesDefinition[] = [
  ...[podSeries, nodeSeries, claimSeries, poolSeries, eligibleSeries, clusterStateSeries, replicaSeries].flatMap(
    (series): readonly SeriesDefinition[] => Object.values(series),
  ),
  ...[...Object.values(conditionSeries), genericConditionSeries].flatMap((series) => Object.values(series)),
];

export interface ClusterSeriesOptions {
  /** Before anything is listed into it, or after: what it holds by then is not counted as new. */
  readonly view: ClusterView;
  readonly clock: { now(): number };
  /** False (Karpenter's DISABLE_CLUSTER_STATE_OBSERVABILITY): without the series that grow with pods, nodes and claims. */
  readonly observeClusterState: boolean;
}

/**
 * The cluster's series, for the replica that holds the lease; the other follows the view as well, so that it can take
 * over, and shows nothing of it. `exposition` writes them.
 */
export function createClusterSeries({ view, clock, observeClusterState }: ClusterSeriesOptions): readonly Family[] {
  const loads = followNodeLoads(view);
  const families = [
    ...createClusterStateSeries(view, loads, clock),
    ...createPoolSeries(view),
    ...createClaimSeries(view, clock),
    ...createEligibleSeries(view, loads),
    ...createNodeSeries(view, loads, clock),
    ...createConditionSeries(view, clock),
    ...createPodSeries(view, clock),
  ];
  return observeClusterState ? families : families.filter(({ definition }) => definition.perObject !== true);
}
