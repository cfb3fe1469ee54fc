// Messages about instances: read at the edge, decided in a table. Answers to Karpenter's interruption controller; the
// messages, kinds and actions are its (facts §3.10). It differs in one point: after a spot warning the node's pods get
// until the instance is taken, whatever protects them, for they would be lost then.
export { actionFor, type InterruptionAction } from "./action.ts";
export { parseInterruption } from "./parse.ts";
