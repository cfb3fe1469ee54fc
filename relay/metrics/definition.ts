/** What a series is, whatever its values: the head of its family in the exposition. */
export interface SeriesDefinition {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram" | "summary";
  /** One sentence of ours. */
  readonly help: string;
  /** In the order in which they are written. */
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets, rising, without +Inf. */
  readonly buckets?: readonly number[];
  /** Grows with pods or nodes: left out where the cluster's state is not to be observed. */
  readonly perObject?: true;
}

/** Karpenter's bounds for durations, in seconds (facts §3.2). */
export const durationBuckets: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60, 120, 150, 300, 450, 600,
];

/** The first bound and its doublings, `count` in all. */
export function doublingBuckets(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first * 2 ** index);
}

export function counter(name: string, labels: readonly string[], help: string): SeriesDefinition {
  return { name, type: "counter", labels, help };
}

export function gauge(name: string, labels: readonly string[], help: string): SeriesDefinition {
  return { name, type: "gauge", labels, help };
}

export function histogram(
  name: string,
  labels: readonly string[],
  buckets: readonly number[],
  help: string,
): SeriesDefinition {
  return { name, type: "histogram", labels, buckets, help };
}

export function summary(name: string, labels: readonly string[], help: string): SeriesDefinition {
  return { name, type: "summary", labels, help };
}

/** Not written where the cluster's state is not to be observed. */
export function perObject(definition: SeriesDefinition): SeriesDefinition {
  return { ...definition, perObject: true };
}
