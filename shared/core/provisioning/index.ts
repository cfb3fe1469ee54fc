// From a snapshot to a plan: which pods need a place, what the solver found for them, and what to say of the others.
// Answers to Karpenter's provisioner. It differs on purpose in what it returns: data that is committed before anything
// happens, with a name for every claim, a sentence for every pod that got nothing, and the time until which it holds.
export { claimName } from "./claim-name.ts";
export { withDefaultSpread } from "./default-spread.ts";
export { doNotDisruptUntil } from "./do-not-disrupt.ts";
export { explainPods, type PodExplanation } from "./explain-pods.ts";
export { headroomTargets, planProvisioning } from "./plan-provisioning.ts";
export { type SimulateOptions, type Simulation, Simulator, simulate } from "./simulate.ts";
