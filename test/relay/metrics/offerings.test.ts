import { describe, expect, it } from "vitest";
import { claim, node, startMs } from "./kept.ts";
import { scraping } from "./scrape.ts";

describe("instance types in use", () => {
  it("have what their nodes' labels say, once each", () => {
    const { view, lines } = scraping();
    const own = node("a").labels;
    const labels = { ...own, "karpenter.k8s.aws/instance-memory": "8192" };
    view.put("Node", node("a", { labels }));
    view.put("Node", node("b", { labels }));
    view.put("Node", node("c", { labels: { ...labels, "node.kubernetes.io/instance-type": "m7g.xlarge" } }));
    view.put("Node", node("foreign", { labels: { "node.kubernetes.io/instance-type": "t3.small" } }));
    expect(lines("karpenter_cloudprovider_instance_type_cpu_cores")).toEqual([
      'karpenter_cloudprovider_instance_type_cpu_cores{instance_type="m7g.large"} 2',
      'karpenter_cloudprovider_instance_type_cpu_cores{instance_type="m7g.xlarge"} 2',
    ]);
    expect(lines("karpenter_cloudprovider_instance_type_memory_bytes")).toEqual([
      'karpenter_cloudprovider_instance_type_memory_bytes{instance_type="m7g.large"} 8589934592',
      'karpenter_cloudprovider_instance_type_memory_bytes{instance_type="m7g.xlarge"} 8589934592',
    ]);
  });
});

describe("offerings in use", () => {
  const launched = (name: string, price: string | undefined, createdAtMs = startMs) =>
    claim(name, {
      createdAtMs,
      labels: { ...claim(name).labels, "node.kubernetes.io/instance-type": "m7g.large" },
      annotations: price === undefined ? {} : { "timmerman/price-micro-usd": price },
    });

  it("cost what the latest of them was launched at", () => {
    const { view, lines } = scraping();
    view.put("NodeClaim", launched("a", "30000"));
    view.put("NodeClaim", launched("b", "34500", startMs + 1000));
    view.put("NodeClaim", launched("c", undefined, startMs + 2000));
    view.put("NodeClaim", launched("d", "31000", startMs + 500));
    view.put("NodeClaim", claim("pending", { labels: {}, annotations: { "timmerman/price-micro-usd": "1" } }));
    expect(lines("karpenter_cloudprovider_instance_type_offering_price_estimate")).toEqual([
      'karpenter_cloudprovider_instance_type_offering_price_estimate{instance_type="m7g.large",capacity_type="spot",zone="eu-west-1a"} 0.0345',
    ]);
  });
});
