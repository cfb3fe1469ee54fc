import { describe, expect, it } from "vitest";
import { node, pod, startMs } from "./kept.ts";
import { scraping } from "./scrape.ts";

describe("karpenter_pods_state", () => {
  it.each([
    [
      "a pod that runs on a node of a pool",
      pod("web-1", { nodeName: "a", phase: "Running", ready: true }),
      'karpenter_pods_state{name="web-1",namespace="default",owner="/apis/apps/v1/namespaces/default/replicasets/web-5d4",node="a",scheduled="true",nodepool="default",zone="eu-west-1a",arch="arm64",capacity_type="spot",instance_type="m7g.large",phase="Running",ready="true",managed="true"} 1',
    ],
    [
      "a pod without a node",
      pod("web-2", { owner: undefined }),
      'karpenter_pods_state{name="web-2",namespace="default",owner="",node="",scheduled="false",nodepool="",zone="",arch="",capacity_type="",instance_type="",phase="Pending",ready="false",managed="false"} 1',
    ],
    [
      "a pod on a node that is nobody's",
      pod("web-3", { nodeName: "b", phase: "Running" }),
      'karpenter_pods_state{name="web-3",namespace="default",owner="/apis/apps/v1/namespaces/default/replicasets/web-5d4",node="b",scheduled="true",nodepool="",zone="",arch="",capacity_type="",instance_type="",phase="Running",ready="false",managed="false"} 1',
    ],
    [
      "a pod whose node is not seen yet, of a namespaced owner",
      pod("job-4", { nodeName: "c", owner: { apiVersion: "batch/v1", kind: "Job", name: "nightly" } }),
      'karpenter_pods_state{name="job-4",namespace="default",owner="/apis/batch/v1/namespaces/default/jobs/nightly",node="c",scheduled="true",nodepool="",zone="",arch="",capacity_type="",instance_type="",phase="Pending",ready="false",managed="false"} 1',
    ],
  ])("of %s", (_, kept, line) => {
    const { view, lines } = scraping();
    view.put("Node", node("a"));
    view.put("Node", node("b", { labels: {} }));
    view.put("Pod", kept);
    expect(lines("karpenter_pods_state")).toEqual([line]);
  });

  it("writes many pods in pieces, each once", () => {
    const { view, metrics, samples } = scraping();
    for (let index = 0; index < 1201; index++) view.put("Pod", pod(`web-${index}`));
    expect(samples("karpenter_pods_state")).toHaveLength(1201);
    const pieces = [...metrics.pieces()].filter((piece) => piece.includes("karpenter_pods_state{"));
    expect(pieces.length).toBeGreaterThan(5);
  });
});

describe("how long pods take", () => {
  const scheduledAtMs = startMs + 40_000;

  it("counts from creation to the times in the pod's own conditions, whenever the relay learns of them", () => {
    const { view, list, at, samples } = scraping();
    list();
    view.put("Pod", pod("web-1"));
    at(30);
    expect(samples("karpenter_pods_unbound_time_seconds")).toEqual([
      { name: "karpenter_pods_unbound_time_seconds", labels: { name: "web-1", namespace: "default" }, value: 30 },
    ]);
    at(100);
    view.put("Pod", pod("web-1", { nodeName: "a", scheduledAtMs }));
    expect(samples("karpenter_pods_unbound_time_seconds")).toEqual([]);
    expect(samples("karpenter_pods_unstarted_time_seconds").map(({ value }) => value)).toEqual([100]);
    view.put("Pod", pod("web-1", { nodeName: "a", scheduledAtMs, phase: "Running" }));
    expect(samples("karpenter_pods_unstarted_time_seconds")).toHaveLength(1);
    const readyAtMs = startMs + 55_000;
    view.put("Pod", pod("web-1", { nodeName: "a", scheduledAtMs, phase: "Running", ready: true, readyAtMs }));
    expect(samples("karpenter_pods_unstarted_time_seconds")).toEqual([]);
    const bound = samples("karpenter_pods_bound_duration_seconds");
    expect(bound.filter(({ name }) => !name.endsWith("_bucket")).map(({ value }) => value)).toEqual([40, 1]);
    expect(bound.filter(({ name }) => name.endsWith("_bucket")).map(({ labels }) => labels.le)).toEqual(
      "0.005 0.01 0.025 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.6 0.7 0.8 0.9 1 1.25 1.5 1.75 2 2.5 3 3.5 4 4.5 5 6 7 8 9 10 15 20 25 30 40 50 60 120 150 300 450 600 +Inf".split(
        " ",
      ),
    );
    expect(samples("karpenter_pods_startup_duration_seconds")).toContainEqual({
      name: "karpenter_pods_startup_duration_seconds",
      labels: { quantile: "0.99" },
      value: 55,
    });
  });

  it.each([
    ["a pod that ran before the relay did", [pod("web-1", { phase: "Running", ready: true, readyAtMs: startMs })]],
    ["a pod that ended without being ready", [pod("job-1"), pod("job-1", { phase: "Succeeded" })]],
    ["a pod that is still coming up", [pod("web-1"), pod("web-1", { phase: "Running" })]],
  ])("says nothing of the startup of %s", (_, states) => {
    const { view, list, samples } = scraping();
    list();
    for (const state of states) view.put("Pod", state);
    expect(samples("karpenter_pods_startup_duration_seconds")).toEqual([]);
  });

  it("forgets a pod that goes while it waits", () => {
    const { view, list, samples } = scraping();
    list();
    view.put("Pod", pod("web-1"));
    view.remove("Pod", "uid-of-web-1");
    expect(samples("karpenter_pods_unbound_time_seconds")).toEqual([]);
    expect(samples("karpenter_pods_unstarted_time_seconds")).toEqual([]);
  });
});

describe("karpenter_scheduler_queue_depth", () => {
  const waiting = { unschedulable: true } as const;

  it.each([
    ["a pod that no node takes", pod("p", waiting), 1],
    ["a pod that the scheduler has not looked at", pod("p"), 0],
    ["a bound pod", pod("p", { ...waiting, nodeName: "a" }), 0],
    ["a pod being deleted", pod("p", { ...waiting, deletionAtMs: startMs }), 0],
    ["a DaemonSet's pod", pod("p", { ...waiting, isDaemon: true }), 0],
    ["a static pod", pod("p", { ...waiting, isStatic: true }), 0],
    ["a gated pod", pod("p", { ...waiting, gated: true }), 0],
    ["a pod that room is made for", pod("p", { ...waiting, nominated: true }), 0],
    ["a pod that ended", pod("p", { ...waiting, phase: "Failed" }), 0],
  ])("is, with %s in the cluster: %s", (_, kept, depth) => {
    const { view, lines } = scraping();
    view.put("Pod", kept);
    expect(lines("karpenter_scheduler_queue_depth")).toEqual([
      `karpenter_scheduler_queue_depth{controller="provisioner",scheduling_id=""} ${depth}`,
    ]);
  });

  it("falls when the pod is bound or goes", () => {
    const { view, samples } = scraping();
    const depth = () => samples("karpenter_scheduler_queue_depth")[0]?.value;
    for (const name of ["a", "b", "c"]) view.put("Pod", pod(name, waiting));
    expect(depth()).toBe(3);
    view.put("Pod", pod("a", { nodeName: "n" }));
    view.remove("Pod", "uid-of-b");
    expect(depth()).toBe(1);
  });
});
