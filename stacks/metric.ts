// What a metric is, as the list in metrics.ts writes it down.

/** `gauge`: how much there is. `count`: how often since the last line. `duration`: one value each, in seconds. */
export type MetricKind = "gauge" | "count" | "duration";

export type Unit = "Count" | "Seconds" | "Bytes";

export interface Metric {
  readonly name: string;
  readonly kind: MetricKind;
  readonly unit: Unit;
  /** The label beside `cluster` that is a dimension, with the values it can have (for the price). */
  readonly label?: { readonly name: string; readonly values: readonly string[] };
  /** Also for each cluster; without it the metric is of the whole deployment. */
  readonly perCluster: boolean;
  /** Labels that are searchable in the log lines, and no dimensions. */
  readonly properties: readonly string[];
  /** Folder names of functions. */
  readonly from: readonly string[];
  readonly meaning: string;
}

/** Its unit is its name's last word. Without `more` it is also of each cluster. */
export function metric(
  kind: MetricKind,
  name: string,
  from: string,
  meaning: string,
  more: Partial<Pick<Metric, "label" | "perCluster" | "properties">> = {},
): Metric {
  const unit = name.endsWith("_seconds") ? "Seconds" : name.endsWith("_bytes") ? "Bytes" : "Count";
  return { kind, name, unit, from: from.split(" "), meaning, perCluster: true, properties: [], ...more };
}
