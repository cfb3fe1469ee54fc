import { describe, expect, it } from "vitest";
import { createMetrics } from "../../../relay/metrics/index.ts";
import { createView } from "../../../relay/view.ts";
import { claim, node, pod, pool, startMs } from "./kept.ts";
import { parseExposition } from "./parse-exposition.ts";

/** Objects written alike, as the relay keeps them: they share what they ask for. */
const { resources } = pod("any");

function crowded(pods: number, nodes: number) {
  const view = createView();
  const walks: string[] = [];
  const watched = {
    ...view,
    all(kind: Parameters<typeof view.all>[0]) {
      walks.push(kind);
      return view.all(kind);
    },
  } as typeof view;
  const metrics = createMetrics({
    view: watched,
    clock: { now: () => startMs },
    observeClusterState: true,
    replica: {
      version: "1.2.3",
      commit: "",
      arch: "arm64",
      leaseName: "",
      isLeader: () => true,
      pendingTargets: () => [],
    },
  });
  view.put("NodePool", pool("default"));
  for (let index = 0; index < nodes; index++) {
    view.put("Node", node(`n${index}`));
    view.put("NodeClaim", claim(`n${index}`));
  }
  for (let index = 0; index < pods; index++) {
    view.put("Pod", pod(`p${index}`, { nodeName: `n${index % nodes}`, phase: "Running", ready: true, resources }));
  }
  return { view, walks, metrics };
}

describe("a large cluster", () => {
  it("is not walked through when something changes", () => {
    const { view, walks } = crowded(200, 20);
    walks.length = 0;
    view.put("Pod", pod("p1", { phase: "Failed", nodeName: "n1" }));
    view.remove("Pod", "uid-of-p2");
    view.put("Node", node("n1", { cordoned: true }));
    view.remove("Node", "uid-of-n2");
    view.put("NodeClaim", claim("n3", { generation: 2 }));
    view.remove("NodeClaim", "uid-of-claim-n4");
    expect(walks).toEqual([]);
  });

  it("is written in pieces that are no burden, pods that go meanwhile included", () => {
    const { view, metrics } = crowded(5000, 250);
    let text = "";
    let longest = 0;
    const gone = new Set<string>();
    for (const piece of metrics.pieces()) {
      text += piece;
      longest = Math.max(longest, piece.length);
      gone.add(`p${text.length % 5000}`);
      view.remove("Pod", `uid-of-p${text.length % 5000}`);
    }
    expect(longest).toBeLessThan(32_000);
    const samples = parseExposition(text).get("karpenter_pods_state")?.samples ?? [];
    const names = samples.map(({ labels }) => labels.name ?? "");
    expect(new Set(names).size).toBe(names.length);
    expect(new Set([...names, ...gone]).size).toBe(5000);
  });
});
