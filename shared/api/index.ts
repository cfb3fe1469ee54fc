// The API room: documents of karpenter.sh and karpenter.k8s.aws, and the Kubernetes objects that we read, to and from the
// nouns of the core. It answers to Karpenter's pkg/apis and to what the API server does for it. On purpose different: one
// schema source in TypeScript instead of Go types with markers; an object that cannot be read is named and left out,
// never in the way of the others; nothing here talks to a cluster.
export { type FindReferred, toCapacityBuffer } from "./convert/capacity-buffer.ts";
export {
  toDaemonSet,
  toNamespace,
  toNode,
  toPodDisruptionBudget,
} from "./convert/cluster-objects.ts";
export { toDeviceClass, toResourceClaim, toResourceClaimTemplate, toResourceSlice } from "./convert/devices.ts";
export { readAll, UnreadableObjectError } from "./convert/fields.ts";
export { toNodeClaim } from "./convert/node-claim.ts";
export { toNodeClass } from "./convert/node-class.ts";
export { toNodeOverlay } from "./convert/node-overlay.ts";
export { toNodePool } from "./convert/node-pool.ts";
export { toPod } from "./convert/pod.ts";
export { toWorkloadSelector } from "./convert/selectors.ts";
export { toCsiNode, toPersistentVolume, toPersistentVolumeClaim, toStorageClass } from "./convert/storage.ts";
export { toWorkload } from "./convert/workload.ts";
export { ec2NodeClassHash, nodePoolHash } from "./hash.ts";
export { customResources, schemaOf } from "./kinds/index.ts";
export { nodeClaimKind } from "./kinds/node-claim.ts";
export { nodePoolKind } from "./kinds/node-pool.ts";
export { parseResource } from "./kinds/parse.ts";
