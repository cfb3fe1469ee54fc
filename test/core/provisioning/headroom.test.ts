import { describe, expect, it } from "vitest";
import { toCapacityBuffer } from "../../../shared/api/index.ts";
import { planDisruption } from "../../../shared/core/disruption/index.ts";
import type { CapacityBuffer, NodeClaim, Snapshot } from "../../../shared/core/model/index.ts";
import { headroomTargets, planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  asks,
  bound,
  claim,
  instanceType,
  joined,
  node,
  pod,
  podSpec,
  pods,
  pool,
  req,
  snapshot,
} from "../scheduling/fixtures.ts";

function buffer(name: string, replicas: number, over: Partial<CapacityBuffer> = {}): CapacityBuffer {
  const template = podSpec({ requests: asks(1.5, 1) });
  return {
    uid: `uid-${name}`,
    namespace: "default",
    name,
    resourceVersion: "1",
    generation: 1,
    strategy: "buffer.x-k8s.io/active-capacity",
    replicas,
    template,
    ...over,
  };
}

function given(over: Partial<Snapshot>, capacityBuffer = true): Snapshot {
  const base = snapshot();
  const settings = { ...base.settings, featureGates: { ...base.settings.featureGates, capacityBuffer } };
  return snapshot({ settings, capacityBuffers: [buffer("spare", 2)], ...over });
}

const medium = [req(instanceType, "In", "a1.medium")];

describe("CapacityBuffers", () => {
  it("make nodes, whose claims name no pods", () => {
    const plan = planProvisioning(given({ nodePools: [pool("default", { requirements: medium })] }));
    expect(plan.claims.map(({ pods: on, requests }) => [on, requests.cpu])).toEqual([[[], 3_000]]);
    expect([plan.unschedulable, plan.ignored, plan.placements, plan.warnings]).toEqual([[], [], [], []]);
  });

  it("are nothing while the feature gate is off", () => {
    expect(planProvisioning(given({}, false)).claims).toEqual([]);
  });

  it("are content with room on nodes that are there or on their way, for which nobody is nominated", () => {
    const flying = claim("f", { instanceTypes: ["a1.medium"] });
    for (const there of [{ nodes: [node("n")], claims: [joined(node("n"))] }, { claims: [flying] }]) {
      const plan = planProvisioning(given(there));
      expect([plan.claims, plan.placements]).toEqual([[], []]);
    }
  });

  it("give way: real pods take that room, and it is made anew", () => {
    const of = { nodes: [node("n")], claims: [joined(node("n"))], pods: pods(2, { requests: asks(1.5, 1) }) };
    const plan = planProvisioning(given({ ...of, nodePools: [pool("default", { requirements: medium })] }));
    expect(plan.placements).toEqual([{ target: "claim-n", pods: ["default/p-000", "default/p-001"] }]);
    expect(plan.claims.map(({ pods: on }) => on)).toEqual([[]]);
  });

  it("get what limits leave after every real pod, however unimportant", () => {
    const nodePools = [pool("default", { requirements: medium, limits: { nodes: 1 } })];
    const real = pods(2, { requests: asks(1.9, 1), priority: -2_147_483_648 });
    const plan = planProvisioning(given({ nodePools, pods: real }));
    expect(plan.claims.map(({ pods: on }) => on.length)).toEqual([2]);
    expect(plan.unschedulable).toEqual([]);
    expect(plan.warnings).toEqual([
      {
        object: "CapacityBuffer/default/spare",
        message: expect.stringContaining("room for 2 of its 2 pods is missing"),
      },
    ]);
  });

  it("keep nodes from going as empty, as many as they need", () => {
    const nodes = ["a", "b"].map((name) => node(name));
    const claims = nodes.map((one): NodeClaim => joined(one, { lastPodEventAtMs: 1 }));
    const of = given({ nodes, claims, nodePools: [pool("default", { budgets: [{ nodes: "100%" }] })] });
    const plan = planDisruption(of, headroomTargets(of));
    expect(plan.commands.map(({ candidates }) => candidates)).toEqual([["claim-b"]]);
    expect(plan.blocked[0]!.reasons).toContain("it holds room for a CapacityBuffer");
    const without = { ...of, capacityBuffers: [] };
    expect(planDisruption(without, headroomTargets(without)).commands).toHaveLength(2);
  });

  it("leave pods that are there alone", () => {
    const plan = planProvisioning(
      given({ nodes: [node("n")], claims: [joined(node("n"))], pods: [bound("x", "n"), pod("y")] }),
    );
    expect(plan.placements).toEqual([{ target: "claim-n", pods: ["default/y"] }]);
  });
});

describe("a CapacityBuffer as it is written", () => {
  const template = { spec: { containers: [{ name: "c", resources: { requests: { cpu: "500m", memory: "1Gi" } } }] } };
  const things: Record<string, unknown> = {
    "PodTemplate default/t": { apiVersion: "v1", kind: "PodTemplate", template },
    "Deployment default/d": { apiVersion: "apps/v1", kind: "Deployment", spec: { replicas: 9, template } },
    "Deployment default/none": { apiVersion: "apps/v1", kind: "Deployment", spec: { replicas: 0, template } },
  };
  const read = (spec: Record<string, unknown>) =>
    toCapacityBuffer(
      {
        apiVersion: "autoscaling.x-k8s.io/v1beta1",
        kind: "CapacityBuffer",
        metadata: { name: "b", namespace: "default" },
        spec,
      },
      (kind, namespace, name) => things[`${kind} ${namespace}/${name}`],
    );
  const podTemplateRef = { name: "t" };
  const scalableRef = { apiGroup: "apps", kind: "Deployment", name: "d" };

  it.each<[string, Record<string, unknown>, number]>([
    ["a count", { podTemplateRef, replicas: 3 }, 3],
    ["as many as limits hold", { podTemplateRef, limits: { cpu: "2", memory: "10Gi" } }, 4],
    ["a count, but no more than limits hold", { podTemplateRef, replicas: 9, limits: { memory: "5Gi" } }, 5],
    ["a share, rounded up", { scalableRef, percentage: 20 }, 2],
    ["the larger of count and share", { scalableRef, percentage: 50, replicas: 2 }, 5],
    ["a share of nothing", { scalableRef: { ...scalableRef, name: "none" }, percentage: 50 }, 0],
    ["limits on what its pods don't ask for", { podTemplateRef, replicas: 2, limits: { "x.y/z": "0" } }, 2],
  ])("%s", (_, spec, replicas) => {
    expect(read(spec)).toMatchObject({ replicas, template: { requests: { cpu: 500, pods: 1 } } });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["a template that is not there", { podTemplateRef: { name: "x" }, replicas: 1 }, "PodTemplateNotFound"],
    [
      "a workload that is not there",
      { scalableRef: { ...scalableRef, name: "x" }, replicas: 1 },
      "ScalableRefNotFound",
    ],
    ["no reference at all", { replicas: 1 }, "ResolutionFailed"],
    ["somebody else's strategy", { podTemplateRef, replicas: 1, provisioningStrategy: "other" }, "ResolutionFailed"],
  ])("%s keeps no room, and says why", (_, spec, reason) => {
    expect(read(spec)).toMatchObject({ replicas: 0, fault: { reason } });
  });
});
