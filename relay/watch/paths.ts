import type { Kind } from "../objects.ts";

/** The collection of each kind, over all namespaces. */
export const paths: Readonly<Record<Kind, string>> = {
  Pod: "/api/v1/pods",
  Node: "/api/v1/nodes",
  NodePool: "/apis/karpenter.sh/v1/nodepools",
  EC2NodeClass: "/apis/karpenter.k8s.aws/v1/ec2nodeclasses",
  NodeClaim: "/apis/karpenter.sh/v1/nodeclaims",
  PodDisruptionBudget: "/apis/policy/v1/poddisruptionbudgets",
  DaemonSet: "/apis/apps/v1/daemonsets",
  PersistentVolumeClaim: "/api/v1/persistentvolumeclaims",
  NodeOverlay: "/apis/karpenter.sh/v1alpha1/nodeoverlays",
  CapacityBuffer: "/apis/autoscaling.x-k8s.io/v1beta1/capacitybuffers",
  PodTemplate: "/api/v1/podtemplates",
};
