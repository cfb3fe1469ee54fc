// A random life of a region, with what must hold after every step: capacity, addresses and vCPUs are conserved, tokens launch
// once, fleets never exceed their target.
import type { CreateFleetRequest, CreateFleetResult } from "@aws-sdk/client-ec2";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEc2, type Ec2 } from "../../../local/ec2/ec2.ts";
import { catalog, groups, images, ManualClock, network, subnets } from "./small-region.ts";

const types = ["c5.large", "m5.large", "m5.xlarge", "r5.large"] as const;
const zones = ["a", "b", "c"] as const;
const vcpus: Readonly<Record<string, number>> = { "c5.large": 2, "m5.large": 2, "m5.xlarge": 4, "r5.large": 2 };
const addressesOfSubnet = 12;
const spotVcpus = 12;

type Step =
  | {
      readonly kind: "fleet";
      readonly token: number;
      readonly count: number;
      readonly spot: boolean;
      readonly pools: readonly number[];
    }
  | { readonly kind: "terminate"; readonly pick: number }
  | { readonly kind: "interrupt"; readonly pick: number }
  | { readonly kind: "advance"; readonly ms: number };

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("fleet" as const),
    token: fc.integer({ min: 0, max: 5 }),
    count: fc.integer({ min: 1, max: 8 }),
    spot: fc.boolean(),
    pools: fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 6 }),
  }),
  fc.record({ kind: fc.constant("terminate" as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant("interrupt" as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 200_000 }) }),
);

function open(): { ec2: Ec2; clock: ManualClock } {
  const clock = new ManualClock();
  const seed = network();
  const ec2 = createEc2({
    clock,
    catalog,
    capacityPerPool: 5,
    quotas: { spot: { standard: spotVcpus } },
    network: { ...seed, subnets: seed.subnets.map((s) => ({ ...s, freeAddresses: addressesOfSubnet })) },
  });
  ec2.call("CreateLaunchTemplate", {
    LaunchTemplateName: "demo",
    LaunchTemplateData: { ImageId: images.x86, SecurityGroupIds: [groups.nodes] },
  });
  return { ec2, clock };
}

function fleetOf(step: Extract<Step, { kind: "fleet" }>): CreateFleetRequest {
  const onDemand = step.spot ? "spot" : "on-demand";
  return {
    Type: "instant",
    ClientToken: `${step.token}-${step.count}-${onDemand}-${step.pools.join(".")}`,
    TargetCapacitySpecification: { TotalTargetCapacity: step.count, DefaultTargetCapacityType: onDemand },
    SpotOptions: { AllocationStrategy: "price-capacity-optimized" },
    LaunchTemplateConfigs: [
      {
        LaunchTemplateSpecification: { LaunchTemplateName: "demo", Version: "$Latest" },
        Overrides: step.pools.map((n) => ({
          InstanceType: types[n % 4]!,
          SubnetId: subnets[zones[Math.floor(n / 4)]!],
        })),
      },
    ],
  };
}

function play(world: { ec2: Ec2; clock: ManualClock }, step: Step, answers: Map<string, CreateFleetResult>): void {
  const { ec2, clock } = world;
  const pick = (index: number): string | undefined => {
    const all = ec2.instances();
    return all[index % Math.max(1, all.length)]?.id;
  };
  if (step.kind === "advance") clock.advance(step.ms);
  else if (step.kind === "interrupt") ec2.interrupt(pick(step.pick) ?? "");
  else if (step.kind === "terminate") {
    ec2.settle();
    const id = pick(step.pick);
    if (id !== undefined) ec2.call("TerminateInstances", { InstanceIds: [id] });
  } else launch(ec2, step, answers);
}

function launch(ec2: Ec2, step: Extract<Step, { kind: "fleet" }>, answers: Map<string, CreateFleetResult>): void {
  const request = fleetOf(step);
  ec2.settle();
  const before = ec2.instances().length;
  const answer = ec2.call<CreateFleetResult>("CreateFleet", request);
  const launched = (answer.Instances ?? []).reduce((sum, i) => sum + (i.InstanceIds?.length ?? 0), 0);
  const seen = answers.get(request.ClientToken!);
  if (seen !== undefined) {
    expect(answer).toEqual(seen);
    expect(ec2.instances()).toHaveLength(before);
    return;
  }
  answers.set(request.ClientToken!, answer);
  expect(ec2.instances()).toHaveLength(before + launched);
  expect(launched).toBeLessThanOrEqual(step.count);
  if (launched < step.count) expect(answer.Errors).toHaveLength(step.pools.length);
}

function checkConservation(ec2: Ec2): void {
  ec2.settle();
  const live = ec2.instances().filter((i) => i.state !== "terminated");
  for (const pool of ec2.capacity.pools()) {
    const here = live.filter(
      ({ pool: p }) =>
        p.instanceType === pool.instanceType && p.zone === pool.zone && p.capacityType === pool.capacityType,
    );
    expect(ec2.capacity.used(pool)).toBe(here.length);
    expect(ec2.capacity.free(pool)).toBe(5 - here.length);
  }
  const described = ec2.call<{ Subnets: { SubnetId: string; AvailableIpAddressCount: number }[] }>(
    "DescribeSubnets",
    {},
  );
  for (const subnet of described.Subnets) {
    const here = live.filter((i) => i.subnetId === subnet.SubnetId);
    expect(subnet.AvailableIpAddressCount).toBe(addressesOfSubnet - here.length);
    expect(new Set(here.map((i) => i.address.address)).size).toBe(here.length);
  }
  const spot = live.filter((i) => i.pool.capacityType === "spot");
  expect(spot.reduce((sum, i) => sum + vcpus[i.pool.instanceType]!, 0)).toBeLessThanOrEqual(spotVcpus);
}

describe("a region, whatever happens in it", () => {
  it("conserves capacity, addresses and quota, and launches once for a token", () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 25 }), (life) => {
        const world = open();
        const answers = new Map<string, CreateFleetResult>();
        for (const step of life) {
          play(world, step, answers);
          checkConservation(world.ec2);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("comes to the same end from the same seed and steps", () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 15 }), (life) => {
        const ends = [open(), open()].map((world) => {
          const answers = new Map<string, CreateFleetResult>();
          for (const step of life) play(world, step, answers);
          return JSON.stringify(world.ec2.instances());
        });
        expect(ends[0]).toBe(ends[1]);
      }),
      { numRuns: 30 },
    );
  });
});
