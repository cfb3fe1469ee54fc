import { describe, expect, it } from "vitest";
import { createMemoryTelemetry } from "../../shared/adapters/memory/telemetry.ts";
import {
  measureClaims,
  measureDecided,
  measureGone,
  measureInitialized,
  measurePending,
  podsSince,
} from "../../shared/controllers/measure.ts";
import type { NodeClaim, Pod, ProvisioningPlan, Snapshot } from "../../shared/core/model/index.ts";
import type { StoredState } from "../../shared/ports/index.ts";
import { planned } from "./desk.ts";

const t0 = 1_760_000_000_000;
const cluster = "blue";

const held = (capacityType: "spot" | "on-demand", priceMicroUsd: number): NonNullable<NodeClaim["instance"]> => ({
  id: "i-1",
  providerId: "aws:///us-east-1a/i-1",
  instanceType: "m5.large",
  zone: "us-east-1a",
  capacityType,
  priceMicroUsd,
  capacity: { cpu: 2_000, memory: 8_000_000_000 },
  allocatable: { cpu: 1_900, memory: 7_000_000_000 },
  launchedAtMs: t0,
});

function claim(name: string, change: Partial<NodeClaim> = {}): NodeClaim {
  const { cheapest: _price, pods: _pods, ...asked } = planned(name);
  return { ...asked, version: 1, createdAtMs: t0, reason: "provisioned", ...change };
}

const stateOf = (claims: readonly NodeClaim[]): StoredState => ({
  head: { seq: 1, epoch: "e1", clusterUid: "u" },
  claims,
  launches: [],
  placements: [],
  commands: [],
});

describe("what a cluster holds", () => {
  const telemetry = createMemoryTelemetry();
  const deletion = (requestedAtMs: number) => ({ requestedAtMs, reason: "empty" as const });
  const claims = [
    claim("a", { instance: held("spot", 30_000), initializedAtMs: t0 }),
    claim("b", { instance: held("spot", 31_000), registeredAtMs: t0 }),
    claim("c", { instance: held("on-demand", 96_000), deletion: deletion(t0 - 90_000) }),
    claim("d"),
    claim("e", { deletion: deletion(t0 - 10_000) }),
  ];
  measureClaims(telemetry, cluster, stateOf(claims), t0);
  const gauge = (name: string, labels = {}) => telemetry.gauged(name, { cluster, ...labels });

  it("is counted by capacity type, in whole vCPUs and bytes", () => {
    const by = (name: string) => ["spot", "on-demand", "reserved"].map((one) => gauge(name, { capacity_type: one }));
    expect(by("timmerman_nodes")).toEqual([2, 1, 0]);
    expect(by("timmerman_vcpus")).toEqual([4, 2, 0]);
    expect(by("timmerman_memory_bytes")).toEqual([16_000_000_000, 8_000_000_000, 0]);
  });

  it("is priced together, at the prices of the launches", () => {
    expect(gauge("timmerman_hourly_cost_micro_usd")).toBe(157_000);
  });

  it("is counted by phase, none left out", () => {
    const phases = ["Pending", "Launched", "Registered", "Initialized", "Draining", "Terminating"];
    expect(phases.map((phase) => gauge("timmerman_nodeclaims", { phase }))).toEqual([1, 0, 1, 1, 1, 1]);
  });

  it("has the age of the deletion that was asked for first", () => {
    expect(gauge("timmerman_oldest_termination_seconds")).toBe(90);
    measureClaims(telemetry, "green", stateOf([]), t0);
    expect(telemetry.gauged("timmerman_oldest_termination_seconds", { cluster: "green" })).toBe(0);
  });
});

