// CreateFleet through the SDK: what is launched, and from where.
import {
  CreateFleetCommand,
  type CreateFleetCommandInput,
  type CreateFleetCommandOutput,
  DescribeCapacityReservationsCommand,
  DescribeInstancesCommand,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEc2Cloud } from "../../../shared/adapters/ec2/index.ts";
import {
  a,
  b,
  fleet,
  makeTemplateIn,
  type Override,
  onDemand,
  openFleetRegion,
  outline,
  spot,
} from "./fleet-requests.ts";
import { catalog, groups, network, openRegion, type Region, subnets } from "./small-region.ts";

let region: Region;

beforeEach(async () => {
  region = await openFleetRegion();
});
afterEach(() => region.close());

const makeTemplate = (name: string, content: object) => makeTemplateIn(region, name, content);
const send = (input: CreateFleetCommandInput): Promise<CreateFleetCommandOutput> =>
  region.client.send(new CreateFleetCommand(input));

function free(instanceType: string, zone: string, capacityType: "spot" | "on-demand", count: number): void {
  region.ec2.setFreeCapacity({ instanceType, zone, capacityType }, count);
}

describe("an instant fleet", () => {
  it("answers with the pool, lifecycle and template of what it launched", async () => {
    const answer = await send(fleet([a("m5.large", { AvailabilityZone: "us-east-1a", Priority: 1.5 })], onDemand(2)));
    expect(answer.FleetId).toMatch(/^fleet-[0-9a-f]{17}$/);
    expect(answer.Errors).toEqual([]);
    expect(answer.Instances).toEqual([
      {
        InstanceIds: [expect.stringMatching(/^i-[0-9a-f]{17}$/), expect.stringMatching(/^i-[0-9a-f]{17}$/)],
        InstanceType: "m5.large",
        Lifecycle: "on-demand",
        LaunchTemplateAndOverrides: {
          LaunchTemplateSpecification: { LaunchTemplateId: expect.stringMatching(/^lt-/), Version: "1" },
          Overrides: { InstanceType: "m5.large", SubnetId: subnets.a, AvailabilityZone: "us-east-1a", Priority: 1.5 },
        },
      },
    ]);
  });

  it.each<[string, Override[], Partial<CreateFleetCommandInput>, string[]]>([
    ["on demand at the lowest price by default", [a("m5.large"), a("c5.large")], onDemand(3), ["c5.large 3"]],
    [
      "on demand by priority",
      [a("c5.large", { Priority: 2 }), a("m5.large", { Priority: 1 })],
      { ...onDemand(3), OnDemandOptions: { AllocationStrategy: "prioritized" } },
      ["m5.large 3"],
    ],
    [
      "spot at the zone's price",
      [a("c5.large"), b("c5.large")],
      spot(1, { AllocationStrategy: "lowest-price" }),
      ["c5.large 1"],
    ],
    [
      "spot over as many pools as asked",
      [a("c5.large"), a("m5.large"), a("m5.xlarge")],
      spot(4, { AllocationStrategy: "lowest-price", InstancePoolsToUseCount: 2 }),
      ["c5.large 2", "m5.large 2"],
    ],
    [
      "both, as the target is split",
      [a("c5.large"), a("m5.large")],
      {
        TargetCapacitySpecification: {
          TotalTargetCapacity: 5,
          OnDemandTargetCapacity: 2,
          DefaultTargetCapacityType: "spot",
        },
        SpotOptions: { AllocationStrategy: "diversified" },
      },
      ["c5.large 2", "c5.large 2", "m5.large 1"],
    ],
    [
      "by weight",
      [a("m5.large", { WeightedCapacity: 1 }), a("m5.xlarge", { WeightedCapacity: 3 })],
      onDemand(5),
      ["m5.xlarge 2"],
    ],
    [
      "in a default subnet of the zone",
      [{ InstanceType: "m5.large", AvailabilityZone: "us-east-1c" }],
      onDemand(1),
      ["m5.large 1"],
    ],
    [
      "in a zone named by id",
      [{ InstanceType: "m5.large", AvailabilityZoneId: "use1-az2" }],
      onDemand(1),
      ["m5.large 1"],
    ],
  ])("is launched %s", async (_title, overrides, change, launched) => {
    expect(outline(await send(fleet(overrides, change)))).toEqual({ launched, refused: [] });
  });

  it("chooses the cheaper zone for spot", async () => {
    const answer = await send(fleet([a("c5.large"), b("c5.large")], spot(1)));
    expect(answer.Instances?.[0]?.LaunchTemplateAndOverrides?.Overrides?.SubnetId).toBe(subnets.b);
    region.ec2.setSpotPrice("c5.large", "us-east-1b", 0.05);
    const next = await send(fleet([a("c5.large"), b("c5.large")], spot(1)));
    expect(next.Instances?.[0]?.LaunchTemplateAndOverrides?.Overrides?.SubnetId).toBe(subnets.a);
  });

  it("uses the subnets that one override lists, one after the other", async () => {
    region.ec2.setFreeAddresses(subnets.a, 1);
    const answer = await send(
      fleet([{ InstanceType: "m5.large", SubnetId: `${subnets.a}, ${subnets.b}` }], onDemand(3)),
    );
    expect(outline(answer)).toEqual({
      launched: ["m5.large 1", "m5.large 2"],
      refused: ["m5.large InsufficientFreeAddressesInSubnet"],
    });
  });
});

