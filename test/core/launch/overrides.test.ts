import { describe, expect, it } from "vitest";
import { chooseOverrides, groupClaims } from "../../../shared/core/launch/index.ts";
import type { RequirementSpec } from "../../../shared/core/model/index.ts";
import { claim, nodeClass } from "../lifecycle/literals.ts";
import { offering, sold, subnets, type } from "./literals.ts";

const { amis } = nodeClass.resolved;
const capacityIn = (...values: string[]): RequirementSpec => ({
  key: "karpenter.sh/capacity-type",
  operator: "In",
  values,
});
const zoneIn = (...values: string[]): RequirementSpec => ({
  key: "topology.kubernetes.io/zone",
  operator: "In",
  values,
});
const m5 = sold("m5.large", 96, 35);
const c5 = sold("c5.large", 85, 31);

function pools(chosen: ReturnType<typeof chooseOverrides>): readonly string[] {
  if ("reason" in chosen) return [chosen.reason];
  return chosen.overrides.map(
    (o) => `${chosen.capacityType} ${o.instanceType} ${o.zone.slice(-1)} ${o.subnetId} ${o.priceMicroUsd}`,
  );
}

describe("the capacity pools of a launch", () => {
  const wants = (requirements: readonly RequirementSpec[], instanceTypes = ["c5.large", "m5.large"]) =>
    claim({ requirements, instanceTypes });

  it("are spot where the claim allows it, cheapest first", () => {
    expect(pools(chooseOverrides(wants([capacityIn("spot", "on-demand")]), [m5, c5], amis, subnets))).toEqual([
      "spot c5.large a subnet-a 31",
      "spot c5.large b subnet-b 32",
      "spot m5.large a subnet-a 35",
      "spot m5.large b subnet-b 36",
    ]);
  });

  it.each<[string, readonly RequirementSpec[], readonly string[]]>([
    [
      "on demand where only that is allowed",
      [capacityIn("on-demand"), zoneIn("us-east-1b")],
      ["on-demand c5.large b subnet-b 85", "on-demand m5.large b subnet-b 96"],
    ],
    [
      "in the zones that the claim names",
      [capacityIn("spot"), zoneIn("us-east-1a")],
      ["spot c5.large a subnet-a 31", "spot m5.large a subnet-a 35"],
    ],
    [
      "in the zone whose id it names",
      [capacityIn("spot"), { key: "topology.k8s.aws/zone-id", operator: "In", values: ["use1-az2"] }],
      ["spot c5.large b subnet-b 32", "spot m5.large b subnet-b 36"],
    ],
  ])("are %s", (_title, requirements, expected) => {
    expect(pools(chooseOverrides(wants(requirements), [m5, c5], amis, subnets))).toEqual(expected);
  });

  it("leave out types that the claim does not name", () => {
    expect(
      pools(chooseOverrides(wants([capacityIn("spot"), zoneIn("us-east-1a")], ["m5.large"]), [m5, c5], amis, subnets)),
    ).toEqual(["spot m5.large a subnet-a 35"]);
  });

  it("leave out spot that is dearer than the cheapest on-demand pool, if that is allowed (karpenter-provider-aws, spot with on-demand mix)", () => {
    const dear = sold("m5.large", 96, 90);
    const both = wants([capacityIn("spot", "on-demand"), zoneIn("us-east-1a")]);
    expect(pools(chooseOverrides(both, [dear, c5], amis, subnets))).toEqual(["spot c5.large a subnet-a 31"]);
    const spotOnly = wants([capacityIn("spot"), zoneIn("us-east-1a")]);
    expect(pools(chooseOverrides(spotOnly, [dear, c5], amis, subnets))).toHaveLength(2);
  });

  it("are on demand when all spot is dearer, or none is available", () => {
    const both = wants([capacityIn("spot", "on-demand"), zoneIn("us-east-1a")], ["m5.large"]);
    expect(pools(chooseOverrides(both, [sold("m5.large", 96, 97)], amis, subnets))).toEqual([
      "on-demand m5.large a subnet-a 96",
    ]);
    const gone = type("m5.large", [
      offering("us-east-1a", "on-demand", 96),
      offering("us-east-1a", "spot", 35, { available: false }),
    ]);
    expect(pools(chooseOverrides(both, [gone], amis, subnets))).toEqual(["on-demand m5.large a subnet-a 96"]);
  });

  it("are reserved before all else, with the reservation's id", () => {
    const reserved = type("m5.large", [
      offering("us-east-1a", "spot", 35),
      offering("us-east-1a", "reserved", 0, { reservationId: "cr-1", reservationCount: 1 }),
    ]);
    const chosen = chooseOverrides(wants([], ["m5.large"]), [reserved], amis, subnets);
    expect(chosen).toMatchObject({
      capacityType: "reserved",
      overrides: [{ reservation: { id: "cr-1" }, instanceType: "m5.large" }],
    });
  });

  it("go through the subnet with most free addresses of each zone, never through a full one", () => {
    const more = [
      ...subnets,
      { id: "subnet-a2", zone: "us-east-1a", freeAddresses: 11 },
      { id: "subnet-b2", zone: "us-east-1b", freeAddresses: 10 },
    ];
    const chosen = pools(chooseOverrides(wants([capacityIn("spot")], ["m5.large"]), [m5], amis, more));
    expect(chosen).toEqual(["spot m5.large a subnet-a2 35", "spot m5.large b subnet-b 36"]);
    const full = [{ id: "subnet-a", zone: "us-east-1a", freeAddresses: 0 }, subnets[1]!];
    expect(pools(chooseOverrides(wants([capacityIn("spot")], ["m5.large"]), [m5], amis, full))).toEqual([
      "spot m5.large b subnet-b 36",
    ]);
  });

  it("are all that a flexibility floor counts, bare metal and spot dearer than on demand too", () => {
    const dear = sold("c6.large", 90, 95);
    const metal = sold("m5.metal", 500, 80, { "karpenter.k8s.aws/instance-size": ["metal"] });
    const names = ["c5.large", "c6.large", "m5.metal"];
    const floor: RequirementSpec = {
      ...zoneIn(),
      key: "node.kubernetes.io/instance-type",
      values: names,
      minValues: 3,
    };
    const typesOf = (requirements: readonly RequirementSpec[]) => {
      const chosen = chooseOverrides(wants(requirements, names), [c5, dear, metal], amis, subnets);
      return "overrides" in chosen ? [...new Set(chosen.overrides.map(({ instanceType }) => instanceType))].sort() : [];
    };
    expect(typesOf([capacityIn("spot", "on-demand"), floor])).toEqual(names);
    expect(typesOf([capacityIn("spot", "on-demand")])).toEqual(["c5.large"]);
  });

  it("keep a place of every type that a flexibility floor counts when they are more than three hundred", () => {
    const many = Array.from({ length: 200 }, (_, i) => sold(`t${String(i).padStart(3, "0")}`, 1_000, 10 + 2 * i));
    const names = many.map(({ name }) => name);
    const floor: RequirementSpec = {
      key: "node.kubernetes.io/instance-type",
      operator: "In",
      values: names,
      minValues: 50,
    };
    const chosen = chooseOverrides(wants([capacityIn("spot"), floor], names), many, amis, subnets);
    const overrides = "overrides" in chosen ? chosen.overrides : [];
    expect(overrides).toHaveLength(300);
    expect(new Set(overrides.map(({ instanceType }) => instanceType)).size).toBe(200);
  });

  it("number at most three hundred, the cheapest", () => {
    const many = Array.from({ length: 200 }, (_, i) => sold(`t${String(i).padStart(3, "0")}`, 1_000, 10 + 2 * i));
    const chosen = chooseOverrides(
      wants(
        [capacityIn("spot")],
        many.map(({ name }) => name),
      ),
      many,
      amis,
      subnets,
    );
    expect("overrides" in chosen ? chosen.overrides.length : 0).toBe(300);
    expect(pools(chosen).at(-1)).toBe("spot t149 b subnet-b 309");
  });

  it("leave out metal and accelerators unless nothing else fits or the pods ask for devices (aws#4994)", () => {
    const metal = sold("m5.metal", 1, 1, { "karpenter.k8s.aws/instance-size": ["metal"] });
    const metal48 = sold("m7i.metal-48xl", 1, 1, { "karpenter.k8s.aws/instance-size": ["metal-48xl"] });
    const gpu = sold("g4dn.xlarge", 2, 2, { "karpenter.k8s.aws/instance-gpu-count": ["1"] });
    const anyAmi = [{ id: "ami", requirements: [] }];
    const names = ["g4dn.xlarge", "m5.large", "m5.metal", "m7i.metal-48xl"];
    const of = (record: ReturnType<typeof claim>, types: readonly ReturnType<typeof sold>[]) => [
      ...new Set(pools(chooseOverrides(record, types, anyAmi, subnets)).map((p) => p.split(" ")[1])),
    ];
    const plain = claim({ instanceTypes: names, requirements: [capacityIn("spot")] });
    expect(of(plain, [m5, metal, metal48, gpu])).toEqual(["m5.large"]);
    expect(of(plain, [metal, gpu])).toEqual(["m5.metal", "g4dn.xlarge"]);
    expect(of({ ...plain, requests: { "nvidia.com/gpu": 1 } }, [m5, gpu])).toEqual(["g4dn.xlarge", "m5.large"]);
  });

  it.each<[string, ReturnType<typeof chooseOverrides>]>([
    ["SubnetsNotFound", chooseOverrides(wants([]), [m5], amis, [])],
    [
      "InsufficientFreeAddressesInSubnet",
      chooseOverrides(wants([]), [m5], amis, [{ id: "s", zone: "us-east-1a", freeAddresses: 0 }]),
    ],
    [
      "AMINotFound",
      chooseOverrides(
        wants([], ["g5.xlarge"]),
        [sold("g5.xlarge", 2, 1, { "karpenter.k8s.aws/instance-gpu-count": ["1"] })],
        amis,
        subnets,
      ),
    ],
    ["InsufficientCapacity", chooseOverrides(wants([zoneIn("us-east-1f")]), [m5], amis, subnets)],
    [
      "InsufficientCapacity",
      chooseOverrides(
        wants([]),
        [type("m5.large", [offering("us-east-1a", "spot", 1, { available: false })])],
        amis,
        subnets,
      ),
    ],
  ])("are none with the reason %s", (reason, chosen) => {
    expect(pools(chosen)).toEqual([reason]);
  });

  it("boot the first image that suits the type", () => {
    const arm = sold("m7g.large", 80, 20, { "kubernetes.io/arch": ["arm64"] });
    const chosen = chooseOverrides(
      wants([capacityIn("spot"), zoneIn("us-east-1a")], ["m5.large", "m7g.large"]),
      [m5, arm],
      amis,
      subnets,
    );
    expect("overrides" in chosen && chosen.overrides.map((o) => [o.instanceType, o.imageId])).toEqual([
      ["m7g.large", "ami-arm"],
      ["m5.large", "ami-x86"],
    ]);
  });
});

