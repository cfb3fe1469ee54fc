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
    annotations: {
      "karpenter.sh/nodepool-hash": "h1",
      "karpenter.k8s.aws/ec2nodeclass-hash": "h2",
    },
    reason: "provisioned",
    instance: record.instance,
    nodeName: "n1",
    registeredAtMs: 1769860910000,
    initializedAtMs: 1769860920000,
  });
});

it.each<NonNullable<NodeClaim["deletion"]>>([
  {
    requestedAtMs: 1769861000000,
    reason: "empty",
    command: { id: "c1", decision: "delete", consolidationType: "empty" },
  },
  { requestedAtMs: 1769861000000, reason: "drifted", command: { id: "c2", decision: "replace" } },
  { requestedAtMs: 1769861000000, reason: "spot_interrupted", deadlineMs: 1769861120000 },
  { requestedAtMs: 1769861000000, reason: "nodeclass_not_ready" },
])("so does a wish that it goes: %j", (deletion) => {
  const ending = { drainedAtMs: 1769861060000, terminateCalledAtMs: 1769861070000 };
  const document = claimDocument({ ...record, reason: "drifted", deletion, ...ending }, "Terminating");
  expect(parseResource(nodeClaimKind, document)).toMatchObject({ ok: true, unknownFields: [] });
  const read = toNodeClaim(document);
  expect(read).toMatchObject({ reason: "drifted", ...ending });
  expect(read.deletion).toEqual(deletion);
});

it("shows Consolidatable of what goes for being empty or underutilized, and of nothing else", () => {
  const typesOf = (more: Partial<NodeClaim>) => {
    const { conditions } = claimDocument({ ...record, ...more }, "Initialized").status;
    return (conditions as readonly { readonly type: string }[]).map(({ type }) => type);
  };
  const steps = ["Launched", "Registered", "Initialized"];
  expect(typesOf({})).toEqual([...steps, "Ready"]);
  const ends = ["DisruptionReason", "Drained", "Ready"];
  for (const reason of ["empty", "underutilized"] as const) {
    expect(typesOf({ deletion: { requestedAtMs: 0, reason } })).toEqual([...steps, "Consolidatable", ...ends]);
  }
  expect(typesOf({ deletion: { requestedAtMs: 0, reason: "expired" } })).toEqual([...steps, ...ends]);
});
