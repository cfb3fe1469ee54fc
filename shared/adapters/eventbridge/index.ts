// Decisions as EventBridge events, for people's own rules (Karpenter has Kubernetes events and metrics only). Best effort:
// an event that cannot be sent is counted by whoever asked for it, and nothing waits for it.
export { createEventBridgeClient } from "./client.ts";
export { createEventBridgeDecisions } from "./decisions.ts";
