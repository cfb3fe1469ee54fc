// Kubernetes clusters through their API server. Answers to controller-runtime's client, cache and event recorder and to
// Karpenter's terminator. On purpose without a cache: a Lambda lists what a plan needs and forgets it, every write carries
// the identity of what it was decided on, and events meet at names instead of in a recorder's memory.
export type { KubeAccess, KubeConnection } from "./access.ts";
export { type KubeCluster, type KubeClusterOptions, kubeClusterOver, openKubeCluster } from "./cluster.ts";
export type { BodyReader, KubeAnswer, KubeRequest, Send } from "./transport.ts";