describe("a pool that refuses", () => {
  it("is in Errors with its override, and the next pool gives the rest", async () => {
    free("c5.large", "us-east-1a", "on-demand", 2);
    const answer = await send(fleet([a("c5.large"), a("m5.large")], onDemand(5)));
    expect(outline(answer)).toEqual({
      launched: ["c5.large 2", "m5.large 3"],
      refused: ["c5.large InsufficientInstanceCapacity"],
    });
    expect(answer.Errors?.[0]).toMatchObject({
      Lifecycle: "on-demand",
      LaunchTemplateAndOverrides: { Overrides: { InstanceType: "c5.large", SubnetId: subnets.a } },
      ErrorMessage: expect.stringContaining("us-east-1a"),
    });
  });

  it.each<[string, Override[], () => void, Partial<CreateFleetCommandInput>, string]>([
    [
      "without capacity",
      [a("m5.large")],
      () => free("m5.large", "us-east-1a", "spot", 0),
      spot(1),
      "InsufficientInstanceCapacity",
    ],
    [
      "without addresses",
      [a("m5.large")],
      () => region.ec2.setFreeAddresses(subnets.a, 0),
      onDemand(1),
      "InsufficientFreeAddressesInSubnet",
    ],
    [
      "past the spot quota",
      [a("m5.large")],
      () => Object.assign(region.ec2.quotas, { spot: { standard: 1 } }),
      spot(1),
      "MaxSpotInstanceCountExceeded",
    ],
    [
      "past the on-demand quota",
      [a("m5.large")],
      () => Object.assign(region.ec2.quotas, { "on-demand": { standard: 1 } }),
      onDemand(1),
      "VcpuLimitExceeded",
    ],
    [
      "with an error of the test's choice",
      [a("m5.large")],
      () =>
        region.ec2.setRefusal(
          { instanceType: "m5.large" },
          { code: "UnfulfillableCapacity", message: "adjust the request" },
        ),
      spot(1),
      "UnfulfillableCapacity",
    ],
    ["in a zone that doesn't sell it", [b("g5.xlarge")], () => {}, onDemand(1), "Unsupported"],
    ["of an unknown type", [a("z9.huge" as never)], () => {}, onDemand(1), "InvalidParameterValue"],
    [
      "in an unknown subnet",
      [{ InstanceType: "m5.large", SubnetId: "subnet-0f" }],
      () => {},
      onDemand(1),
      "InvalidSubnetID.NotFound",
    ],
    ["with an unknown image", [a("m5.large", { ImageId: "ami-0f" })], () => {}, onDemand(1), "InvalidAMIID.NotFound"],
    ["with an image of another architecture", [a("m6g.large")], () => {}, onDemand(1), "InvalidParameterValue"],
    ["dearer than the override allows", [a("m5.large", { MaxPrice: "0.01" })], () => {}, spot(1), "SpotMaxPriceTooLow"],
  ])("%s launches nothing", async (_title, overrides, prepare, change, code) => {
    prepare();
    const answer = await send(fleet(overrides, change));
    expect(outline(answer)).toEqual({ launched: [], refused: [`${overrides[0]!.InstanceType} ${code}`] });
  });

  it.each([
    ["an unknown group", { SecurityGroupIds: ["sg-0f"] }, "InvalidGroup.NotFound"],
    ["a group of another network", { SecurityGroupIds: [groups.other] }, "InvalidParameter"],
    [
      "an unknown profile",
      { SecurityGroupIds: [groups.nodes], IamInstanceProfile: { Name: "nobody" } },
      "InvalidParameterValue",
    ],
  ])("for its template's sake (%s) launches nothing", async (_title, content, code) => {
    await makeTemplate("broken", content);
    expect(outline(await send(fleet([a("m5.large")], {}, "broken"))).refused).toEqual([`m5.large ${code}`]);
  });

  it("shares its quota with the other pools of the request, and gives it back when it ends", async () => {
    region.ec2.quotas.spot = { standard: 8 };
    const pools = [a("m5.large"), a("m5.xlarge")];
    const first = await send(fleet(pools, spot(8, { AllocationStrategy: "diversified" })));
    expect(outline(first)).toEqual({
      launched: ["m5.large 2", "m5.xlarge 1"],
      refused: ["m5.large MaxSpotInstanceCountExceeded", "m5.xlarge MaxSpotInstanceCountExceeded"],
    });
    const ids = first.Instances!.flatMap((i) => i.InstanceIds ?? []);
    await region.client.send(new TerminateInstancesCommand({ InstanceIds: ids }));
    expect(outline(await send(fleet(pools, spot(1)))).launched).toEqual([]);
    region.clock.advance(60_000);
    expect(outline(await send(fleet([a("m5.xlarge")], spot(3)))).launched).toEqual(["m5.xlarge 2"]);
  });

  it("is one pool in whichever subnet of its zone", async () => {
    await region.close();
    const { subnets: seeds, securityGroups } = network();
    const twin = { id: "subnet-0000000000000000d", zone: "us-east-1a", cidr: "10.0.3.0/24" };
    region = await openRegion({ network: { subnets: [...seeds, twin], securityGroups } });
    await makeTemplate("demo", { SecurityGroupIds: [groups.nodes] });
    free("m5.large", "us-east-1a", "on-demand", 3);
    region.ec2.setFreeAddresses(subnets.a, 2);
    const both = { InstanceType: "m5.large" as const, SubnetId: `${subnets.a},${twin.id}` };
    expect(outline(await send(fleet([both], onDemand(5)))).launched).toEqual(["m5.large 1", "m5.large 2"]);
  });

  it("shares its capacity with every override and fleet that names it", async () => {
    free("m5.large", "us-east-1a", "on-demand", 3);
    await send(fleet([a("m5.large")], onDemand(2)));
    expect(outline(await send(fleet([a("m5.large")], onDemand(2)))).launched).toEqual(["m5.large 1"]);
    expect(outline(await send(fleet([a("m5.large")], onDemand(1)))).launched).toEqual([]);
  });
});

