// Every bound in the system, each with its reason. Times in milliseconds.

/** Types named in one claim and one CreateFleet request (Karpenter's figure; keeps the request and the record small). */
export const maxInstanceTypesPerClaim = 60;

/** Claims in one commit: a TransactWriteItems takes 100 items, and the head, the plan and commands need room. */
export const maxClaimsPerChunk = 90;

/** Items in one TransactWriteItems (DynamoDB's figure). */
export const maxTransactionItems = 100;

/** Claims that share a launch: settling writes two items for each claim and two for the launch in one transaction. */
export const maxClaimsPerLaunch = 48;

/** A stored record, compressed: DynamoDB's item limit is 400 KB, names of attributes and the rest included. */
export const maxRecordBytes = 380_000;

/** Plans and settled launches are kept this long, for explanations and for late repeats of their writes. */
export const explanationMs = 24 * 60 * 60_000;

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

/** A controller's run ends this long before its lease does, so that nobody takes over from somebody who still works. */
export const runTimeoutMs = leaseMs - 10_000;

/** A wake that failed is shown again after this: six times what a run may take, AWS's advice for Lambda behind a queue. */
export const wakeVisibilityMs = 6 * runTimeoutMs;

/** After this many receipts in vain a wake is a dead letter: the next wake, or the net, says the same. */
export const maxWakeReceives = 5;

/**
 * An interruption is of use for two minutes, so that one that failed cannot wait for five: it is tried three times in them,
 * and for longer than EC2 may take to show an instance (garbageMinAgeMs). Throttling, which the longer wait is meant for, its
 * few executions hardly meet.
 */
export const interruptionVisibilityMs = 40_000;
export const maxInterruptionReceives = 10;

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

/** EC2 takes this many overrides in one fleet request, over all its templates, and this many templates. */
export const maxFleetOverrides = 300;
export const maxFleetTemplates = 50;

/** After EC2 refused a launch for a reason that time may heal, the next try waits this long. */
export const launchRetryMs = 30_000;

/** After throttling or an unknown outcome, the same request is sent again after this. */
export const launchResendMs = 5_000;

/** Looks at a draining node and at a terminating instance are this far apart; nothing announces their progress reliably. */
export const drainPollMs = 5_000;
export const terminationPollMs = 5_000;

/** TerminateInstances is repeated when an instance still runs this long after the last call. */
export const terminationRepeatMs = 30_000;

/** An instance counts as gone when it was not found twice, this far apart, and EC2 had time to show it at all. */
export const notFoundGapMs = 30_000;
export const instanceVisibleMs = 2 * 60_000;

/** A pod still there this long after it was due to be gone no longer holds up its node (Karpenter's figure). */
export const stuckTerminatingMs = 60_000;

/** Claims that one lifecycle run works on at the same time: enough to hide latency, few enough not to be throttled. */
export const claimConcurrency = 10;

/** Steps that one claim takes in one run: the longest way without waiting has six. */
export const maxStepsPerRun = 8;

/** Tries of one provisioning or disruption run against other committers before it leaves the rest to its next wake. */
export const maxCommitTries = 4;

/** Names of pods in one commit, in bytes: an item holds at most 400 KB. */
export const maxPlacementBytesPerChunk = 200_000;

/** Events of one kind that one run publishes; the rest are said by the next run, for the pods are still there. */
export const maxEventsPerRun = 100;

/** A warning that every plan repeats is said again after this: the API server forgets an Event within the hour. */
export const warningRepeatMs = 30 * 60_000;

/** Characters of an Event's message: the API server's bound for notes. */
export const maxEventMessageLength = 1024;

/** Every controller of every cluster looks at least this often, whatever was lost. */
export const safetyNetMs = 10 * 60_000;

/** Where nothing is due the agenda says this: far beyond the safety net, which looks in any case. */
export const agendaRestMs = 24 * 60 * 60_000;

/** A later moment than this goes to the agenda; an earlier one is a delayed message. */
export const agendaFloorMs = 60_000;

/** A second look at an orphan, so that a record on its way is not missed: this long after the first. */
export const orphanConfirmMs = 2 * 60_000;

/** A registered claim whose node is missing this long has lost it to somebody's hand. */
export const nodeMissingMs = 10 * 60_000;

/** User data that EC2 takes, before base64. */
export const maxUserDataBytes = 16_384;

/** A controller does not wake itself sooner than this, so that nothing spins. */
export const minWakeDelayMs = 1_000;

/** Objects that failed alone are tried again after this. */
export const objectRetryMs = 10_000;

/** The relay says that it lives this often … */
export const heartbeatMs = 30_000;

/** … and counts as silent after this: two heartbeats were missed, so the tick looks in its place, every minute. */
export const heartbeatTimeoutMs = 60_000;

/** Clocks differ by less than this. A heartbeat that is further ahead than such a clock brings it says nothing of its relay. */
export const clockToleranceMs = 60_000;

/** The relay repeats its wake this often while pods stay pending: a lost one costs no more. */
export const pendingRepeatMs = 10_000;

/** The relay writes \`lastPodEventTime\` of a claim at most this often (Karpenter's figure). */
export const podEventGapMs = 10_000;