describe("claims that share a launch", () => {
  const named = (name: string, change: Parameters<typeof claim>[0] = {}) => claim({ name, ...change });
  const names = (groups: ReturnType<typeof groupClaims>) => groups.map((group) => group.map(({ name }) => name));

  it("ask for the same, in the order of their names", () => {
    expect(names(groupClaims([named("c"), named("a"), named("b")]))).toEqual([["a", "b", "c"]]);
  });

  it.each<[string, Parameters<typeof claim>[0]]>([
    ["pool", { nodePool: "other" }],
    ["class", { nodeClass: "other" }],
    ["class text", { nodeClassHash: "2" }],
    ["types", { instanceTypes: ["c5.large"] }],
    ["requirements", { requirements: [zoneIn("us-east-1a")] }],
    ["labels", { labels: { team: "other" } }],
    ["taints", { taints: [{ key: "a", value: "", effect: "NoSchedule" }] }],
    ["startup taints", { startupTaints: [{ key: "a", value: "", effect: "NoSchedule" }] }],
  ])("another %s is another launch", (_title, change) => {
    expect(names(groupClaims([named("a"), named("b", change)]))).toEqual([["a"], ["b"]]);
  });

  it("differences that only the record knows don't matter", () => {
    const b = named("b", { requests: { cpu: 5 }, expireAfterMs: 7, createdAtMs: 9, labels: { team: "platform" } });
    expect(names(groupClaims([named("a"), b]))).toEqual([["a", "b"]]);
  });

  it("are at most as many as one transaction settles", () => {
    const many = Array.from({ length: 100 }, (_, i) => named(`n${String(i).padStart(3, "0")}`));
    expect(groupClaims(many).map((group) => group.length)).toEqual([48, 48, 4]);
  });
});
