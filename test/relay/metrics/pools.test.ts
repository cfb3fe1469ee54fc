import { describe, expect, it } from "vitest";
import type { KeptNode, KeptNodeClaim, KeptPod } from "../../../relay/objects.ts";
import type { Budget, DisruptionReason } from "../../../shared/core/model/index.ts";
import { claim, condition, node, pod, pool, startMs } from "./kept.ts";
import { scraping } from "./scrape.ts";

describe("what a pool has and may have", () => {
  it("is shown in whole CPUs and bytes", () => {
    const { view, lines } = scraping();
    view.put("NodePool", pool("default", { usage: { cpu: 2500, nodes: 3 }, limits: { memory: 1e12, cpu: 100_000 } }));
    expect(lines("karpenter_nodepools_usage")).toEqual([
      'karpenter_nodepools_usage{resource_type="cpu",nodepool="default"} 2.5',
      'karpenter_nodepools_usage{resource_type="nodes",nodepool="default"} 3',
    ]);
    expect(lines("karpenter_nodepools_limit")).toEqual([
      'karpenter_nodepools_limit{resource_type="memory",nodepool="default"} 1000000000000',
      'karpenter_nodepools_limit{resource_type="cpu",nodepool="default"} 100',
    ]);
  });
});

describe("karpenter_nodepools_cost_total", () => {
  const priced = (name: string, priceMicroUsd: string) =>
    claim(name, { annotations: { "timmerman/price-micro-usd": priceMicroUsd } });

  it.each([
    ["a pool without nodes", [], ['karpenter_nodepools_cost_total{nodepool="default"} 0']],
    [
      "claims that tell their price, those without an instance left out",
      [priced("a", "96000"), priced("b", "34500"), claim("c", { providerId: undefined })],
      ['karpenter_nodepools_cost_total{nodepool="default"} 0.1305'],
    ],
    ["a claim whose price is not known", [priced("a", "96000"), claim("b")], []],
  ])("with %s", (_, claims, expected) => {
    const { view, lines } = scraping();
    view.put("NodePool", pool("default"));
    for (const one of claims) view.put("NodeClaim", one);
    expect(lines("karpenter_nodepools_cost_total")).toEqual(expected);
  });
});

describe("budgets", () => {
  it("show what they allow and which nodes count against them", () => {
    const { view, lines } = scraping();
    const budgets: Budget[] = [{ nodes: "40%" }, { nodes: "1", reasons: ["Drifted"] }];
    view.put("NodePool", pool("default", { budgets }));
    const cases: readonly [string, Partial<KeptNodeClaim>, Partial<KeptNode>][] = [
      ["well", {}, {}],
      ["unready", {}, { conditions: [condition("Ready", "Unknown")] }],
      ["told", { conditions: [condition("Initialized"), condition("DisruptionReason", "True", "Empty")] }, {}],
      ["tainted", {}, { taints: [{ key: "karpenter.sh/disrupted", value: "", effect: "NoSchedule" }] }],
      ["deleted", {}, { deletionAtMs: startMs }],
      ["starting", { conditions: [condition("Launched")] }, {}],
      ["ending", { conditions: [condition("Initialized"), condition("InstanceTerminating")] }, {}],
    ];
    for (const [name, ofClaim, ofNode] of cases) {
      view.put("NodeClaim", claim(name, ofClaim));
      view.put("Node", node(name, ofNode));
    }
    expect(lines("karpenter_nodepools_allowed_disruptions")).toEqual([
      'karpenter_nodepools_allowed_disruptions{nodepool="default",reason="Underutilized"} 2',
      'karpenter_nodepools_allowed_disruptions{nodepool="default",reason="Empty"} 2',
      'karpenter_nodepools_allowed_disruptions{nodepool="default",reason="Drifted"} 1',
    ]);
    expect(lines("karpenter_nodepools_nodes_consuming_budgets")).toEqual([
      'karpenter_nodepools_nodes_consuming_budgets{nodepool="default",reason="Underutilized"} 4',
      'karpenter_nodepools_nodes_consuming_budgets{nodepool="default",reason="Empty"} 4',
      'karpenter_nodepools_nodes_consuming_budgets{nodepool="default",reason="Drifted"} 4',
    ]);
  });

  const nightly = { nodes: "0", schedule: "0 22 * * *", durationMs: 8 * 3_600_000 };
  const at = (time: string) => Date.parse(`2026-01-01T${time}Z`);

  it.each<[string, readonly Budget[], DisruptionReason, string, number]>([
    ["none", [], "Empty", "12:00:00", 2_147_483_647],
    ["a number", [{ nodes: "3" }], "Empty", "12:00:00", 3],
    ["a percentage, rounded up", [{ nodes: "10%" }], "Empty", "12:00:00", 2],
    ["the tightest of two", [{ nodes: "50%" }, { nodes: "5" }], "Empty", "12:00:00", 5],
    ["another reason's", [{ nodes: "0", reasons: ["Drifted"] }, { nodes: "4" }], "Empty", "12:00:00", 4],
    ["its own reason's", [{ nodes: "0", reasons: ["Drifted"] }, { nodes: "4" }], "Drifted", "12:00:00", 0],
    ["a window that is open since yesterday", [nightly, { nodes: "4" }], "Empty", "05:59:59", 0],
    ["a window that has just closed", [nightly, { nodes: "4" }], "Empty", "06:00:00", 4],
    ["a window that has just opened", [nightly, { nodes: "4" }], "Empty", "22:00:00", 0],
    ["a schedule that cannot be read", [{ ...nightly, nodes: "9", schedule: "at night" }], "Empty", "12:00:00", 0],
  ])("allow, of 15 nodes, with %s", (_, budgets, reason, time, expected) => {
    const { view, at: clockAt, samples } = scraping();
    clockAt((at(time) - startMs) / 1000);
    view.put("NodePool", pool("default", { budgets }));
    for (let index = 0; index < 15; index++) {
      view.put("NodeClaim", claim(`n${index}`));
      view.put("Node", node(`n${index}`));
    }
    const shown = samples("karpenter_nodepools_allowed_disruptions").find((one) => one.labels.reason === reason);
    expect(shown?.value).toBe(expected);
  });
});

