// Every bound in the system, each with its reason. Times in milliseconds.

/** Types named in one claim and one CreateFleet request (Karpenter's figure; keeps the request and the record small). */
export const maxInstanceTypesPerClaim = 60;

/** Claims in one commit: a TransactWriteItems takes 100 items, and the head, the plan and commands need room. */
export const maxClaimsPerChunk = 90;

/** A launch request is never sent after this: EC2 remembers client tokens for longer, so a repeat stays a repeat. */
export const launchSendWindowMs = 10 * 60_000;

/** Two empty look-ups by launch tag, this far apart, settle that a launch left nothing (EC2 is eventually consistent). */
export const launchLookupGapMs = 2 * 60_000;

/** A claim without progress towards an instance goes after this (Karpenter's launch timeout). */
export const launchTimeoutMs = 5 * 60_000;

/** A launched instance whose node never appears goes after this (Karpenter's registration timeout). */
export const registrationTimeoutMs = 15 * 60_000;

/** Windows nodes take some six minutes to join and 15–20 more to be of use. */
export const windowsRegistrationTimeoutMs = 30 * 60_000;

/** How long a nomination keeps a node from disruption: max(2 × the longest batch, 10 s), as Karpenter. */
export const nominationWindowMs = 20_000;

/** A refused offering comes back after this (Karpenter's figure). */
export const refusalMs = 3 * 60_000;

/** An SQS message can be delayed for at most this; later moments go to the agenda. */
export const maxWakeDelayMs = 15 * 60_000;

/** An advisory lease is taken over after this: longer than any run. */
export const leaseMs = 60_000;

/** A record is kept this long after its claim is gone, for explanations. */
export const goneRecordMs = 60 * 60_000;

/** Instances younger than this are never garbage: their record may still be on its way. */
export const garbageMinAgeMs = 5 * 60_000;

/** More orphans than max(this, 5 %) are a sign of missing knowledge, not of garbage. */
export const maxOrphans = 3;
export const maxOrphanPercent = 5;

/** Evictions asked for in one step of one claim, so that a run stays short. */
export const maxEvictionsPerStep = 20;

/** A pod counts as lost by a vanished node if it is not evicted by then: the spot warning's two minutes. */
export const spotWarningMs = 2 * 60_000;