describe("a capacity reservation", () => {
  const target = (CapacityReservationId: string) => ({
    SecurityGroupIds: [groups.nodes],
    CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId } },
  });
  const available = async (): Promise<number | undefined> =>
    (await region.client.send(new DescribeCapacityReservationsCommand({}))).CapacityReservations?.[0]
      ?.AvailableInstanceCount;

  beforeEach(async () => {
    await region.close();
    const reserved = [{ id: "cr-0a", instanceType: "m5.large", zone: "us-east-1a", count: 2 }];
    region = await openRegion({ catalog: { ...catalog, reserved } });
    await makeTemplate("reserved", target("cr-0a"));
    await makeTemplate("nowhere", target("cr-0f"));
  });

  it("gives its instances to launches that name it, apart from the pool, and gets them back", async () => {
    free("m5.large", "us-east-1a", "on-demand", 0);
    const answer = await send(fleet([a("m5.large")], onDemand(3), "reserved"));
    expect(outline(answer)).toEqual({ launched: ["m5.large 2"], refused: ["m5.large ReservationCapacityExceeded"] });
    expect(await available()).toBe(0);
    const ids = answer.Instances![0]!.InstanceIds!;
    const { Reservations } = await region.client.send(new DescribeInstancesCommand({ InstanceIds: [ids[0]!] }));
    expect(Reservations![0]!.Instances![0]!.CapacityReservationId).toBe("cr-0a");
    await region.client.send(new TerminateInstancesCommand({ InstanceIds: ids }));
    region.clock.advance(60_000);
    expect(await available()).toBe(2);
    expect(region.ec2.capacity.free({ instanceType: "m5.large", zone: "us-east-1a", capacityType: "on-demand" })).toBe(
      0,
    );
  });

  it("is found by the adapter by its id, with what is left of it; unknown ids are absent", async () => {
    const cloud = createEc2Cloud({ client: region.client, clock: region.clock });
    const found = [
      {
        id: "cr-0a",
        ownerId: expect.stringMatching(/^[0-9]{12}$/),
        instanceType: "m5.large",
        zone: "us-east-1a",
        type: "default",
        interruptible: false,
        matching: "targeted",
        left: 2,
      },
    ];
    expect(await cloud.findReservations([{ id: "cr-0f" }, { id: "cr-0a" }])).toEqual(found);
    expect(await cloud.findReservations([{ instanceMatchCriteria: "targeted" }])).toEqual(found);
    expect(await cloud.findReservations([{ instanceMatchCriteria: "open" }, {}])).toEqual([]);
  });

  it.each<[string, string, Override, Partial<CreateFleetCommandInput>, string]>([
    ["another zone", "reserved", b("m5.large"), onDemand(1), "InvalidParameterValue"],
    ["another type", "reserved", a("c5.large"), onDemand(1), "InvalidParameterValue"],
    ["spot", "reserved", a("m5.large"), spot(1), "InvalidParameterCombination"],
    ["an unknown id", "nowhere", a("m5.large"), onDemand(1), "InvalidCapacityReservationId.NotFound"],
  ])("refuses %s", async (_title, template, override, change, code) => {
    const answer = await send(fleet([override], change, template));
    expect(outline(answer)).toEqual({ launched: [], refused: [`${override.InstanceType} ${code}`] });
  });
});

