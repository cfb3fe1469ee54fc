import type { DefaultSpread } from "./default-spread.ts";

/** Karpenter's settings that change decisions, under its names in camel case (facts: environment variables). */
export interface Settings {
  readonly clusterName: string;
  readonly clusterEndpoint?: string;
  readonly batchIdleMs: number;
  readonly batchMaxMs: number;
  readonly preferencePolicy: "Respect" | "Ignore";
  readonly minValuesPolicy: "Strict" | "BestEffort";
  /** Millionths: 0.075 is 75_000. */
  readonly vmMemoryOverheadPpm: number;
  readonly reservedEnis: number;
  readonly ignoreDraRequests: boolean;
  /** Spreads of pods that have none of their own; applied where pods are read. Absent: none. */
  readonly defaultSpread?: readonly DefaultSpread[];
  readonly featureGates: {
    readonly nodeRepair: boolean;
    readonly reservedCapacity: boolean;
    readonly spotToSpotConsolidation: boolean;
    readonly nodeOverlay: boolean;
    readonly staticCapacity: boolean;
    readonly capacityBuffer: boolean;
  };
}
