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
  readonly featureGates: {
    readonly nodeRepair: boolean;
    readonly reservedCapacity: boolean;
    readonly spotToSpotConsolidation: boolean;
    readonly nodeOverlay: boolean;
    readonly staticCapacity: boolean;
    readonly capacityBuffer: boolean;
  };
}
