import type { Logger } from "@aws-lambda-powertools/logger";
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { Telemetry } from "../../ports/index.ts";
import { dimensionsOf } from "./dimensions.ts";

type Labels = Readonly<Record<string, string>>;
type Kind = "count" | "duration" | "gauge";

interface Group {
  readonly isGauges: boolean;
  readonly labels: Labels;
  /** By metric. */
  readonly values: Map<string, number[]>;
}

export interface PowertoolsTelemetryOptions {
  readonly logger: Logger;
  readonly namespace: string;
  /** The dimension `service` of every metric: tells the deployments of an account apart. */
  readonly serviceName: string;
  /** False: metrics are dropped (a world that shows its own). */
  readonly metrics?: boolean;
  /** False: no metric of its own for a cluster, whatever it measures (default true). */
  readonly perCluster?: boolean;
  readonly now?: () => number;
}

export interface PowertoolsTelemetry extends Telemetry {
  /** Writes what was measured since the last call: one EMF line for each set of labels. */
  flush(): void;
}

/** A line takes 100 values of a metric (EMF's limit); at the hundredth Powertools writes it and forgets the dimensions. */
const maxValuesPerLine = 99;
const minuteMs = 60_000;

/**
 * Powertools warns of every dimension that stands in two sets of a line, which is what sets are for. What it finds truly
 * wrong it throws.
 */
const nothing = () => {};
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/**
 * Metrics as EMF lines. A line's dimensions hold for all its metrics, so measurements are gathered by their labels. What a
 * count came to is one value a line. A gauge is written once in each minute by the clock, and again in that minute if it
 * is higher: alarms and graphs look at the maximum of a minute. An age rises by itself, so it is written once. The gauge of
 * a cluster is not written while it is zero, since CloudWatch bills a metric for the hours in which it gets values. Log lines carry their fields as keys.
 */
export function createPowertoolsTelemetry(options: PowertoolsTelemetryOptions): PowertoolsTelemetry {
  const { logger, namespace, serviceName, now = Date.now, metrics = true, perCluster = true } = options;
  let groups = new Map<string, Group>();
  const lastGauges = new Map<string, { readonly value: number; readonly minute: number }>();

  function valuesOf(kind: Kind, name: string, labels: Labels): number[] {
    const isGauges = kind === "gauge";
    const key = keyOf(isGauges, labels);
    const group = groups.get(key) ?? { isGauges, labels, values: new Map<string, number[]>() };
    groups.set(key, group);
    const values = group.values.get(name) ?? [];
    group.values.set(name, values);
    return values;
  }

  function keep(kind: Kind, name: string, value: number, labels: Labels = {}): void {
    if (!metrics) return;
    const values = valuesOf(kind, name, labels);
    if (kind === "duration") values.push(value);
    else values[0] = kind === "count" ? (values[0] ?? 0) + value : value;
  }

  /** Whether the gauge says anything new; notes that it was said. */
  function isNews(name: string, key: string, value: number, isOfCluster: boolean): boolean {
    const gauge = `${name} ${key}`;
    const minute = Math.floor(now() / minuteMs);
    const last = lastGauges.get(gauge);
    const isAge = unitOf(name) === MetricUnit.Seconds;
    if (last !== undefined && last.minute === minute && (isAge || value <= last.value)) return false;
    if (value === 0 && isOfCluster) return lastGauges.delete(gauge);
    lastGauges.set(gauge, { value, minute });
    return true;
  }

  function write({ isGauges, labels, values }: Group): void {
    const { sets, properties } = dimensionsOf(isGauges ? "gauge" : "count", labels, perCluster);
    const key = keyOf(isGauges, labels);
    const told = [...values].filter(
      ([name, [value]]) => !isGauges || isNews(name, key, value!, labels.cluster !== undefined),
    );
    const lines = Math.max(0, ...told.map(([, { length }]) => Math.ceil(length / maxValuesPerLine)));
    for (let at = 0; at < lines; at++) {
      const line = new Metrics({ namespace, serviceName, logger: silent });
      for (const set of sets) line.addDimensions({ ...set });
      for (const [name, value] of Object.entries(properties)) line.addMetadata(name, value);
      for (const [name, all] of told) {
        const part = all.slice(at * maxValuesPerLine, (at + 1) * maxValuesPerLine);
        for (const value of part) line.addMetric(name, unitOf(name), value);
      }
      line.publishStoredMetrics();
    }
  }

  return {
    count: (name, value, labels) => keep("count", name, value, labels),
    observe: (name, value, labels) => keep("duration", name, value, labels),
    gauge: (name, value, labels) => keep("gauge", name, value, labels),
    log: (level, message, fields = {}) => logger[level](message, fields),
    flush() {
      const written = groups;
      groups = new Map();
      for (const group of written.values()) write(group);
    },
  };
}

function keyOf(isGauges: boolean, labels: Labels): string {
  return JSON.stringify([isGauges, ...Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** A name's last word is its unit. */
function unitOf(name: string): (typeof MetricUnit)[keyof typeof MetricUnit] {
  if (name.endsWith("_seconds")) return MetricUnit.Seconds;
  return name.endsWith("_bytes") ? MetricUnit.Bytes : MetricUnit.Count;
}
