import { describe, expect, it } from "vitest";
import type { NodeOverlay, Pod, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { arch, asks, capacityType, claim, family, pods, pool, req, snapshot } from "../core/scheduling/fixtures.ts";

const config = "nvidia.com/device-plugin.config";
const shared = "nvidia.com/gpu.shared";

function overlay(over: Partial<NodeOverlay>): NodeOverlay {
  return {
    uid: "uid-o",
    name: "o",
    resourceVersion: "1",
    generation: 1,
    weight: 1,
    requirements: [],
    capacity: {},
    ...over,
  };
}

const plain = [req(capacityType, "In", "on-demand"), req(arch, "In", "amd64")];

function given(overlays: readonly NodeOverlay[], pending: readonly Pod[], over: Partial<Snapshot> = {}): Snapshot {
  const base = snapshot();
  return snapshot({
    settings: { ...base.settings, featureGates: { ...base.settings.featureGates, nodeOverlay: true } },
    nodeOverlays: overlays,
    nodePools: [pool("default", { requirements: [...plain, req(config, "Exists")] })],
    pods: pending,
    ...over,
  });
}

const sliced = overlay({
  requirements: [req(config, "In", "gpu-timesliced-3"), req(family, "In", "g4")],
  capacity: { [shared]: 3 },
});
const sharing = (count: number, over: Partial<Pod> = {}) =>
  pods(count, { requests: asks(0.5, 1, { [shared]: 1 }), nodeSelector: { [config]: "gpu-timesliced-3" }, ...over });

describe("8. an overlay on a label that the pool leaves open (core#2765)", () => {
  it("gives three pods that ask for that value one node with three slices", () => {
    const plan = planProvisioning(given([sliced], sharing(3)));
    expect(plan.unschedulable).toEqual([]);
    expect(plan.claims).toHaveLength(1);
    const [made] = plan.claims;
    expect(made!.instanceTypes).toEqual(["g4.large", "g4.xlarge"]);
    expect(made!.labels[config]).toBe("gpu-timesliced-3");
    expect(made!.annotations["karpenter.sh/capacity-overlay-applied"]).toBe("true");
    expect(made!.annotations["karpenter.sh/price-overlay-applied"]).toBeUndefined();
  });

  it("four pods need two nodes", () => {
    expect(planProvisioning(given([sliced], sharing(4))).claims).toHaveLength(2);
  });

  it("holds a node to that value also for pods that don't name it", () => {
    const [made] = planProvisioning(given([sliced], sharing(1, { nodeSelector: {} }))).claims;
    expect(made!.labels[config]).toBe("gpu-timesliced-3");
  });

  it("gives nothing on nodes with another value", () => {
    const plan = planProvisioning(given([sliced], sharing(1, { nodeSelector: { [config]: "other" } })));
    expect(plan.claims).toEqual([]);
    expect(plan.unschedulable[0]!.reason).toContain(shared);
  });

  it("leaves nodes for other pods as they were", () => {
    const others = pods(4, { requests: asks(1) });
    const [withIt, without] = [given([sliced], others), given([], others)].map((of) => planProvisioning(of).claims);
    expect(withIt).toEqual(without);
  });

  it("counts on a claim in flight, by its labels", () => {
    const flying = claim("flying", {
      instanceTypes: ["g4.large"],
      requirements: [...plain, req(config, "In", "gpu-timesliced-3")],
      labels: { "karpenter.sh/nodepool": "default", [config]: "gpu-timesliced-3" },
    });
    const plan = planProvisioning(given([sliced], sharing(3), { claims: [flying] }));
    expect(plan.placements.map(({ target, pods: on }) => [target, on.length])).toEqual([["flying", 3]]);
  });

  it("is nothing while the feature gate is off", () => {
    const off = { ...given([sliced], sharing(1)), settings: snapshot().settings };
    expect(planProvisioning(off).unschedulable).toHaveLength(1);
  });
});

describe("overlays of prices", () => {
  it("decide what is cheapest, with the annotation that launches heed", () => {
    const cheap = overlay({ requirements: [req(family, "In", "b2")], price: { kind: "share", ppm: -900_000 } });
    const [made] = planProvisioning(given([cheap], pods(1))).claims;
    expect(made!.cheapest).toMatchObject({ instanceType: "b2.medium", priceMicroUsd: 25_000 });
    expect(made!.annotations["karpenter.sh/price-overlay-applied"]).toBe("true");
  });

  it("that conflict are told as warnings, and the first by name counts", () => {
    const price = (microUsd: number) => ({ kind: "price", microUsd }) as const;
    const [a, b] = [overlay({ name: "a", price: price(7) }), overlay({ name: "b", price: price(8) })];
    const plan = planProvisioning(given([b, a], pods(1)));
    expect(plan.claims[0]!.cheapest.priceMicroUsd).toBe(7);
    expect(plan.warnings.map(({ object }) => object)).toEqual(["NodeOverlay/b"]);
  });
});