describe("a fleet of a single type or zone", () => {
  it("takes the first type that can give everything", async () => {
    free("c5.large", "us-east-1a", "spot", 1);
    const answer = await send(fleet([a("c5.large"), a("m5.large")], spot(2, { SingleInstanceType: true })));
    expect(outline(answer)).toEqual({ launched: ["m5.large 2"], refused: [] });
    free("m5.large", "us-east-1a", "spot", 1);
    const partial = await send(fleet([a("m5.large"), b("m5.large")], spot(2, { SingleAvailabilityZone: true })));
    expect(new Set(partial.Instances?.map((i) => i.LaunchTemplateAndOverrides?.Overrides?.SubnetId))).toEqual(
      new Set([subnets.b]),
    );
  });

  it("launches nothing below its minimum, and what there is above it", async () => {
    region.ec2.setFreeCapacity({ capacityType: "spot" }, 2);
    const pools = [a("c5.large"), a("m5.large")];
    const none = await send(fleet(pools, spot(4, { SingleInstanceType: true, MinTargetCapacity: 3 })));
    expect(outline(none)).toEqual({
      launched: [],
      refused: ["c5.large InsufficientInstanceCapacity", "m5.large InsufficientInstanceCapacity"],
    });
    const some = await send(fleet(pools, spot(4, { SingleInstanceType: true, MinTargetCapacity: 2 })));
    expect(outline(some).launched).toEqual(["c5.large 2"]);
  });
});
