// Wakes over SQS: one standard queue for each controller (Karpenter's work queues, but outside the program). Order and
// single delivery are not asked for, since a wake carries no facts; what a queue gives is delay, repetition and, for what
// cannot be dealt with, a dead-letter queue.
export { createSqsClient } from "./client.ts";
export { parseWake, WakeError } from "./message.ts";
export { createSqsWakes } from "./wakes.ts";
