import { describe, expect, it } from "vitest";
import { toNodeOverlay } from "../../../shared/api/index.ts";
import { judgeOverlays, overlaidTypes } from "../../../shared/core/catalog/index.ts";
import type { InstanceType, NodeOverlay } from "../../../shared/core/model/index.ts";
import { Requirements } from "../../../shared/core/requirements/index.ts";

const family = "karpenter.k8s.aws/instance-family";
const zone = "topology.kubernetes.io/zone";
const capacityType = "karpenter.sh/capacity-type";

function type(name: string): InstanceType {
  return {
    name,
    labels: { "node.kubernetes.io/instance-type": [name], [family]: [name.split(".")[0]!] },
    capacity: { cpu: 4_000 },
    allocatable: { cpu: 3_900 },
    offerings: ["z-a", "z-b"].flatMap((place) =>
      (["on-demand", "spot"] as const).map((how) => ({
        zone: place,
        zoneId: "",
        capacityType: how,
        priceMicroUsd: how === "spot" ? 40_000 : 100_000,
        available: true,
      })),
    ),
  };
}

const types = [type("a1.large"), type("b2.large")];

function overlay(name: string, spec: Record<string, unknown>): NodeOverlay {
  return toNodeOverlay({
    apiVersion: "karpenter.sh/v1alpha1",
    kind: "NodeOverlay",
    metadata: { name },
    spec: { requirements: [{ key: family, operator: "In", values: ["a1"] }], ...spec },
  });
}

const template = Requirements.of([
  { key: "karpenter.sh/nodepool", operator: "In", values: ["default"] },
  { key: "team", operator: "In", values: ["blue"] },
  { key: "slot", operator: "Exists", values: [] },
]);

function seen(overlays: readonly NodeOverlay[], facts = template) {
  const { active, faults } = judgeOverlays(overlays, [{ template, types }]);
  const shown = overlaidTypes(types, active, facts);
  const prices = (one: InstanceType) => one.offerings.map(({ priceMicroUsd }) => priceMicroUsd);
  return { shown, a: prices(shown[0]!), b: prices(shown[1]!), faults: Object.fromEntries(faults) };
}

describe("prices", () => {
  it.each<[string, Record<string, unknown>, number[]]>([
    ["are set", { price: "0.05" }, [50_000, 50_000, 50_000, 50_000]],
    ["rise by an amount", { priceAdjustment: "+0.01" }, [110_000, 50_000, 110_000, 50_000]],
    ["fall by an amount, not below nothing", { priceAdjustment: "-0.05" }, [50_000, 0, 50_000, 0]],
    ["rise by a share", { priceAdjustment: "+10%" }, [110_000, 44_000, 110_000, 44_000]],
    ["fall by a share with decimals", { priceAdjustment: "-12.5%" }, [87_500, 35_000, 87_500, 35_000]],
    ["fall to nothing", { priceAdjustment: "-100%" }, [0, 0, 0, 0]],
  ])("%s", (_, spec, expected) => {
    const { a, b, shown } = seen([overlay("one", spec)]);
    expect(a).toEqual(expected);
    expect(b).toEqual([100_000, 40_000, 100_000, 40_000]);
    expect(shown[1]).toBe(types[1]);
    expect(shown[0]!.overlaid).toEqual({ price: true, capacity: false });
  });

  it("change only for the ways to buy that are selected", () => {
    const requirements = [
      { key: capacityType, operator: "In", values: ["on-demand"] },
      { key: zone, operator: "NotIn", values: ["z-b"] },
    ];
    const { a, b } = seen([overlay("one", { requirements, price: "0.01" })]);
    expect(a).toEqual([10_000, 40_000, 100_000, 40_000]);
    expect(b).toEqual(a);
  });

  it("are those of the heaviest overlay; a lighter one counts where it says nothing", () => {
    const light = overlay("light", { weight: 1, requirements: [], price: "0.02" });
    const heavy = overlay("heavy", { weight: 10, price: "0.01" });
    const { a, b, faults } = seen([light, heavy]);
    expect([a[0], b[0]]).toEqual([10_000, 20_000]);
    expect(faults).toEqual({});
  });
});

