/** Label, annotation, taint and finalizer keys (Karpenter's and Kubernetes' names are facts: facts §3.4–3.6). */
export const labels = {
  nodePool: "karpenter.sh/nodepool",
  capacityType: "karpenter.sh/capacity-type",
  registered: "karpenter.sh/registered",
  initialized: "karpenter.sh/initialized",
  doNotSyncTaints: "karpenter.sh/do-not-sync-taints",
  nodeClass: "karpenter.k8s.aws/ec2nodeclass",
  instanceType: "node.kubernetes.io/instance-type",
  arch: "kubernetes.io/arch",
  os: "kubernetes.io/os",
  hostname: "kubernetes.io/hostname",
  zone: "topology.kubernetes.io/zone",
  region: "topology.kubernetes.io/region",
  zoneId: "topology.k8s.aws/zone-id",
} as const;

export const annotations = {
  doNotDisrupt: "karpenter.sh/do-not-disrupt",
  nodePoolHash: "karpenter.sh/nodepool-hash",
  nodePoolHashVersion: "karpenter.sh/nodepool-hash-version",
  nodeClassHash: "karpenter.k8s.aws/ec2nodeclass-hash",
  nodeClassHashVersion: "karpenter.k8s.aws/ec2nodeclass-hash-version",
  terminationTimestamp: "karpenter.sh/nodeclaim-termination-timestamp",
  priceOverlayApplied: "karpenter.sh/price-overlay-applied",
  capacityOverlayApplied: "karpenter.sh/capacity-overlay-applied",
  deprovisioningPriority: "karpenter.sh/deprovisioning-priority",
  minValuesRelaxed: "karpenter.sh/nodeclaim-min-values-relaxed",
} as const;

/**
 * Annotations of ours on NodeClaims, written by the mirror: what Karpenter's fields have no place for. The relay's series
 * are made of them (docs/metrics.md).
 */
export const claimNotes = {
  /** Which version of the record the custom resource shows. */
  recordVersion: "timmerman/record-version",
  /** Why the claim was made: `provisioned`, or the reason of the disruption whose replacement it is. */
  madeFor: "timmerman/made-for",
  /** USD an hour × 10^6, as of the launch. */
  priceMicroUsd: "timmerman/price-micro-usd",
  /** The disruption command that the claim falls to: its id, decision and consolidation type. */
  command: "timmerman/command",
  decision: "timmerman/decision",
  consolidationType: "timmerman/consolidation-type",
} as const;

/**
 * Value of the two hash-version annotations: the hashes are ours, not Karpenter's. It changes whenever the same object
 * would get another hash (shared/api/hash.ts).
 */
export const hashVersion = "timmerman-1";

export const finalizers = {
  termination: "karpenter.sh/termination",
  nodeClass: "karpenter.k8s.aws/termination",
} as const;

export const taints = {
  disrupted: { key: "karpenter.sh/disrupted", value: "", effect: "NoSchedule" },
  unregistered: { key: "karpenter.sh/unregistered", value: "", effect: "NoExecute" },
} as const;

/** EC2 tags. The first two tie an instance to this deployment and launch; the rest are Karpenter's. */
export const tags = {
  deployment: "timmerman/deployment",
  epoch: "timmerman/epoch",
  launch: "timmerman/launch",
  name: "Name",
  nodePool: "karpenter.sh/nodepool",
  nodeClaim: "karpenter.sh/nodeclaim",
  nodeClass: "karpenter.k8s.aws/ec2nodeclass",
  eksClusterName: "eks:eks-cluster-name",
} as const;
