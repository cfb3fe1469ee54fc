import type { Telemetry } from "../../ports/index.ts";

export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Keeps what was counted and logged, for whoever looks. */
export interface MemoryTelemetry extends Telemetry {
  readonly lines: readonly LogLine[];
  /** Sum of a counter over its labels, or of those that match. */
  counted(name: string, labels?: Readonly<Record<string, string>>): number;
  /** The gauge's last value with these labels. */
  gauged(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
  observed(name: string): readonly number[];
}

interface Sample {
  readonly name: string;
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
}

export function createMemoryTelemetry(): MemoryTelemetry {
  const counts: Sample[] = [];
  const gauges: Sample[] = [];
  const observations: Sample[] = [];
  const lines: LogLine[] = [];
  const fits = (sample: Sample, name: string, labels: Readonly<Record<string, string>>) =>
    sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value);
  return {
    lines,
    count: (name, value, labels = {}) => void counts.push({ name, value, labels }),
    observe: (name, value, labels = {}) => void observations.push({ name, value, labels }),
    gauge: (name, value, labels = {}) => void gauges.push({ name, value, labels }),
    log: (level, message, fields = {}) => void lines.push({ level, message, fields }),
    counted: (name, labels = {}) => counts.filter((s) => fits(s, name, labels)).reduce((sum, s) => sum + s.value, 0),
    gauged: (name, labels = {}) => gauges.findLast((s) => fits(s, name, labels))?.value,
    observed: (name) => observations.filter((s) => s.name === name).map((s) => s.value),
  };
}
