import { describe, expect, it } from "vitest";
import type { Wakes } from "../../../shared/ports/index.ts";
import { claim, node, pod, pool } from "./kept.ts";
import { parseExposition } from "./parse-exposition.ts";
import { scraping } from "./scrape.ts";

describe("the cluster's state", () => {
  it("counts nodes, and instances whose node has not joined", () => {
    const { view, lines } = scraping();
    view.put("Node", node("a"));
    view.put("Node", node("own", { providerId: undefined, labels: {} }));
    view.put("NodeClaim", claim("a"));
    view.put("NodeClaim", claim("b", { nodeName: undefined }));
    view.put("NodeClaim", claim("c", { nodeName: undefined, providerId: undefined }));
    expect(lines("karpenter_cluster_state_node_count")).toEqual(["karpenter_cluster_state_node_count 3"]);
  });

  it("is synced once everything was listed and while every claim has its instance", () => {
    const { view, list, at, lines } = scraping();
    const synced = () => [
      ...lines("karpenter_cluster_state_synced"),
      ...lines("karpenter_cluster_state_unsynced_time_seconds"),
    ];
    const is = (flag: number, seconds: number) => [
      `karpenter_cluster_state_synced ${flag}`,
      `karpenter_cluster_state_unsynced_time_seconds ${seconds}`,
    ];
    at(5);
    expect(synced()).toEqual(is(0, 5));
    list();
    expect(synced()).toEqual(is(1, 0));
    view.put("NodeClaim", claim("a", { providerId: undefined }));
    at(15);
    expect(synced()).toEqual(is(0, 15));
    view.put("NodeClaim", claim("a"));
    expect(synced()).toEqual(is(1, 0));
  });

  it("is used as far as pods request what nodes have", () => {
    const { view, lines } = scraping();
    view.put("Node", node("a", { allocatable: { cpu: 2000, memory: 4_294_967_296, pods: 10, "nvidia.com/gpu": 0 } }));
    view.put("Pod", pod("web", { nodeName: "a", phase: "Running" }));
    view.put("Pod", pod("waits"));
    expect(lines("karpenter_cluster_utilization_percent")).toEqual([
      'karpenter_cluster_utilization_percent{resource_type="cpu"} 25',
      'karpenter_cluster_utilization_percent{resource_type="memory"} 25',
      'karpenter_cluster_utilization_percent{resource_type="pods"} 10',
    ]);
  });
});

describe("which series there are", () => {
  const fill = ({ view, list }: ReturnType<typeof scraping>) => {
    view.put("NodePool", pool("default", { usage: { cpu: 2000 } }));
    list();
    view.put("Node", node("a"));
    view.put("NodeClaim", claim("a"));
    view.put("Pod", pod("web"));
  };
  const families = (scraped: ReturnType<typeof scraping>) => [...parseExposition(scraped.text()).keys()];

  it("with cluster-state observability: all that have values", () => {
    const scraped = scraping();
    fill(scraped);
    expect(families(scraped)).toEqual(
      expect.arrayContaining(["karpenter_pods_state", "karpenter_nodes_allocatable", "karpenter_nodepools_usage"]),
    );
  });

  it("without it: none that grows with pods, nodes or claims, and the alerts' all the same", () => {
    const scraped = scraping({ observeClusterState: false });
    fill(scraped);
    expect(families(scraped)).toEqual([
      "karpenter_build_info",
      "leader_election_master_status",
      "workqueue_depth",
      "controller_runtime_reconcile_total",
      "controller_runtime_reconcile_errors_total",
      "karpenter_cluster_state_node_count",
      "karpenter_cluster_state_synced",
      "karpenter_cluster_state_unsynced_time_seconds",
      "karpenter_nodepools_allowed_disruptions",
      "karpenter_nodepools_nodes_consuming_budgets",
      "karpenter_cloudprovider_instance_type_cpu_cores",
      "karpenter_nodeclaims_created_total",
      "karpenter_voluntary_disruption_eligible_nodes",
      "karpenter_nodes_created_total",
      "karpenter_scheduler_queue_depth",
    ]);
  });

  it("at the replica that stands by: its own", () => {
    const scraped = scraping({ leads: false });
    fill(scraped);
    expect(scraped.text()).toContain(
      'karpenter_build_info{version="1.2.3",goversion="",goarch="amd64",commit="abc"} 1\n',
    );
    expect(scraped.text()).toContain('leader_election_master_status{name="timmerman-relay"} 0\n');
    expect(families(scraped).filter((name) => /^(karpenter_(?!build)|operator_)/.test(name))).toEqual([]);
  });
});

describe("wakes", () => {
  it("are counted and timed as the relay's reconciliations", async () => {
    const scraped = scraping();
    let fails = false;
    const queue: Wakes = {
      async send() {
        scraped.at(fails ? 2 : 1);
        if (fails) throw new Error("the queue is away");
      },
      async sendAll() {},
    };
    const wakes = scraped.metrics.measured(queue);
    await wakes.send({ cluster: "c", target: "provision" });
    fails = true;
    await expect(wakes.send({ cluster: "c", target: "provision" })).rejects.toThrow("the queue is away");
    await wakes.sendAll([{ wake: { cluster: "c", target: "disrupt" } }]);
    const counted = scraped.samples("controller_runtime_reconcile_total").filter(({ value }) => value > 0);
    expect(counted.map(({ labels }) => labels)).toEqual([
      { controller: "provision", result: "success" },
      { controller: "provision", result: "error" },
      { controller: "disrupt", result: "success" },
    ]);
    expect(scraped.lines("controller_runtime_reconcile_errors_total")[0]).toBe(
      'controller_runtime_reconcile_errors_total{controller="provision"} 1',
    );
    expect(scraped.lines("controller_runtime_reconcile_time_seconds_sum")[0]).toBe(
      'controller_runtime_reconcile_time_seconds_sum{controller="provision"} 2',
    );
  });
});