describe("karpenter_voluntary_disruption_eligible_nodes", () => {
  const quietFor = (seconds: number) => ({ consolidateAfterMs: seconds * 1000 });
  const drifted = [condition("Initialized"), condition("Drifted")];

  it.each<
    [string, Partial<Parameters<typeof pool>[1]>, Partial<KeptNodeClaim>, Partial<KeptNode>, readonly KeptPod[], string]
  >([
    ["an empty node", {}, {}, {}, [], "empty"],
    [
      "a node with DaemonSets' and static pods only",
      {},
      {},
      {},
      [pod("d", { isDaemon: true }), pod("s", { isStatic: true })],
      "empty",
    ],
    ["a node whose pod has ended", {}, {}, {}, [pod("p", { phase: "Succeeded" })], "empty"],
    ["a node with a pod", {}, {}, {}, [pod("p")], "underutilized"],
    [
      "a node with a pod in a pool that takes empty ones only",
      { consolidationPolicy: "WhenEmpty" },
      {},
      {},
      [pod("p")],
      "",
    ],
    [
      "a drifted node with a pod",
      { consolidationPolicy: "WhenEmpty" },
      { conditions: drifted },
      {},
      [pod("p")],
      "drifted",
    ],
    ["a pool that never consolidates", { consolidateAfterMs: null }, {}, {}, [], ""],
    ["a node that is not quiet for long enough", quietFor(61), {}, {}, [], ""],
    ["a node whose pods moved a moment ago", quietFor(30), { lastPodEventAtMs: startMs + 31_000 }, {}, [], ""],
    ["a node whose pods moved long enough ago", quietFor(30), { lastPodEventAtMs: startMs + 30_000 }, {}, [], "empty"],
    ["a static pool", { replicas: 3 }, {}, {}, [], ""],
    ["a node that is not initialized", {}, { conditions: [condition("Registered")] }, {}, [], ""],
    ["a node that goes already", {}, {}, { deletionAtMs: startMs }, [], ""],
    ["a protected node", {}, {}, { annotations: { "karpenter.sh/do-not-disrupt": "true" } }, [], ""],
    ["a protected claim", {}, { annotations: { "karpenter.sh/do-not-disrupt": "true" } }, {}, [], ""],
    ["a protected pod", {}, {}, {}, [pod("p", { doNotDisrupt: "true" })], ""],
    ["a pod that is protected for a minute more", {}, {}, {}, [pod("p", { doNotDisrupt: "1m30s" })], ""],
    ["a pod whose protection has ended", {}, {}, {}, [pod("p", { doNotDisrupt: "60s" })], "underutilized"],
    ["a pod whose protection cannot be read", {}, {}, {}, [pod("p", { doNotDisrupt: "soon" })], "underutilized"],
  ])("a minute after the start, with %s", (_, ofPool, ofClaim, ofNode, pods, reason) => {
    const { view, at, lines } = scraping();
    view.put("NodePool", pool("default", ofPool));
    view.put("NodeClaim", claim("a", ofClaim));
    view.put("Node", node("a", ofNode));
    for (const one of pods) view.put("Pod", { ...one, nodeName: "a" });
    at(60);
    expect(lines("karpenter_voluntary_disruption_eligible_nodes")).toEqual(
      ["empty", "underutilized", "drifted"].map(
        (one) => `karpenter_voluntary_disruption_eligible_nodes{reason="${one}"} ${one === reason ? 1 : 0}`,
      ),
    );
  });
});
