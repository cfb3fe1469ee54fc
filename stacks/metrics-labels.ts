// The values that labels of metrics can have, where they are few: a graph has a line for each.

export const phases = [
  "Pending",
  "Launching",
  "Launched",
  "Registered",
  "Initialized",
  "Disrupting",
  "Draining",
  "Terminating",
] as const;

export const capacityTypes = ["on-demand", "spot", "reserved"] as const;

export const disruptionReasons = ["empty", "underutilized", "drifted", "expired"] as const;

/** `reason` of karpenter_nodeclaims_disrupted_total. */
export const deletionReasons = [
  ...disruptionReasons,
  "spot_interrupted",
  "capacity_reservation_interrupted",
  "scheduled_change",
  "instance_stopped",
  "instance_terminated",
  "insufficient_capacity",
  "launch_timeout",
  "registration_timeout",
  "nodeclass_not_ready",
  "overprovisioned",
  "garbage_collected",
  "deleted",
] as const;

/** Why a launch gave a claim no instance (Karpenter's reasons of Launched=Unknown). */
export const refusalReasons = [
  "InsufficientCapacity",
  "InsufficientFreeAddressesInSubnet",
  "VCPULimitExceeded",
  "Unauthorized",
  "LaunchFailed",
  "AMINotFound",
  "SubnetsNotFound",
  "UserDataInvalid",
] as const;

/** The same of one offering: what only a whole launch can be refused for is not among them. */
export const offeringRefusalReasons = refusalReasons.slice(0, 5);

export const controllers = ["provision", "disrupt", "lifecycle", "resolve-node-classes", "collect-garbage"] as const;
export const batched = [...controllers, "interrupt"] as const;

/** Of calls to EC2; `unknown` is a mistake of ours. */
export const cloudMethods = [
  "launch",
  "findByTags",
  "findByIds",
  "terminate",
  "tag",
  "resolveNetwork",
  "findReservations",
  "findImages",
] as const;
export const cloudErrors = [
  "throttled",
  "unauthorized",
  "bad-request",
  "idempotency-mismatch",
  "not-found",
  "unavailable",
  "timeout",
  "unknown",
] as const;

export const messageTypes = [
  "spot_interrupted",
  "rebalance_recommendation",
  "scheduled_change",
  "instance_stopped",
  "instance_terminated",
  "capacity_reservation_interrupted",
] as const;
