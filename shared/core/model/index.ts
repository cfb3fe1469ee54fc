// The nouns of the core: plain, frozen, serialisable data, so that a snapshot can be stored and replayed. They answer to
// the API objects and the cluster state of Karpenter, but hold integers instead of quantities and know no client types.
export * from "./capacity-buffer.ts";
export type * from "./default-spread.ts";
export type * from "./device.ts";
export type * from "./instance-type.ts";
export type * from "./interruption.ts";
export * from "./labels.ts";
export type * from "./launch.ts";
export type * from "./market.ts";
export type * from "./node.ts";
export * from "./node-claim.ts";
export type * from "./node-class.ts";
export type * from "./node-overlay.ts";
export type * from "./node-pool.ts";
export type * from "./plan.ts";
export type * from "./pod.ts";
export * from "./record.ts";
export type * from "./requirement.ts";
export type * from "./reservation.ts";
export type * from "./resources.ts";
export type * from "./settings.ts";
export type * from "./snapshot.ts";
export type * from "./taint.ts";
export type * from "./volume.ts";
