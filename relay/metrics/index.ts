// Karpenter's metrics, from what the relay sees: the series that people's Prometheus, dashboards and alerts ask the Service
// `karpenter` for, with Karpenter's names, labels and bounds. Answers to pkg/metrics, pkg/controllers/metrics and AWS'
// operatorpkg. On purpose different: values are read from the view when they are asked for, instead of being kept a second
// time; counters count from the relay's start, and what the first list holds is not new; and nothing is shown that only
// the functions know (docs/metrics.md says for every series where it is).
import type { Wakes } from "../../shared/ports/index.ts";
import type { ClusterView } from "../view.ts";
import { claimSeries, createClaimSeries } from "./claims.ts";
import { clusterStateSeries, createClusterStateSeries } from "./cluster.ts";
import { conditionSeries, genericConditionSeries } from "./condition-series.ts";
import { createConditionSeries } from "./conditions.ts";
import type { SeriesDefinition } from "./definition.ts";
import { createEligibleSeries, eligibleSeries } from "./eligible.ts";
import { exposition, type Family } from "./exposition.ts";
import { followNodeLoads } from "./node-load.ts";
import { createNodeSeries, nodeSeries } from "./nodes.ts";
import { createOfferingSeries, offeringSeries } from "./offerings.ts";
import { createPodSeries, podSeries } from "./pods.ts";
import { createPoolSeries, poolSeries } from "./pools.ts";
import { createReplicaSeries, createWakeSeries, type ReplicaFacts, replicaSeries } from "./replica.ts";

export type { SeriesDefinition } from "./definition.ts";
export { expositionContentType } from "./exposition.ts";
export type { ReplicaFacts } from "./replica.ts";

/** Every series that the relay can show. */
export const seriesDefinitions: readonly SeriesDefinition[] = [
  ...[
    podSeries,
    nodeSeries,
    claimSeries,
    poolSeries,
    offeringSeries,
    eligibleSeries,
    clusterStateSeries,
    replicaSeries,
  ].flatMap((series): readonly SeriesDefinition[] => Object.values(series)),
  ...[...Object.values(conditionSeries), genericConditionSeries].flatMap((series) => Object.values(series)),
];

export interface MetricsOptions {
  /** Before anything is listed into it, or after: what it holds by then is not counted as new. */
  readonly view: ClusterView;
  readonly clock: { now(): number };
  /** False (Karpenter's DISABLE_CLUSTER_STATE_OBSERVABILITY): without the series that grow with pods, nodes and claims. */
  readonly observeClusterState: boolean;
  readonly replica: ReplicaFacts;
}

export interface Metrics {
  /** The same queue, each wake counted and timed. */
  measured(wakes: Wakes): Wakes;
  /**
   * All series in the text format, in pieces of some ten kilobytes. Those of the cluster only where the lease is held:
   * the other replica follows the view as well, so that it can take over, and shows nothing of it.
   */
  pieces(): Generator<string>;
}

export function createMetrics({ view, clock, observeClusterState, replica }: MetricsOptions): Metrics {
  const wakes = createWakeSeries(clock);
  const own = [...createReplicaSeries(replica), ...wakes.families];
  const ofCluster = createClusterSeries(view, clock).filter(
    ({ definition }) => observeClusterState || definition.perObject !== true,
  );
  return {
    measured: wakes.measured,
    *pieces() {
      yield* exposition(own, clock.now());
      if (replica.isLeader()) yield* exposition(ofCluster, clock.now());
    },
  };
}

function createClusterSeries(view: ClusterView, clock: { now(): number }): readonly Family[] {
  const loads = followNodeLoads(view);
  return [
    ...createClusterStateSeries(view, loads, clock),
    ...createPoolSeries(view),
    ...createOfferingSeries(view),
    ...createClaimSeries(view, clock),
    ...createEligibleSeries(view, loads),
    ...createNodeSeries(view, loads, clock),
    ...createConditionSeries(view, clock),
    ...createPodSeries(view, clock),
  ];
}
