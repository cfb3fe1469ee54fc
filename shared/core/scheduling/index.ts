// The solver: which pods go where, and what nodes to buy. Answers to Karpenter's provisioning scheduler
// (pkg/controllers/provisioning/scheduling). It differs on purpose in the order of work: not pod by pod into growing bins,
// but class by class, node by node: a node is filled as a whole from all classes of pods that are left, so that cpu and
// memory run out together, and the node with the least price for what it takes is bought. Its types are what holds the
// result. Everything is compiled first: labels and asks to numbered states, amounts to typed arrays, pods to classes.
// Rules between pods (topology/) become one of two things before anything is packed: pods are given a domain of each wider
// label (allot.ts), which narrows their asks, or they bind what one node may hold (node-rules.ts). What turns out to have
// less room than was thought is planned anew with that known (rounds.ts). A pod's wishes count as demands first and are
// given up one at a time. Volumes (volumes/) narrow the asks too, and attach limits are
// resources. What is left out (dynamic resource claims) unsupported.ts refuses.

export { cheapestOffering, countValues, valuesFor } from "./choose-types.ts";
export { overlayFaults } from "./claim-types.ts";
export { classOfPod, Explainer, podLines, type TypeChoice, typeChoice } from "./explain/index.ts";
export { selects } from "./label-selector.ts";
export { expiresAtMs, isLeaving, type NodeBin } from "./node-bins.ts";
export { launchableTypes, type OpenClaim } from "./open-claim.ts";
export { podKey } from "./pod-class.ts";
export type { Pool, SkippedPool } from "./pool.ts";
export type { ResourceAxis } from "./resource-axis.ts";
export { settledState, settleOwnLabels } from "./settle-labels.ts";
export type { Solution, Unplaced } from "./solution.ts";
export { solve } from "./solve.ts";
export type { SolverClass } from "./solver-classes.ts";
export { untoleratedTaint } from "./taints.ts";
export { type PlannedPod, volumeWords } from "./volumes/volumes.ts";
export { compileWorld, isOver, type World, withoutBins } from "./world.ts";
