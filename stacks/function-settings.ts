import {
  interruptionVisibilityMs,
  maxInterruptionReceives,
  maxWakeReceives,
  runTimeoutMs,
  wakeVisibilityMs,
} from "../shared/core/limits.ts";
import type { FunctionName, QueueName } from "./names.ts";

// Sizes and bounds of functions and queues, each with its reason.

/** What a controller's run may take, in seconds: less than its lease. */
export const runTimeoutS = runTimeoutMs / 1_000;

export interface FunctionSettings {
  readonly memoryMb: number;
  readonly timeoutS: number;
  readonly description: string;
}

/** Lambda gives one full core at this much memory; everything here is single-threaded, so more buys memory only. */
const oneCoreMb = 1_769;
/** For snapshots of 100,000 pods. Accounts that are new may not have more. */
const planningMb = 3_008;

export const functionSettings: Readonly<Record<FunctionName, FunctionSettings>> = {
  // Reads a whole cluster and plans: bounded in simulations, so the core decides how long it takes.
  provision: { memoryMb: planningMb, timeoutS: runTimeoutS, description: "Plans nodes for pods that have no place" },
  disrupt: { memoryMb: planningMb, timeoutS: runTimeoutS, description: "Plans which nodes may go, and drives it" },
  // Up to ten claims at a time, each mostly waiting for EC2 and Kubernetes; reading nodes and pods takes the core.
  lifecycle: { memoryMb: oneCoreMb, timeoutS: runTimeoutS, description: "Launches, registers, drains, terminates" },
  // One item, one claim, one object: it waits, and must start fast.
  interrupt: { memoryMb: 1_024, timeoutS: 30, description: "Acts on spot warnings and the like" },
  // Eight queries and a few batches of messages. The next tick comes after a minute.
  tick: { memoryMb: 512, timeoutS: 30, description: "Wakes what is due, every minute" },
  // Pages of instance types and prices of every region, one region after the other; hourly.
  "refresh-catalog": { memoryMb: oneCoreMb, timeoutS: 300, description: "Reads instance types and prices, hourly" },
  // Some EC2 calls for each class.
  "resolve-node-classes": { memoryMb: 1_024, timeoutS: runTimeoutS, description: "Resolves EC2NodeClasses" },
  // All instances of a deployment in a region, held against claims and nodes.
  "collect-garbage": { memoryMb: oneCoreMb, timeoutS: runTimeoutS, description: "Finds instances without claims" },
};

export interface QueueSettings {
  /** Messages that one invocation gets at most. */
  readonly batchSize: number;
  /** A message that failed is shown again after this. */
  readonly visibilityTimeoutS: number;
  /** After this many receipts a message is a dead letter. */
  readonly maxReceiveCount: number;
  readonly retentionS: number;
}

/** A wake says nothing that a later one would not: those of yesterday are of no use. */
const retentionS = 24 * 60 * 60;
/** Dead letters are kept as long as SQS does, for people to look at. They count from when they were sent. */
export const deadLetterRetentionS = 14 * 24 * 60 * 60;

function queue(batchSize: number): QueueSettings {
  return { batchSize, visibilityTimeoutS: wakeVisibilityMs / 1_000, maxReceiveCount: maxWakeReceives, retentionS };
}

export const queueSettings: Readonly<Record<QueueName, QueueSettings>> = {
  // A planner has its memory and its core to itself; wakes of a cluster that is worked on end at its lease.
  provision: queue(1),
  disrupt: queue(1),
  // The messages of a batch are worked on at the same time, and those of one cluster are one run.
  lifecycle: queue(10),
  "resolve-node-classes": queue(10),
  "collect-garbage": queue(5),
  // A zone that loses its spot capacity sends a message for each instance, all at once.
  interrupt: {
    ...queue(10),
    visibilityTimeoutS: interruptionVisibilityMs / 1_000,
    maxReceiveCount: maxInterruptionReceives,
  },
};

/** SQS lets an event source have no fewer, and this many keep a thousand clusters busy without starving the account. */
const minConcurrency = 2;
const maxConcurrency = 50;

/** Executions at a time: two for each cluster, one that runs and one that asks it to run again. */
export function queueConcurrency(name: QueueName, clusters: number): number {
  const wanted = name === "interrupt" ? 10 : 2 * clusters;
  return Math.max(minConcurrency, Math.min(maxConcurrency, wanted));
}
