import { dimensionSets, type Metric, metrics } from "./metrics.ts";

// What the metrics cost: CloudWatch bills each combination of dimension values by the hours in which it gets values.

/** A metric a month in us-east-1, by how many an account has in a region: so many at this price, then the next tier. */
const tiers: readonly { readonly metrics: number; readonly microUsd: number }[] = [
  { metrics: 10_000, microUsd: 300_000 },
  { metrics: 240_000, microUsd: 100_000 },
  { metrics: 750_000, microUsd: 50_000 },
  { metrics: Number.POSITIVE_INFINITY, microUsd: 20_000 },
];

/** What so many metrics cost a month that get values in every hour. */
export function monthlyMicroUsd(count: number): number {
  let left = count;
  let sum = 0;
  for (const tier of tiers) {
    const taken = Math.min(left, tier.metrics);
    sum += taken * tier.microUsd;
    left -= taken;
  }
  return sum;
}

/** How many metrics there are at most, if every label had each of its values in an hour. */
export function mostMetrics(list: readonly Metric[] = metrics): {
  readonly deployment: number;
  readonly cluster: number;
} {
  let deployment = 0;
  let cluster = 0;
  for (const metric of list) {
    for (const set of dimensionSets(metric)) {
      const values = set.some((name) => name === metric.label?.name) ? (metric.label?.values.length ?? 1) : 1;
      if (set.includes("cluster")) cluster += values;
      else deployment += values;
    }
  }
  return { deployment, cluster };
}
