// From a claim's record to its line: what the functions write into the cluster, as the relay reads it.
import { describe, expect, it } from "vitest";
import { createTrim } from "../../../relay/trim/index.ts";
import { claimDocument } from "../../../shared/adapters/kube/claim-document.ts";
import type { DeletionReason, NodeClaim } from "../../../shared/core/model/index.ts";
import { pool, startMs } from "./kept.ts";
import { scraping } from "./scrape.ts";

const record: NodeClaim = {
  name: "default-7k2",
  version: 4,
  createdAtMs: startMs,
  nodePool: "default",
  nodePoolUid: "pool-uid",
  nodePoolHash: "1",
  nodeClass: "standard",
  nodeClassHash: "2",
  requirements: [],
  instanceTypes: ["m7g.large"],
  labels: {},
  annotations: {},
  taints: [],
  startupTaints: [],
  requests: { cpu: 500, pods: 2 },
  expireAfterMs: null,
  terminationGracePeriodMs: null,
  reason: "provisioned",
  instance: {
    id: "i-1",
    providerId: "aws:///eu-west-1a/i-1",
    instanceType: "m7g.large",
    zone: "eu-west-1a",
    capacityType: "spot",
    priceMicroUsd: 34_500,
    capacity: { cpu: 2000 },
    allocatable: { cpu: 1930 },
    launchedAtMs: startMs + 2000,
  },
  nodeName: "a",
  registeredAtMs: startMs + 30_000,
  initializedAtMs: startMs + 40_000,
};

function mirrored(claim: NodeClaim, phase: Parameters<typeof claimDocument>[1]) {
  const document = claimDocument(claim, phase);
  const metadata = {
    ...document.metadata,
    uid: "uid-1",
    resourceVersion: "1",
    generation: 1,
    creationTimestamp: "2026-01-01T00:00:00Z",
  };
  return createTrim()("NodeClaim", { ...document, metadata });
}

describe("a mirrored claim", () => {
  it.each<DeletionReason>([
    "empty",
    "underutilized",
    "drifted",
    "expired",
    "spot_interrupted",
    "capacity_reservation_interrupted",
    "scheduled_change",
    "instance_stopped",
    "instance_terminated",
    "insufficient_capacity",
    "launch_timeout",
    "registration_timeout",
    "nodeclass_not_ready",
    "garbage_collected",
    "overprovisioned",
  ])("that is to go because of %s is counted under that reason, and timed from the wish on", (reason) => {
    const { view, list, at, lines } = scraping();
    view.put("NodeClaim", mirrored(record, "Initialized"));
    list();
    const deletion = { requestedAtMs: startMs + 100_000, reason };
    const ending = { ...record, deletion, drainedAtMs: startMs + 120_000, terminateCalledAtMs: startMs + 130_000 };
    view.put("NodeClaim", mirrored(ending, "Terminating"));
    at(160);
    view.remove("NodeClaim", "uid-1");
    expect(lines("karpenter_nodeclaims_disrupted_total")).toEqual([
      `karpenter_nodeclaims_disrupted_total{reason="${reason}",nodepool="default",capacity_type="spot"} 1`,
    ]);
    expect(lines("karpenter_nodeclaims_terminated_total")).toEqual([
      'karpenter_nodeclaims_terminated_total{nodepool="default",capacity_type="spot",zone="eu-west-1a"} 1',
    ]);
    const sums = ["termination", "instance_termination"].flatMap((what) =>
      lines(`karpenter_nodeclaims_${what}_duration_seconds_sum`),
    );
    expect(sums.map((line) => line.split(" ")[1])).toEqual(["60", "30"]);
    expect(lines("karpenter_nodes_drained_total")).toEqual(['karpenter_nodes_drained_total{nodepool="default"} 1']);
  });

  it("tells why it was made, what it costs and which command it falls to", () => {
    const { view, list, lines } = scraping();
    list();
    view.put("NodePool", pool("default"));
    view.put("NodeClaim", mirrored({ ...record, reason: "drifted" }, "Initialized"));
    expect(lines("karpenter_nodeclaims_created_total")).toEqual([
      'karpenter_nodeclaims_created_total{reason="drifted",nodepool="default",min_values_relaxed="false"} 1',
    ]);
    expect(lines("karpenter_nodepools_cost_total")).toEqual([
      'karpenter_nodepools_cost_total{nodepool="default"} 0.0345',
    ]);
    const labels = 'instance_type="m7g.large",capacity_type="spot",zone="eu-west-1a"';
    const price = "karpenter_cloudprovider_instance_type_offering_price_estimate";
    expect(lines(price)).toEqual([`${price}{${labels}} 0.0345`]);
    const command = { id: "c1", decision: "delete", consolidationType: "empty" } as const;
    const deletion = { requestedAtMs: startMs + 100_000, reason: "empty", command } as const;
    view.put("NodeClaim", mirrored({ ...record, deletion }, "Draining"));
    expect(lines("karpenter_voluntary_disruption_decisions_total")).toEqual([
      'karpenter_voluntary_disruption_decisions_total{decision="delete",reason="empty",consolidation_type="empty"} 1',
    ]);
  });

  it("has the conditions that people ask for", () => {
    const { view, at, lines } = scraping();
    view.put("NodeClaim", mirrored(record, "Initialized"));
    at(50);
    const own = 'karpenter_k8s_aws_ec2nodeclass="standard",karpenter_sh_nodepool="default"';
    expect(lines("operator_nodeclaim_status_condition_current_status_seconds")).toEqual(
      [
        ["Launched", 48],
        ["Registered", 20],
        ["Initialized", 10],
        ["Ready", 10],
      ].map(
        ([type, seconds]) =>
          `operator_nodeclaim_status_condition_current_status_seconds{namespace="",name="default-7k2",type="${type}",status="True",reason="${type}",${own}} ${seconds}`,
      ),
    );
  });
});
