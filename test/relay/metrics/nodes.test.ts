import { describe, expect, it } from "vitest";
import { claim, condition, node, pod, startMs } from "./kept.ts";
import { scraping } from "./scrape.ts";

const own =
  'nodepool="default",zone="eu-west-1a",instance_type="m7g.large",arch="arm64",os="linux",capacity_type="spot",instance_cpu="2",zone_id="euw1-az1",node_name="a"';

describe("what a node has and what its pods take", () => {
  it("bears Karpenter's labels, whole CPUs and bytes", () => {
    const { view, lines } = scraping();
    view.put("Node", node("a"));
    expect(lines("karpenter_nodes_allocatable")).toEqual([
      `karpenter_nodes_allocatable{${own},managed="false",resource_type="cpu"} 1.93`,
      `karpenter_nodes_allocatable{${own},managed="false",resource_type="memory"} 7000000000`,
      `karpenter_nodes_allocatable{${own},managed="false",resource_type="ephemeral_storage"} 18000000000`,
      `karpenter_nodes_allocatable{${own},managed="false",resource_type="pods"} 29`,
    ]);
    expect(lines("karpenter_nodes_system_overhead")).toEqual([
      `karpenter_nodes_system_overhead{${own},managed="false",resource_type="cpu"} 0.07`,
      `karpenter_nodes_system_overhead{${own},managed="false",resource_type="memory"} 1000000000`,
      `karpenter_nodes_system_overhead{${own},managed="false",resource_type="ephemeral_storage"} 2000000000`,
      `karpenter_nodes_system_overhead{${own},managed="false",resource_type="pods"} 0`,
    ]);
    view.put("NodeClaim", claim("a"));
    expect(lines("karpenter_nodes_current_lifetime_seconds")).toEqual([
      `karpenter_nodes_current_lifetime_seconds{${own},managed="true"} 0`,
    ]);
  });

  it("adds up its pods, DaemonSets' apart, those that ended left out, and takes away what goes", () => {
    const { view, samples } = scraping();
    const sums = (family: string) =>
      Object.fromEntries(samples(family).map(({ labels, value }) => [labels.resource_type, value]));
    const gpu = { requests: { cpu: 250, "nvidia.com/gpu": 1, pods: 1 }, limits: { "nvidia.com/gpu": 1 } };
    view.put("Node", node("a"));
    view.put("Pod", pod("web", { nodeName: "a", phase: "Running" }));
    view.put("Pod", pod("train", { nodeName: "a", phase: "Running", resources: gpu }));
    view.put("Pod", pod("agent", { nodeName: "a", phase: "Running", isDaemon: true }));
    view.put("Pod", pod("done", { nodeName: "a", phase: "Succeeded" }));
    view.put("Pod", pod("elsewhere", { nodeName: "b", phase: "Running" }));
    expect(sums("karpenter_nodes_total_pod_requests")).toEqual({
      cpu: 1.25,
      memory: 2_147_483_648,
      pods: 3,
      "nvidia.com/gpu": 1,
    });
    expect(sums("karpenter_nodes_total_pod_limits")).toEqual({ memory: 4_294_967_296, pods: 3, "nvidia.com/gpu": 1 });
    expect(sums("karpenter_nodes_total_daemon_requests")).toEqual({ cpu: 0.5, memory: 1_073_741_824, pods: 1 });
    expect(sums("karpenter_nodes_total_daemon_limits")).toEqual({ memory: 2_147_483_648, pods: 1 });
    view.put("Pod", pod("train", { nodeName: "a", phase: "Failed", resources: gpu }));
    view.remove("Pod", "uid-of-agent");
    expect(sums("karpenter_nodes_total_pod_requests")).toEqual({ cpu: 0.5, memory: 1_073_741_824, pods: 1 });
    expect(sums("karpenter_nodes_total_daemon_requests")).toEqual({});
    expect(sums("karpenter_nodes_total_daemon_limits")).toEqual({});
    view.remove("Pod", "uid-of-web");
    expect(sums("karpenter_nodes_total_pod_requests")).toEqual({});
  });
});

