// The API room: documents of karpenter.sh and karpenter.k8s.aws, and the Kubernetes objects that we read, to and from the
// nouns of the core. It answers to Karpenter's pkg/apis and to what the API server does for it. On purpose different: one
// schema source in TypeScript instead of Go types with markers; an object that cannot be read is named and left out,
// never in the way of the others; nothing here talks to a cluster.
export type { LimitRange, PriorityClass } from "./convert/admission-objects.ts";
export { toLimitRange, toPriorityClass } from "./convert/admission-objects.ts";
export {
  toDaemonSet,
  toNamespace,
  toNode,
  toPodDisruptionBudget,
} from "./convert/cluster-objects.ts";
export { readAll, UnreadableObjectError } from "./convert/fields.ts";
export { toNodeClaim } from "./convert/node-claim.ts";
export { toNodeClass } from "./convert/node-class.ts";
export { toNodePool } from "./convert/node-pool.ts";
export { toPod } from "./convert/pod.ts";
export type { CsiNode, StorageClass, Volume, VolumeClaim } from "./convert/storage.ts";
export { toCsiNode, toStorageClass, toVolume, toVolumeClaim } from "./convert/storage.ts";
export type { Workload } from "./convert/workload.ts";
export { toWorkload } from "./convert/workload.ts";
export { ec2NodeClassHash, hashVersion, nodePoolHash } from "./hash.ts";
export type { CapacityBufferResource } from "./kinds/capacity-buffer.ts";
export { capacityBufferKind } from "./kinds/capacity-buffer.ts";
export type { CustomResource, PrinterColumn, Resource } from "./kinds/custom-resource.ts";
export { apiVersionOf } from "./kinds/custom-resource.ts";
export type { EC2NodeClassResource } from "./kinds/ec2-node-class.ts";
export { ec2NodeClassKind } from "./kinds/ec2-node-class.ts";
export { customResources, schemaOf } from "./kinds/index.ts";
export type { NodeClaimResource } from "./kinds/node-claim.ts";
export { nodeClaimKind } from "./kinds/node-claim.ts";
export type { NodeOverlayResource } from "./kinds/node-overlay.ts";
export { nodeOverlayKind } from "./kinds/node-overlay.ts";
export type { NodePoolResource } from "./kinds/node-pool.ts";
export { nodePoolKind } from "./kinds/node-pool.ts";
export { type Parsed, parseResource, printErrors } from "./kinds/parse.ts";
