// Pods with several required affinity terms: kube-scheduler lets only pods count that every term means.
import { describe, expect, it } from "vitest";
import type { Pod, PodAffinityTerm, ProvisioningPlan } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { asks, bound, joined, node, pod, pool, snapshot, zone } from "./fixtures.ts";

const term = (topologyKey: string, matchLabels: Record<string, string>): PodAffinityTerm => ({
  topologyKey,
  labelSelector: { matchLabels, matchExpressions: [] },
  namespaces: [],
  matchLabelKeys: [],
  mismatchLabelKeys: [],
});
const seeker: Partial<Pod> = {
  requests: asks(0.1, 0.1),
  requiredPodAffinity: [term(zone, { app: "web" }), term("kubernetes.io/hostname", { tier: "db" })],
};
const run = (running: readonly Record<string, string>[], pending: readonly Pod[]): ProvisioningPlan => {
  const there = node("n1", { labels: { ...node("n1").labels, "karpenter.sh/nodepool": "default" } });
  const pods = running.map((labels, index) => bound(`b${index}`, "n1", { labels, requests: asks(0.1, 0.1) }));
  return planProvisioning(
    snapshot({ nodePools: [pool("default")], nodes: [there], claims: [joined(there)], pods: [...pods, ...pending] }),
  );
};
const refused = ({ unschedulable }: ProvisioningPlan) => unschedulable.map(({ pod: key }) => key);

describe("several required affinity terms", () => {
  it("are not met by one pod each", () => {
    expect(refused(run([{ app: "web" }, { tier: "db" }], [pod("a", seeker)]))).toEqual(["default/a"]);
    const [web, db] = [pod("w", { labels: { app: "web" } }), pod("d", { labels: { tier: "db" } })];
    expect(refused(run([], [web, db, pod("a", seeker)]))).toEqual(["default/a"]);
  });

  it("are met by a pod that all of them mean", () => {
    expect(run([{ app: "web", tier: "db" }], [pod("a", seeker)]).placements).toEqual([
      { target: "claim-n1", pods: ["default/a"] },
    ]);
  });

  it("let the first go anywhere only if all of them mean it", () => {
    expect(refused(run([], [pod("a", { ...seeker, labels: { app: "web" } })]))).toEqual(["default/a"]);
    expect(refused(run([], [pod("a", { ...seeker, labels: { app: "web", tier: "db" } })]))).toEqual([]);
  });
});
