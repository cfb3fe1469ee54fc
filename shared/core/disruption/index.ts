// Which nodes are to go by decision, and why the others stay. Answers to Karpenter's disruption and expiration
// controllers. One method a file, tried in order on the same candidates; budgets are shared by all that are graceful. It
// differs in two points: each empty node is a command of its own, so that a pod that arrives late saves only its own
// node, and every node that stays has a verdict with its reasons.
export { allowedDisruptions, budgetState } from "./budgets.ts";
export { type Candidate, candidatesOf } from "./candidates.ts";
export { planDisruption } from "./plan.ts";
export { blockingPods } from "./validate.ts";
