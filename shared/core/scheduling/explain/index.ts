// Why a pod has no place, and why it has the one that it got, worked out only when somebody asks: a plan costs nothing for it.
// Answers to the errors that Karpenter collects while it schedules. It differs on purpose in how it finds them: not the
// first obstacle of each type, but, over all types and the ways in which they are sold, the fewest things that would have to
// be lifted for the pool to give a node. Nothing in it decides anything.
export { type CheaperType, type TypeChoice, typeChoice } from "./choice.ts";
export { classOfPod } from "./class-of-pod.ts";
export { Explainer } from "./explainer.ts";
export { podLines } from "./pod-words.ts";
