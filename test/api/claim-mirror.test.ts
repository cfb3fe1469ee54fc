import { expect, it } from "vitest";
import { claimDocument } from "../../shared/adapters/kube/claim-document.ts";
import { nodeClaimKind, parseResource, toNodeClaim } from "../../shared/api/index.ts";
import type { NodeClaim } from "../../shared/core/model/index.ts";

const record: NodeClaim = {
  name: "default-abc",
  version: 3,
  createdAtMs: 1769860800000,
  nodePool: "default",
  nodePoolUid: "p1",
  nodePoolHash: "h1",
  nodeClass: "default",
  nodeClassHash: "h2",
  requirements: [
    { key: "karpenter.sh/capacity-type", operator: "In", values: ["spot"] },
    { key: "karpenter.k8s.aws/instance-cpu", operator: "Gte", values: ["4"] },
  ],
  instanceTypes: ["m5.xlarge", "c5.xlarge"],
  labels: { team: "a" },
  annotations: {},
  taints: [{ key: "a", value: "", effect: "NoSchedule" }],
  startupTaints: [{ key: "b", value: "c", effect: "NoExecute" }],
  requests: { cpu: 1500, memory: 1073741824, pods: 3 },
  expireAfterMs: null,
  terminationGracePeriodMs: 3661000,
  reason: "provisioned",
  instance: {
    id: "i-0a1",
    providerId: "aws:///us-east-1a/i-0a1",
    instanceType: "m5.xlarge",
    zone: "us-east-1a",
    capacityType: "spot",
    priceMicroUsd: 70000,
    capacity: { cpu: 4000 },
    allocatable: { cpu: 3920 },
    launchedAtMs: 1769860900000,
  },
  nodeName: "n1",
  registeredAtMs: 1769860910000,
  initializedAtMs: 1769860920000,
};

it("the custom resource that mirrors a record is one that the CRD takes", () => {
  expect(parseResource(nodeClaimKind, claimDocument(record, "Initialized"))).toMatchObject({
    ok: true,
    unknownFields: [],
  });
});

it("and reads back as the record, but for what only the record knows", () => {
  const { nodePoolUid, taints, startupTaints, requests, expireAfterMs, terminationGracePeriodMs, instanceTypes } =
    record;
  expect(toNodeClaim(claimDocument(record, "Initialized"))).toMatchObject({
    ...{ nodePoolUid, taints, startupTaints, requests, expireAfterMs, terminationGracePeriodMs, instanceTypes },
    nodePool: "default",
    nodePoolHash: "h1",
    nodeClassHash: "h2",
    instance: { ...record.instance, priceMicroUsd: 0 },
    nodeName: "n1",
    registeredAtMs: 1769860910000,
    initializedAtMs: 1769860920000,
  });
});
