// New nodes of one plan that other pods of it could share: those of another round, of another pool, of another state.
import { describe, expect, it } from "vitest";
import type { Pod, PodAffinityTerm, ProvisioningPlan, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { asks, capacityType, pod, pods, pool, req, snapshot, taint, zone } from "./fixtures.ts";

const near = (app: string, topologyKey = zone): PodAffinityTerm => ({
  topologyKey,
  labelSelector: { matchLabels: { app }, matchExpressions: [] },
  namespaces: [],
  matchLabelKeys: [],
  mismatchLabelKeys: [],
});
const gpu = pod("gpu", { requests: asks(0.1, 0.25, { "nvidia.com/gpu": 1 }) });
const small = asks(0.5, 0.25);
const wishing: Partial<Pod> = { preferredPodAffinity: [{ weight: 1, term: near("nobody") }] };
const spot = pool("spot", { weight: 10, requirements: [req(capacityType, "In", "spot")] });

/** Pods by new node, and what the nodes cost in thousandths an hour. */
function nodes(given: Partial<Snapshot>): readonly string[] {
  const { claims, unschedulable }: ProvisioningPlan = planProvisioning(
    snapshot({ nodePools: [pool("default")], ...given }),
  );
  expect(unschedulable).toEqual([]);
  return claims
    .map(({ pods: on, cheapest }) => {
      const names = on.map((key) => key.slice("default/".length)).sort();
      return `${names.join(" ")}: ${cheapest.priceMicroUsd / 1_000}`;
    })
    .sort();
}

describe("new nodes of one plan", () => {
  it.each<[string, Partial<Snapshot>, readonly string[]]>([
    [
      "a pod that gave in on a wish goes to the node that a pod without wishes needs",
      { pods: [gpu, pod("a", { requests: small, ...wishing })] },
      ["a gpu: 1000"],
    ],
    [
      "a node grows by a pod of an earlier round where that is cheaper than two",
      {
        nodePools: [pool("default", { taints: [taint("soft", "", "PreferNoSchedule")] })],
        pods: [pod("a", { requests: asks(0.1, 0.1) }), ...pods(3, { requests: asks(1, 2), ...wishing })],
      },
      ["a p-000 p-001 p-002: 200"],
    ],
    [
      "a node of another pool has room for it",
      {
        nodePools: [pool("default", { weight: 1 }), spot],
        pods: [pod("a", { requests: small }), pod("big", { requests: asks(12, 2) })],
      },
      ["a big: 800"],
    ],
    [
      "two stay where one for both would cost more",
      { pods: [gpu, pod("a", { requests: asks(12, 2) })] },
      ["a: 800", "gpu: 1000"],
    ],
    [
      "pods that may not be beside each other stay on two",
      {
        pods: [
          { ...gpu, labels: { app: "gpu" } },
          pod("a", { requests: small, ...wishing, requiredPodAntiAffinity: [near("gpu", "kubernetes.io/hostname")] }),
        ],
      },
      ["a: 100", "gpu: 1000"],
    ],
    [
      "a bigger node takes those of several, where no two of them would pay for it",
      {
        pods: [
          ...pods(3, { requests: asks(0.1, 1, { "nvidia.com/gpu": 1 }) }, "gpu"),
          ...pods(2, { requests: asks(12, 2), ...wishing }, "big"),
        ],
      },
      ["big-000 big-001 gpu-000 gpu-001 gpu-002: 4000"],
    ],
    [
      "one that asks for a pool's nodes gets its own",
      {
        nodePools: [pool("default", { weight: 1 }), spot],
        pods: [
          pod("a", { requests: small, nodeSelector: { "karpenter.sh/nodepool": "spot" } }),
          pod("big", { requests: asks(12, 2) }),
        ],
      },
      ["a: 30", "big: 800"],
    ],
  ])("%s", (_, given, expected) => {
    expect(nodes(given)).toEqual(expected);
  });

  it("give back to the limits what a dissolved one had taken", () => {
    const limited = pool("default", { limits: { nodes: 2 } });
    const { claims, unschedulable } = planProvisioning(
      snapshot({
        nodePools: [limited],
        pods: [gpu, pod("a", { requests: small, ...wishing }), pod("b", { requests: asks(15, 2) })],
      }),
    );
    expect(unschedulable).toEqual([]);
    expect(claims).toHaveLength(2);
  });
});
