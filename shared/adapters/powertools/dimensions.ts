// Which labels of a measurement become dimensions of a CloudWatch metric. Every combination of dimension values is a
// metric that is billed by itself, so only labels with few values do; the others are keys of the log line, for searches.

/** Counts and durations have the same dimensions, so they share lines. */
export type MetricKind = "count" | "gauge";

type Labels = Readonly<Record<string, string>>;

/** Of a cluster's metrics, and of the deployment's. */
const ofClusters = ["reason"] as const;
/** Gauges need them; of counts and durations they would multiply the number. */
const ofGauges = ["phase", "capacity_type"] as const;
/** What has one of these is of interest for the whole deployment: the log says of which cluster. */
const ofDeployments = ["controller", "message_type", "error", "method"] as const;

export interface Measured {
  /** Dimension sets beside `service`: each is a metric. */
  readonly sets: readonly Labels[];
  readonly properties: Labels;
}

/**
 * The deployment's sum, its parts by label, and the same of the cluster. A gauge has no sum: that of its phases or capacity
 * types is left out, and where there is one, of clusters and reasons, it is the highest value that counts. `perCluster` false leaves the cluster a key of the line: a thousand clusters then cost no more than one.
 */
export function dimensionsOf(kind: MetricKind, labels: Labels, perCluster: boolean): Measured {
  const parts = kind === "gauge" ? pick(labels, ofGauges) : {};
  const few = { ...pick(labels, ofClusters), ...parts };
  const general = pick(labels, ofDeployments);
  // Of an error, which call it was is for the log: a metric for each pair would be many.
  if (general.error !== undefined) delete general.method;
  const own = { ...general, ...few };
  const isPart = Object.keys(parts).length > 0;
  const sets = isPart || Object.keys(own).length === 0 ? [own] : [{}, own];
  const { cluster } = labels;
  if (cluster !== undefined && perCluster && Object.keys(general).length === 0) {
    for (const set of [...sets]) sets.push({ cluster, ...set });
  }
  const used = new Set(sets.flatMap((set) => Object.keys(set)));
  return {
    sets,
    properties: pick(
      labels,
      Object.keys(labels).filter((name) => !used.has(name)),
    ),
  };
}

function pick(labels: Labels, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = labels[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}
