import { describe, expect, it } from "vitest";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  asks,
  claim,
  daemonPod,
  daemonSet,
  gi,
  instanceType,
  node,
  pod,
  pool,
  req,
  snapshot,
  taint,
} from "./fixtures.ts";

const family = (...values: string[]) => [pool("default", { requirements: [req(instanceType, "In", ...values)] })];

describe("room for DaemonSets", () => {
  const daemonSets = ["a", "b"].map((name) => daemonSet(name, { requests: { cpu: 1500, pods: 1 } }));

  it("keeps types off a claim that the daemons overfill in what no pod asks for", () => {
    const pods = [pod("p", { requests: { memory: gi, pods: 1 } })];
    const plan = planProvisioning(snapshot({ pods, daemonSets, nodePools: family("a1.small", "a1.medium") }));
    expect(plan.claims.map(({ instanceTypes }) => instanceTypes)).toEqual([["a1.medium"]]);
  });

  it("is told where it alone is too much for every type", () => {
    const pods = [pod("p", { requests: { memory: gi, pods: 1 } })];
    const plan = planProvisioning(snapshot({ pods, daemonSets, nodePools: family("a1.small") }));
    expect(plan.unschedulable[0]?.nodePools.default).toContain(
      "its DaemonSets alone are more than any instance type that the pod allows can hold",
    );
  });

  it("keeps pods off a claim in flight that the daemons overfill", () => {
    const pods = [pod("p", { requests: { memory: gi, pods: 1 } })];
    const claims = [claim("c", { instanceTypes: ["a1.small"] })];
    expect(planProvisioning(snapshot({ pods, daemonSets, claims, nodePools: [] })).placements).toEqual([]);
  });
});

describe("a daemon and its pods", () => {
  const set = daemonSet("logs", { requests: asks(2, 1) });
  const nodes = [node("n1")];
  const pending = pod("p", { requests: asks(2, 1) });

  it.each([
    ["the uid", { kind: "DaemonSet", name: "logs", uid: "uid-ds-logs" }],
    ["the name, where the uid differs", { kind: "DaemonSet", name: "logs", uid: "another" }],
    ["the name, where there is no uid", { kind: "DaemonSet", name: "logs", uid: "" }],
  ])("belong together by %s", (_, owner) => {
    const pods = [pending, daemonPod(set, "n1", { owner })];
    const plan = planProvisioning(snapshot({ pods, nodes, daemonSets: [set], nodePools: [] }));
    expect(plan.placements).toEqual([{ target: "n1", pods: ["default/p"] }]);
  });

  it.each([
    ["namespace", { namespace: "other" }, {}],
    ["kind", {}, { kind: "ReplicaSet" }],
  ])("do not where the %s is another", (_, over, ownerOver) => {
    const owner = { kind: "DaemonSet", name: "logs", uid: "another", ...ownerOver };
    const pods = [pending, daemonPod(set, "n1", { owner, ...over })];
    expect(planProvisioning(snapshot({ pods, nodes, daemonSets: [set], nodePools: [] })).placements).toEqual([]);
  });

  it("share the requests that admission gave the newest pod, found by name too", () => {
    const owner = { kind: "DaemonSet", name: "logs", uid: "another" };
    const pods = [pending, daemonPod(set, "n2", { owner, requests: asks(3, 1) })];
    expect(planProvisioning(snapshot({ pods, nodes, daemonSets: [set], nodePools: [] })).placements).toEqual([]);
  });
});

describe("the tolerations that every daemon's pod gets", () => {
  const tolerations = [{ operator: "Exists" as const }];
  const placed = (key: string, effect: "NoSchedule" | "NoExecute", hostNetwork: boolean) => {
    const set = daemonSet("logs", { requests: asks(3, 1), ...(hostNetwork ? { hostNetwork } : {}) });
    const nodes = [node("n1", { taints: [taint(key, "", effect)] })];
    const pods = [pod("p", { requests: asks(2, 1), tolerations })];
    return planProvisioning(snapshot({ pods, nodes, daemonSets: [set], nodePools: [] })).placements.length > 0;
  };

  it.each([
    ["node.kubernetes.io/not-ready", "NoExecute"],
    ["node.kubernetes.io/unreachable", "NoExecute"],
    ["node.kubernetes.io/disk-pressure", "NoSchedule"],
    ["node.kubernetes.io/memory-pressure", "NoSchedule"],
    ["node.kubernetes.io/pid-pressure", "NoSchedule"],
    ["node.kubernetes.io/unschedulable", "NoSchedule"],
  ] as const)("%s:%s: its share is kept", (key, effect) => {
    expect(placed(key, effect, false)).toBe(false);
  });

  it("network-unavailable: only on the host's network", () => {
    expect(placed("node.kubernetes.io/network-unavailable", "NoSchedule", false)).toBe(true);
    expect(placed("node.kubernetes.io/network-unavailable", "NoSchedule", true)).toBe(false);
  });

  it("no other effect and no other taint", () => {
    expect(placed("node.kubernetes.io/disk-pressure", "NoExecute", false)).toBe(true);
    expect(placed("dedicated", "NoSchedule", false)).toBe(true);
  });
});
