// A claim's way from commit to gone. Answers to Karpenter's nodeclaim lifecycle and termination controllers, but as
// tables: phase and next step follow from the record's evidence and one look at the world, so that a run that stopped
// anywhere is taken up by the next.
export { type DrainStep, planDrain } from "./drain.ts";
export { isReady, isSynced, notInitialized, type RegistrationPatch, registrationPatch, sameTaint } from "./join.ts";
export { nextStep, notReady, type Observed, registrationTimeoutOf, type Step } from "./next-step.ts";
export { phaseOf } from "./phase.ts";
export {
  isCritical,
  isDaemonPod,
  isReschedulable,
  isStaticPod,
  isTerminal,
  protectedUntil,
  toleratesDisruption,
} from "./pod-kinds.ts";
export { tolerates } from "./tolerates.ts";
