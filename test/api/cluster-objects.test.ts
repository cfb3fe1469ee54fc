import { describe, expect, it } from "vitest";
import { toNamespace, toNode, toPodDisruptionBudget } from "../../shared/api/index.ts";

describe("toNode", () => {
  it("reads what a kubelet reports", () => {
    const node = {
      kind: "Node",
      metadata: { name: "n1", uid: "u1", labels: { a: "b" }, finalizers: ["karpenter.sh/termination"] },
      spec: { providerID: "aws:///us-east-1a/i-1", unschedulable: true, taints: [{ key: "t", effect: "NoSchedule" }] },
      status: {
        capacity: { cpu: "2", memory: "8145208Ki", pods: "29", "ephemeral-storage": "20959212Ki" },
        allocatable: { cpu: "1930m", memory: "7455032Ki", pods: "29", "ephemeral-storage": "18242267924" },
        conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-31T12:00:00Z" }],
      },
    };
    expect(toNode(node)).toEqual({
      uid: "u1",
      name: "n1",
      resourceVersion: "",
      providerId: "aws:///us-east-1a/i-1",
      labels: { a: "b" },
      annotations: {},
      taints: [{ key: "t", value: "", effect: "NoSchedule" }],
      capacity: { cpu: 2000, memory: 8340692992, pods: 29, "ephemeral-storage": 21462233088 },
      allocatable: { cpu: 1930, memory: 7633952768, pods: 29, "ephemeral-storage": 18242267924 },
      conditions: [{ type: "Ready", status: "True", changedAtMs: 1769860800000 }],
      cordoned: true,
      createdAtMs: 0,
      finalizers: ["karpenter.sh/termination"],
    });
  });

  it("takes its capacity as allocatable when it says nothing else, rounded down", () => {
    const node = toNode({ kind: "Node", metadata: { name: "n" }, status: { capacity: { memory: "1500m" } } });
    expect([node.capacity, node.allocatable]).toEqual([{ memory: 1 }, { memory: 1 }]);
  });

  it("names the field that is wrong", () => {
    expect(() => toNode({ metadata: { name: "n" }, spec: { taints: [{ key: "a", effect: "Never" }] } })).toThrow(
      'Node n: spec.taints[0].effect: expected one of NoSchedule, PreferNoSchedule, NoExecute, got "Never"',
    );
    expect(() => toNode({ metadata: { name: "n", creationTimestamp: "yesterday" } })).toThrow(
      "metadata.creationTimestamp",
    );
  });
});

describe("toPodDisruptionBudget", () => {
  it("reads counts and percentages", () => {
    const budget = {
      metadata: { name: "b" },
      spec: { selector: { matchLabels: { app: "web" } }, minAvailable: 1, maxUnavailable: "50%" },
      status: { disruptionsAllowed: 2 },
    };
    expect(toPodDisruptionBudget(budget)).toEqual({
      namespace: "default",
      name: "b",
      selector: { matchLabels: { app: "web" }, matchExpressions: [] },
      disruptionsAllowed: 2,
      minAvailable: "1",
      maxUnavailable: "50%",
      unhealthyPodEvictionPolicy: "IfHealthyBudget",
    });
  });

  it("tells an absent selector from an empty one", () => {
    expect(toPodDisruptionBudget({ metadata: { name: "b" } }).selector).toBeUndefined();
    expect(toPodDisruptionBudget({ metadata: { name: "b" }, spec: { selector: {} } }).selector).toEqual({
      matchLabels: {},
      matchExpressions: [],
    });
  });

  it("refuses what is no count", () => {
    expect(() => toPodDisruptionBudget({ metadata: { name: "b" }, spec: { minAvailable: "half" } })).toThrow(
      "spec.minAvailable",
    );
  });
});

it("toNamespace reads labels", () => {
  expect(toNamespace({ metadata: { name: "shop", labels: { team: "a" } } })).toEqual({
    name: "shop",
    labels: { team: "a" },
  });
});
