import { describe, expect, it } from "vitest";
import type { NodePool, Pod, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  asks,
  capacityType,
  cpuLabel,
  daemonSet,
  gi,
  instanceType,
  pod,
  pods,
  pool,
  req,
  snapshot,
  taint,
  zone,
} from "../scheduling/fixtures.ts";

function only(over: Partial<NodePool>, of: Partial<Pod> = {}, more: Partial<Snapshot> = {}) {
  const plan = planProvisioning(snapshot({ nodePools: [pool("default", over)], pods: [pod("a", of)], ...more }));
  expect(plan.claims).toHaveLength(1);
  return plan.claims[0]!;
}

describe("a planned claim", () => {
  it("carries the template", () => {
    const claim = only({
      labels: { team: "a" },
      annotations: { note: "n" },
      taints: [taint("x", "", "PreferNoSchedule")],
      startupTaints: [taint("cni")],
      expireAfterMs: 5,
      terminationGracePeriodMs: 6,
    });
    expect(claim.labels).toMatchObject({
      team: "a",
      "karpenter.sh/nodepool": "default",
      "karpenter.k8s.aws/ec2nodeclass": "default",
    });
    expect(claim.annotations).toMatchObject({
      note: "n",
      "karpenter.sh/nodepool-hash": "hash-default",
      "karpenter.k8s.aws/ec2nodeclass-hash": "hash-class",
    });
    expect([claim.taints, claim.startupTaints]).toEqual([[taint("x", "", "PreferNoSchedule")], [taint("cni")]]);
    expect([claim.expireAfterMs, claim.terminationGracePeriodMs]).toEqual([5, 6]);
    expect([claim.nodePool, claim.nodePoolUid, claim.nodePoolHash]).toEqual(["default", "uid-default", "hash-default"]);
    expect([claim.nodeClass, claim.nodeClassHash]).toEqual(["default", "hash-class"]);
  });

  it("asks for its pods and the daemons of its cheapest type", () => {
    const claim = only({}, { requests: asks(1, 2) }, { daemonSets: [daemonSet("d", { requests: asks(0.5, 1) })] });
    expect(claim.requests).toEqual({ cpu: 1500, memory: 3 * gi, pods: 2 });
  });

  it("names its types cheapest first, and its pods in order", () => {
    const plan = planProvisioning(snapshot({ pods: pods(3).reverse() }));
    expect(plan.claims[0]!.instanceTypes.slice(0, 3)).toEqual(["a1.medium", "b2.medium", "a1.large"]);
    expect(plan.claims[0]!.pods).toEqual(["default/p-000", "default/p-001", "default/p-002"]);
  });

  it("keeps both bounds of a pool (core#2674)", () => {
    const { requirements } = only({
      requirements: [req(cpuLabel, "Gt", "3"), req(cpuLabel, "Lt", "9"), req(capacityType, "In", "on-demand")],
    });
    expect(requirements).toContainEqual(req(cpuLabel, "Gte", "4"));
    expect(requirements).toContainEqual(req(cpuLabel, "Lte", "8"));
  });

  it("is narrowed by its pods", () => {
    const { requirements } = only({}, { nodeSelector: { [zone]: "z-b" } });
    expect(requirements).toContainEqual(req(zone, "In", "z-b"));
  });

  it("lists its types as a requirement too", () => {
    const { requirements, instanceTypes } = only({}, { requests: asks(16, 1) });
    expect(requirements).toContainEqual(req(instanceType, "In", ...[...instanceTypes].sort()));
  });

  it.each<[string, string[], "In" | "Exists" | "Gt" | "NotIn", string]>([
    ["In", ["b", "a"], "In", "a"],
    ["Exists", [], "Exists", "any"],
    ["Gt", ["7"], "Gt", "8"],
  ])("settles a label of the pool's own: %s", (_, values, operator, expected) => {
    const claim = only({ requirements: [req("team", operator, ...values), req(capacityType, "In", "on-demand")] });
    expect(claim.labels.team).toBe(expected);
    expect(claim.requirements).toContainEqual(req("team", "In", expected));
  });

  it("gives no label where the pool only excludes values", () => {
    const claim = only({ requirements: [req("team", "NotIn", "a"), req(capacityType, "In", "on-demand")] });
    expect(claim.labels.team).toBeUndefined();
  });

  it("settles a label as its pod wants it", () => {
    const claim = only(
      { requirements: [req("team", "In", "a", "b"), req(capacityType, "In", "on-demand")] },
      { nodeSelector: { team: "b" } },
    );
    expect(claim.labels.team).toBe("b");
  });
});