describe("pending pods", () => {
  const pod = (change: Partial<Pod>) =>
    ({ phase: "Pending", unschedulable: true, mirror: false, schedulingGates: [], ...change }) as Pod;
  const plan = {
    unschedulable: [{ pod: "default/web", reason: "none fits", nodePools: {} }],
  } as unknown as ProvisioningPlan;
  const depth = (...pods: readonly Pod[]) => {
    const telemetry = createMemoryTelemetry();
    measurePending(telemetry, cluster, { pods } as unknown as Snapshot, plan);
    expect(telemetry.gauged("karpenter_scheduler_unschedulable_pods_count", { cluster })).toBe(1);
    return telemetry.gauged("karpenter_scheduler_queue_depth", { cluster });
  };

  it("are those that wait for a node", () => {
    expect(depth(pod({}), pod({}))).toBe(2);
  });

  it.each<[string, Partial<Pod>]>([
    ["bound", { nodeName: "n" }],
    ["not seen by the scheduler", { unschedulable: false }],
    ["being deleted", { deletionAtMs: t0 }],
    ["over", { phase: "Failed" }],
    ["gated", { schedulingGates: ["later"] }],
    ["static", { mirror: true }],
    ["a DaemonSet's", { owner: { kind: "DaemonSet", name: "d", uid: "u" } as NonNullable<Pod["owner"]> }],
    ["preempting others", { nominatedNodeName: "n" }],
  ])("are none that are %s", (_what, change) => {
    expect(depth(pod(change))).toBe(0);
  });
});

describe("durations", () => {
  it("of pods count from the oldest that a claim was made for", () => {
    const pods = [
      { namespace: "default", name: "old", createdAtMs: t0 - 9_000 },
      { namespace: "default", name: "new", createdAtMs: t0 - 1_000 },
    ];
    const since = podsSince({ pods } as unknown as Snapshot);
    expect(since(planned("a", { pods: ["default/new", "default/old", "default/gone"] }))).toEqual({
      podsSinceMs: t0 - 9_000,
    });
    expect(since(planned("a", { pods: ["default/gone"] }))).toEqual({});
  });

  it("to an initialized node are the claim's and the pods'", () => {
    const telemetry = createMemoryTelemetry();
    measureInitialized(telemetry, cluster, claim("a", { podsSinceMs: t0 - 5_000 }), t0 + 40_000);
    measureInitialized(telemetry, cluster, claim("b"), t0 + 50_000);
    expect(telemetry.observed("timmerman_nodeclaims_initialization_duration_seconds")).toEqual([40, 50]);
    expect(telemetry.observed("timmerman_pods_ready_duration_seconds")).toEqual([45]);
  });

  it("of terminations are those of nodes, and never negative where clocks differ", () => {
    const telemetry = createMemoryTelemetry();
    const deletion = { requestedAtMs: t0, reason: "empty" } as const;
    measureGone(telemetry, cluster, claim("a", { deletion, nodeName: "n" }), t0 + 700_000);
    measureGone(telemetry, cluster, claim("b", { deletion }), t0 + 700_000);
    measureGone(telemetry, cluster, claim("c", { deletion, nodeName: "n" }), t0 - 1);
    expect(telemetry.observed("karpenter_nodes_termination_duration_seconds")).toEqual([700, 0]);
    expect(telemetry.counted("karpenter_nodeclaims_terminated_total", { cluster })).toBe(3);
  });
});

it("savings are summed by reason, in the spelling of Karpenter's labels", () => {
  const telemetry = createMemoryTelemetry();
  const command = { id: "c", decision: "delete", candidates: ["a"], replacements: [] } as const;
  measureDecided(telemetry, cluster, [
    { ...command, reason: "Empty", savingsMicroUsdPerHour: 96_000 },
    { ...command, reason: "Empty", savingsMicroUsdPerHour: 4_000 },
    { ...command, reason: "Expired", savingsMicroUsdPerHour: 1 },
  ]);
  const savings = "timmerman_voluntary_disruption_savings_micro_usd_total";
  expect(telemetry.counted(savings, { cluster, reason: "empty" })).toBe(100_000);
  expect(telemetry.counted("karpenter_voluntary_disruption_decisions_total", { reason: "expired" })).toBe(1);
});
