/** What operators see. Names are Karpenter's where it has one (facts §3.2). Never secrets. */
export interface Telemetry {
  count(name: string, value: number, labels?: Readonly<Record<string, string>>): void;
  observe(name: string, seconds: number, labels?: Readonly<Record<string, string>>): void;
  gauge(name: string, value: number, labels?: Readonly<Record<string, string>>): void;
  log(level: "debug" | "info" | "warn" | "error", message: string, fields?: Readonly<Record<string, unknown>>): void;
}
