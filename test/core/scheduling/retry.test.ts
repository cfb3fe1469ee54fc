// Pods that one order of planning leaves out though another has room for them.
import { describe, expect, it } from "vitest";
import type { Pod, PodAffinityTerm, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { asks, gi, instanceType, pod, pods, pool, req, snapshot } from "./fixtures.ts";

const team = "team";
const from = (app: string, topologyKey = team): Partial<Pod> => ({
  requiredPodAntiAffinity: [
    {
      topologyKey,
      labelSelector: { matchLabels: { app }, matchExpressions: [] },
      namespaces: [],
      matchLabelKeys: [],
      mismatchLabelKeys: [],
    } satisfies PodAffinityTerm,
  ],
});
const b = { labels: { app: "b" } };
const gpu = { "nvidia.com/gpu": 1 };
const small = asks(0.1, 0.1);

function leftOut(given: Partial<Snapshot>): readonly string[] {
  return planProvisioning(snapshot({ nodePools: [pool("default")], ...given })).unschedulable.map(
    ({ pod: key }) => key,
  );
}

describe("pods that are left out", () => {
  it.each<[string, Partial<Snapshot>, readonly string[]]>([
    [
      "the last nodes of a pool go to types that hold everyone",
      {
        nodePools: [pool("default", { limits: { nodes: 1 } })],
        pods: [...pods(3, { requests: asks(0.5, 1) }), pod("gpu", { requests: asks(0.5, 1, gpu) })],
      },
      [],
    ],
    [
      "one that keeps others off the only team comes after them",
      {
        nodePools: [pool("default", { labels: { team: "x" } })],
        pods: [pod("alone", { requests: small, ...from("b") }), ...pods(2, { requests: small, ...b })],
      },
      ["default/alone"],
    ],
    [
      "a dear one gives way to two under a limit of memory",
      {
        nodePools: [
          pool("default", {
            limits: { memory: 36 * gi },
            requirements: [req(instanceType, "In", "b2.large", "g4.large")],
          }),
        ],
        pods: [
          pod("alone", { requests: asks(0.5, 0.25, gpu), ...from("b", "topology.kubernetes.io/zone") }),
          ...pods(2, { requests: asks(3.5, 14), ...b }),
        ],
      },
      ["default/alone"],
    ],
    [
      "an important one stays where it is, however many are left out for it",
      {
        nodePools: [pool("default", { labels: { team: "x" } })],
        pods: [pod("alone", { requests: small, priority: 9, ...from("b") }), ...pods(2, { requests: small, ...b })],
      },
      ["default/p-000", "default/p-001"],
    ],
    [
      "those that no node could hold change nothing",
      { pods: [...pods(2, { requests: asks(500) }), pod("a", { requests: small })] },
      ["default/p-000", "default/p-001"],
    ],
  ])("%s", (_, given, expected) => {
    expect(leftOut(given)).toEqual(expected);
  });
});
