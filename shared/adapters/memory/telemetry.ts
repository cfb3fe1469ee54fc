import type { Telemetry } from "../../ports/index.ts";

export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Keeps what was counted and logged, for whoever looks. */
export interface MemoryTelemetry extends Telemetry {
  /** Everything that was measured, in order. */
  readonly samples: readonly Sample[];
  readonly lines: readonly LogLine[];
  /** Sum of a counter over its labels, or of those that match. */
  counted(name: string, labels?: Readonly<Record<string, string>>): number;
  /** The gauge's last value with these labels. */
  gauged(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
  observed(name: string): readonly number[];
}

export interface Sample {
  readonly kind: "count" | "observe" | "gauge";
  readonly name: string;
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
}

export function createMemoryTelemetry(): MemoryTelemetry {
  const samples: Sample[] = [];
  const lines: LogLine[] = [];
  const fits = (sample: Sample, name: string, labels: Readonly<Record<string, string>>) =>
    sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value);
  return {
    lines,
    samples,
    count: (name, value, labels = {}) => void samples.push({ kind: "count", name, value, labels }),
    observe: (name, value, labels = {}) => void samples.push({ kind: "observe", name, value, labels }),
    gauge: (name, value, labels = {}) => void samples.push({ kind: "gauge", name, value, labels }),
    log: (level, message, fields = {}) => void lines.push({ level, message, fields }),
    counted: (name, labels = {}) =>
      samples.filter((s) => s.kind === "count" && fits(s, name, labels)).reduce((sum, s) => sum + s.value, 0),
    gauged: (name, labels = {}) => samples.findLast((s) => s.kind === "gauge" && fits(s, name, labels))?.value,
    observed: (name) => samples.filter((s) => s.kind === "observe" && s.name === name).map((s) => s.value),
  };
}