describe("nodes that come and go", () => {
  const unregistered = { "karpenter.sh/nodepool": "default", "topology.kubernetes.io/zone": "eu-west-1a" };

  it("are counted when they are registered, once", () => {
    const { view, list, lines } = scraping();
    view.put("Node", node("old"));
    list();
    view.put("Node", node("new", { labels: unregistered }));
    expect(lines("karpenter_nodes_created_total")).toEqual([]);
    view.put("Node", node("new"));
    view.put("Node", node("new", { cordoned: true }));
    view.put("Node", node("foreign", { labels: {} }));
    expect(lines("karpenter_nodes_created_total")).toEqual([
      'karpenter_nodes_created_total{nodepool="default",zone="eu-west-1a"} 1',
    ]);
  });

  it("took from the wish in their NodeClaim until they were gone", () => {
    const { view, list, at, lines } = scraping();
    view.put("Node", node("a"));
    view.put("NodeClaim", claim("a"));
    list();
    const told = condition("DisruptionReason", "True", "Drifted", startMs + 1000);
    view.put("NodeClaim", claim("a", { conditions: [told] }));
    view.put("Node", node("a", { deletionAtMs: startMs + 700_000 }));
    at(701);
    view.remove("Node", "uid-of-a");
    expect(lines("karpenter_nodes_terminated_total")).toEqual([
      'karpenter_nodes_terminated_total{nodepool="default",zone="eu-west-1a"} 1',
    ]);
    expect(lines("karpenter_nodes_lifetime_duration_seconds_sum")).toEqual([
      'karpenter_nodes_lifetime_duration_seconds_sum{nodepool="default"} 701',
    ]);
    expect(lines("karpenter_nodes_termination_duration_seconds")).toEqual(
      ["0", "0.5", "0.9", "0.95", "0.99", "1"].map(
        (quantile) => `karpenter_nodes_termination_duration_seconds{nodepool="default",quantile="${quantile}"} 700`,
      ),
    );
    const buckets = lines("karpenter_nodes_termination_duration_seconds_bucket");
    expect(buckets).toContain('karpenter_nodes_termination_duration_seconds_bucket{nodepool="default",le="600"} 0');
    expect(buckets).toContain('karpenter_nodes_termination_duration_seconds_bucket{nodepool="default",le="1024"} 1');
  });

  it.each([
    ["whose claim's end was seen before their own", ["NodeClaim", "Node"], 300],
    ["whose claim's end is seen after their own", ["Node", "NodeClaim"], 300],
  ] as const)("took as long for nodes %s", (_, order, seconds) => {
    const { view, list, at, samples } = scraping();
    list();
    view.put("Node", node("a"));
    view.put("NodeClaim", claim("a", { conditions: [condition("DisruptionReason", "True", "Expired")] }));
    at(300);
    for (const kind of order) view.remove(kind, kind === "Node" ? "uid-of-a" : "uid-of-claim-a");
    const sum = samples("karpenter_nodes_termination_duration_seconds").find(({ name }) => name.endsWith("_sum"));
    expect(sum?.value).toBe(seconds);
  });

  it("took from their own deletion where nothing else is known", () => {
    const { view, list, at, samples } = scraping();
    list();
    view.put("Node", node("a", { deletionAtMs: startMs + 5000 }));
    at(12);
    view.remove("Node", "uid-of-a");
    const sum = samples("karpenter_nodes_termination_duration_seconds").find(({ name }) => name.endsWith("_sum"));
    expect(sum?.value).toBe(7);
  });

  it("live in Karpenter's buckets", () => {
    const { view, list, samples } = scraping();
    list();
    view.put("Node", node("a"));
    view.remove("Node", "uid-of-a");
    const bounds = samples("karpenter_nodes_lifetime_duration_seconds").flatMap(({ labels }) => labels.le ?? []);
    expect(bounds.join(" ")).toBe(
      "900 1800 2700 3600 7200 14400 21600 28800 36000 43200 57600 72000 86400 172800 259200 432000 864000 1296000 1728000 2160000 2592000 +Inf",
    );
  });
});
