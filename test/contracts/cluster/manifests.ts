// Literal objects of the cluster suite. Names carry a suffix, as one server serves all tests of a run.
import type { NodeClaim } from "../../../shared/core/model/index.ts";
import type { Manifest } from "./subject.ts";

export function nodeManifest(name: string, more: { providerID?: string; metadata?: object } = {}): Manifest {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name, team: "blue" }, ...more.metadata },
    spec: {
      ...(more.providerID === undefined ? {} : { providerID: more.providerID }),
      taints: [{ key: "team", value: "blue", effect: "NoSchedule" }],
    },
    status: {
      capacity: { cpu: "4", memory: "16Gi", pods: "58" },
      allocatable: { cpu: "3920m", memory: "15Gi", pods: "58" },
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "KubeletReady",
          message: "",
          lastHeartbeatTime: "2026-06-01T12:00:00Z",
          lastTransitionTime: "2026-06-01T12:00:00Z",
        },
      ],
    },
  };
}

export function podManifest(name: string, more: { nodeName?: string; labels?: Record<string, string> } = {}): Manifest {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default", labels: more.labels ?? {} },
    spec: {
      terminationGracePeriodSeconds: 60,
      containers: [
        { name: "main", image: "registry.example/app:1", resources: { requests: { cpu: "250m", memory: "128Mi" } } },
      ],
      ...(more.nodeName === undefined ? {} : { nodeName: more.nodeName }),
    },
    status:
      more.nodeName === undefined
        ? {
            phase: "Pending",
            conditions: [
              {
                type: "PodScheduled",
                status: "False",
                reason: "Unschedulable",
                message: "0/0 nodes are available",
                lastTransitionTime: "2026-06-01T12:00:00Z",
              },
            ],
          }
        : {
            phase: "Running",
            conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-06-01T12:00:00Z" }],
          },
  };
}

/** A budget over one ready pod with `app=<app>`, with the status that the disruption controller would have written. */
export function budgetManifest(name: string, app: string, minAvailable: 0 | 1): Manifest {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace: "default" },
    spec: { minAvailable, selector: { matchLabels: { app } } },
    status: {
      observedGeneration: 1,
      disruptionsAllowed: 1 - minAvailable,
      currentHealthy: 1,
      desiredHealthy: minAvailable,
      expectedPods: 1,
    },
  };
}

export function nodePoolManifest(name: string): Manifest {
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: {
      weight: 7,
      limits: { cpu: "100" },
      template: {
        metadata: { labels: { team: "blue" } },
        spec: {
          nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "class" },
          requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }],
        },
      },
    },
  };
}

export function nodeClassManifest(name: string): Manifest {
  return {
    apiVersion: "karpenter.k8s.aws/v1",
    kind: "EC2NodeClass",
    metadata: { name },
    spec: {
      role: "node-role",
      amiSelectorTerms: [{ alias: "al2023@latest" }],
      subnetSelectorTerms: [{ tags: { discovery: "test" } }],
      securityGroupSelectorTerms: [{ id: "sg-0123456789abcdef0" }],
    },
  };
}

/** The record of a claim that has just been committed. */
export function claimRecord(name: string): NodeClaim {
  return {
    name,
    version: 1,
    createdAtMs: Date.UTC(2026, 5, 1, 12),
    nodePool: "pool",
    nodePoolUid: "11111111-2222-4333-8444-555555555555",
    nodePoolHash: "4711",
    nodeClass: "class",
    nodeClassHash: "815",
    requirements: [
      { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
      { key: "karpenter.sh/capacity-type", operator: "In", values: ["spot", "on-demand"] },
    ],
    instanceTypes: ["m6a.large", "m6i.large"],
    labels: { team: "blue" },
    annotations: {},
    taints: [{ key: "team", value: "blue", effect: "NoSchedule" }],
    startupTaints: [],
    requests: { cpu: 1500, memory: 2 ** 31, pods: 5 },
    expireAfterMs: 720 * 3_600_000,
    terminationGracePeriodMs: null,
    reason: "provisioned",
  };
}
