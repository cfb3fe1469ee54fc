// The composition root: the environment is read once into a Config, from which adapters and controllers are wired, and
// every Lambda's handler gets the same middy stack. Answers to Karpenter's operator and its options. It differs in that
// nothing is started: all is built at the first invocation, from what `composeFrom` was told or from the environment.
export { composeFrom, composition } from "./composition.ts";
