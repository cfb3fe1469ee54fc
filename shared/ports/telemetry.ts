/**
 * What operators see. Names are Karpenter's where it has one (facts §3.2), and a name's last word is its unit; all of them
 * are listed in stacks/metrics.ts. What is about a cluster names it by the label `cluster`. Never secrets.
 */
export interface Telemetry {
  /** How often it happened since the last call: summed. */
  count(name: string, value: number, labels?: Readonly<Record<string, string>>): void;
  /** How long it took, each time by itself. */
  observe(name: string, seconds: number, labels?: Readonly<Record<string, string>>): void;
  /** How much there is now; the last value of a run counts. */
  gauge(name: string, value: number, labels?: Readonly<Record<string, string>>): void;
  log(level: "debug" | "info" | "warn" | "error", message: string, fields?: Readonly<Record<string, unknown>>): void;
}
