import type { Logger } from "@aws-lambda-powertools/logger";
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { Telemetry } from "../../ports/index.ts";

interface Sample {
  readonly name: string;
  readonly value: number;
  readonly unit: (typeof MetricUnit)[keyof typeof MetricUnit];
}

export interface PowertoolsTelemetryOptions {
  readonly logger: Logger;
  readonly namespace: string;
  readonly serviceName: string;
  /** False: metrics are dropped (a world that shows its own). */
  readonly metrics?: boolean;
}

export interface PowertoolsTelemetry extends Telemetry {
  /** Writes what was measured since the last call: one EMF line for each set of labels. */
  flush(): void;
}

/** CloudWatch takes 100 values of a metric in one line (EMF's limit). */
const maxValuesPerLine = 100;

/**
 * Metrics as EMF lines, whose dimensions are the labels: a line's dimensions hold for all its metrics, so samples are
 * gathered by their labels. Log lines carry their fields as keys.
 */
export function createPowertoolsTelemetry(options: PowertoolsTelemetryOptions): PowertoolsTelemetry {
  const { logger, namespace, serviceName, metrics = true } = options;
  let groups = new Map<string, { labels: Readonly<Record<string, string>>; samples: Sample[] }>();

  function keep(sample: Sample, labels: Readonly<Record<string, string>> = {}): void {
    if (!metrics) return;
    const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
    const group = groups.get(key) ?? { labels, samples: [] };
    groups.set(key, group);
    group.samples.push(sample);
  }

  return {
    count: (name, value, labels) => keep({ name, value, unit: MetricUnit.Count }, labels),
    observe: (name, value, labels) => keep({ name, value, unit: MetricUnit.Seconds }, labels),
    gauge: (name, value, labels) => keep({ name, value, unit: MetricUnit.NoUnit }, labels),
    log: (level, message, fields = {}) => logger[level](message, fields),
    flush() {
      const written = groups;
      groups = new Map();
      for (const { labels, samples } of written.values()) {
        for (let at = 0; at < samples.length; at += maxValuesPerLine) {
          const line = new Metrics({ namespace, serviceName });
          line.addDimensions({ ...labels });
          for (const { name, unit, value } of samples.slice(at, at + maxValuesPerLine))
            line.addMetric(name, unit, value);
          line.publishStoredMetrics();
        }
      }
    },
  };
}
