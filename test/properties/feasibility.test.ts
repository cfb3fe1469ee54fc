import { describe, expect, it } from "vitest";
import type { ProvisioningPlan, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { asks, daemonSet, node, pod, pods, pool, snapshot, taint } from "../core/scheduling/fixtures.ts";
import { faults, missedPlaces } from "./feasibility.ts";

/** A plan that is right, then spoilt in one way: the judge must say so. */
const world = snapshot({ pods: pods(3), nodePools: [pool("default", { limits: { nodes: 5 } })] });
const right = planProvisioning(world);
const [claim] = right.claims;
const spoil = (over: object): ProvisioningPlan => ({ ...right, claims: [{ ...claim!, ...over }] });
const place = (...keys: string[]): ProvisioningPlan => ({
  ...right,
  claims: [],
  placements: [{ target: "n1", pods: keys }],
});
const untyped = claim!.requirements.filter(({ key }) => key !== "node.kubernetes.io/instance-type");
const three = ["default/p-000", "default/p-001", "default/p-002"];

describe("the judge", () => {
  it("finds nothing wrong with a right plan", () => {
    expect([faults(world, right), missedPlaces(world, right)]).toEqual([[], []]);
  });

  it.each<[string, Snapshot, ProvisioningPlan, string]>([
    [
      "a type that is too small",
      world,
      spoil({ instanceTypes: ["a1.small", "a1.medium"], requirements: untyped }),
      "as a1.small is overfull",
    ],
    [
      "a type that the pool excludes",
      world,
      spoil({ instanceTypes: ["c3.medium", "a1.medium"] }),
      "c3.medium cannot be bought",
    ],
    [
      "a type that is not sold",
      {
        ...world,
        refusals: ["z-a", "z-b", "z-c"].map((zone) => ({
          instanceType: "a1.medium",
          zone,
          capacityType: "on-demand" as const,
        })),
      },
      right,
      "a1.medium cannot be bought",
    ],
    ["a wrong price", world, spoil({ cheapest: { ...claim!.cheapest, priceMicroUsd: 1 } }), "not 1"],
    ["a pod that is left out", world, spoil({ pods: three.slice(0, 2) }), "default/p-002 is named 0 times"],
    [
      "a pod that is placed twice",
      world,
      { ...right, claims: [claim!, { ...claim!, name: "other" }] },
      "is named 2 times",
    ],
    ["one name for two claims", world, { ...right, claims: [claim!, claim!] }, "two claims have one name"],
    ["a taint that is not tolerated", world, spoil({ taints: [taint("x")] }), "may not run on"],
    [
      "a label that the pod asks for",
      { ...world, pods: pods(3, { nodeSelector: { team: "a" } }) },
      right,
      "may not run on",
    ],
    [
      "a daemon that needs room",
      { ...world, daemonSets: [daemonSet("d", { requests: asks(2) })] },
      right,
      "as a1.medium is overfull",
    ],
    [
      "a limit",
      { ...world, nodePools: [pool("default", { limits: { nodes: 0 } })] },
      right,
      "exceeds its limit of nodes",
    ],
    [
      "a requirement of the pool",
      {
        ...world,
        nodePools: [
          pool("default", { requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["arm64"] }] }),
        ],
      },
      right,
      "breaks kubernetes.io/arch",
    ],
    [
      "a floor of the pool",
      {
        ...world,
        nodePools: [
          pool("default", {
            requirements: [{ key: "node.kubernetes.io/instance-type", operator: "Exists", values: [], minValues: 50 }],
          }),
        ],
      },
      right,
      "values of node.kubernetes.io/instance-type",
    ],
    [
      "a node that is full",
      { ...world, nodes: [node("n1", { allocatable: { cpu: 2000, memory: 1e12, pods: 9 } })] },
      place(...three),
      "n1 is overfull",
    ],
    ["a node that is not there", world, place(...three), "n1, which is not there"],
    [
      "a node with a taint",
      { ...world, nodes: [node("n1", { taints: [taint("x")] })] },
      place(...three),
      "may not run on n1",
    ],
  ])("notices %s", (_, given, plan, words) => {
    expect(faults(given, plan).join("\n")).toContain(words);
  });

  it("notices a pod that would have fitted", () => {
    const refused = { ...right, claims: [], unschedulable: [{ pod: "default/a", reason: "", nodePools: {} }] };
    const given = snapshot({ nodes: [node("n1")], pods: [pod("a")] });
    expect(missedPlaces(given, refused)).toEqual(["default/a fits on n1", "default/a fits on a new node of default"]);
  });
});
