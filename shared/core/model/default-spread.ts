import type { LabelSelector } from "./pod.ts";

/** A topology spread that pods without one of their own get; whom it counts follows from what owns the pod. */
export interface DefaultSpread {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains?: number;
  readonly whenUnsatisfiable: "DoNotSchedule" | "ScheduleAnyway";
}

/** What a Service, ReplicaSet, StatefulSet or the like selects, in its namespace. */
export interface WorkloadSelector {
  readonly namespace: string;
  readonly selector: LabelSelector;
}
