import type { Resources } from "./resources.ts";
import type { Taint } from "./taint.ts";

export interface NodeCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly changedAtMs: number;
}

/** A Kubernetes node as the API server shows it. `providerId` (`aws:///zone/i-…`), never the name, ties it to an instance. */
export interface Node {
  readonly uid: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly providerId?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly capacity: Resources;
  readonly allocatable: Resources;
  readonly conditions: readonly NodeCondition[];
  readonly cordoned: boolean;
  readonly createdAtMs: number;
  readonly deletionAtMs?: number;
  readonly finalizers: readonly string[];
}