describe("which types", () => {
  it.each<[string, Record<string, unknown>, boolean]>([
    ["a label of the type", { key: family, operator: "Exists" }, true],
    ["a label that types lack", { key: "karpenter.k8s.aws/instance-gpu-count", operator: "Exists" }, false],
    ["the pool's name", { key: "karpenter.sh/nodepool", operator: "In", values: ["default"] }, true],
    ["another pool's name", { key: "karpenter.sh/nodepool", operator: "In", values: ["other"] }, false],
    ["a label of the pool", { key: "team", operator: "In", values: ["blue", "red"] }, true],
    ["that a label of the pool exists", { key: "team", operator: "Exists" }, true],
    ["that it doesn't", { key: "team", operator: "DoesNotExist" }, false],
    ["another value of it", { key: "team", operator: "NotIn", values: ["blue"] }, false],
    ["a label that the pool leaves open", { key: "slot", operator: "In", values: ["x"] }, false],
    ["that a label that the pool leaves open exists", { key: "slot", operator: "Exists" }, true],
    ["a label that the pool lacks", { key: "rack", operator: "In", values: ["x"] }, false],
    ["not a value of a label that the pool lacks", { key: "rack", operator: "NotIn", values: ["x"] }, true],
  ])("%s", (_, requirement, applies) => {
    expect(seen([overlay("one", { requirements: [requirement], price: "0" })]).a[0]).toBe(applies ? 0 : 100_000);
  });

  it("nodes held to a value that the pool leaves open are seen with it", () => {
    const on = overlay("one", { requirements: [{ key: "slot", operator: "In", values: ["x"] }], price: "0" });
    const held = (value: string) => template.intersection(Requirements.fromLabels({ slot: value }));
    expect([seen([on], held("x")).a[0], seen([on], held("y")).a[0]]).toEqual([0, 100_000]);
  });
});

describe("capacity", () => {
  it("of extended resources is added, allocatable in full; what several say adds up", () => {
    const { shown } = seen([
      overlay("gpus", { capacity: { "example.com/gpu": "2" } }),
      overlay("slots", { capacity: { "example.com/slot": 10 } }),
    ]);
    expect(shown[0]).toMatchObject({
      capacity: { cpu: 4_000, "example.com/gpu": 2, "example.com/slot": 10 },
      allocatable: { cpu: 3_900, "example.com/gpu": 2, "example.com/slot": 10 },
      overlaid: { price: false, capacity: true },
    });
  });

  it("in one zone counts only on nodes that are held to it", () => {
    const requirements = [{ key: zone, operator: "In", values: ["z-a"] }];
    const one = overlay("one", { requirements, capacity: { "example.com/gpu": "2" } });
    const inZone = template.intersection(Requirements.fromLabels({ [zone]: "z-a" }));
    expect(seen([one]).shown[0]!.capacity).toEqual({ cpu: 4_000 });
    expect(seen([one], inZone).shown[0]!.capacity).toEqual({ cpu: 4_000, "example.com/gpu": 2 });
  });
});

describe("overlays that are not used", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>, boolean]>([
    ["two prices of one weight", { price: "0.01" }, { priceAdjustment: "+1%" }, true],
    ["two prices of two weights", { price: "0.01" }, { price: "0.02", weight: 2 }, false],
    ["two amounts of one resource", { capacity: { "x.y/z": "1" } }, { capacity: { "x.y/z": "2" } }, true],
    ["amounts of two resources", { capacity: { "x.y/z": "1" } }, { capacity: { "x.y/w": "2" } }, false],
    ["a price and an amount", { price: "0.01" }, { capacity: { "x.y/w": "2" } }, false],
    [
      "two prices of other types",
      { price: "0.01" },
      { requirements: [{ key: family, operator: "In", values: ["b2"] }], price: "0.02" },
      false,
    ],
    [
      "amounts on nodes with other labels",
      { requirements: [{ key: "slot", operator: "In", values: ["x"] }], capacity: { "x.y/z": "1" } },
      { requirements: [{ key: "slot", operator: "In", values: ["y"] }], capacity: { "x.y/z": "2" } },
      false,
    ],
  ])("%s", (_, first, second, conflict) => {
    const { faults } = seen([overlay("one", first), overlay("two", second)]);
    expect(Object.keys(faults)).toEqual(conflict ? ["two"] : []);
    if (conflict) expect(faults.two).toMatchObject({ reason: "Conflict", message: expect.stringContaining("one") });
  });

  it("one that nothing can satisfy, or that cannot be read, is told and in nobody's way", () => {
    const never = overlay("never", {
      requirements: [
        { key: family, operator: "In", values: ["a1"] },
        { key: family, operator: "In", values: ["b2"] },
      ],
      price: "0",
    });
    const odd: NodeOverlay = { ...never, name: "odd", requirements: [{ key: "x", operator: "Gt", values: ["many"] }] };
    const { a, faults } = seen([never, odd, overlay("one", { price: "0.01" })]);
    expect(a[0]).toBe(10_000);
    expect(Object.keys(faults).sort()).toEqual(["never", "odd"]);
    expect(faults.never).toMatchObject({ reason: "RuntimeValidation" });
  });
});
