// CreateFleet through the SDK: repeated tokens, and requests that are refused as a whole.
import {
  CreateFleetCommand,
  type CreateFleetCommandInput,
  type CreateFleetCommandOutput,
  DescribeInstancesCommand,
  DescribeSubnetsCommand,
} from "@aws-sdk/client-ec2";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { a, fleet, onDemand, openFleetRegion, spot } from "./fleet-requests.ts";
import { type Region, subnets } from "./small-region.ts";

let region: Region;

beforeEach(async () => {
  region = await openFleetRegion();
});
afterEach(() => region.close());

const send = (input: CreateFleetCommandInput): Promise<CreateFleetCommandOutput> =>
  region.client.send(new CreateFleetCommand(input));

describe("a client token", () => {
  const request = (): CreateFleetCommandInput => ({ ...fleet([a("m5.large")], onDemand(2)), ClientToken: "one" });
  const instanceCount = async (): Promise<number> =>
    ((await region.client.send(new DescribeInstancesCommand({}))).Reservations ?? []).flatMap((r) => r.Instances ?? [])
      .length;

  it("gives the first answer again and launches nothing more, also when capacity is gone", async () => {
    const first = await send(request());
    region.ec2.setFreeCapacity({}, 0);
    const again = await send(request());
    expect({ ...again, $metadata: 0 }).toEqual({ ...first, $metadata: 0 });
    expect(await instanceCount()).toBe(2);
  });

  it("may give no instances when repeated", async () => {
    const first = await send(request());
    region.ec2.settings.replay = "no-instances";
    expect(await send(request())).toMatchObject({ FleetId: first.FleetId, Instances: [], Errors: [] });
    expect(await instanceCount()).toBe(2);
  });

  it("refuses a changed request", async () => {
    await send(request());
    for (const changed of [
      onDemand(3),
      spot(2),
      { TagSpecifications: [], SpotOptions: { InstanceInterruptionBehavior: "terminate" as const } },
    ]) {
      await expect(send({ ...request(), ...changed })).rejects.toMatchObject({ name: "IdempotentParameterMismatch" });
    }
    expect(await instanceCount()).toBe(2);
  });

  it("is forgotten after a day, and isn't spent by a refused request or a dry run", async () => {
    await expect(send({ ...request(), DryRun: true })).rejects.toMatchObject({ name: "DryRunOperation" });
    await expect(send({ ...request(), Type: "maintain" })).rejects.toMatchObject({ name: "UnsupportedOperation" });
    await send(request());
    region.clock.advance(24 * 3_600_000);
    await send(request());
    expect(await instanceCount()).toBe(2 + 2);
  });
});

describe("a request that EC2 refuses", () => {
  it.each<[string, Partial<CreateFleetCommandInput>, string]>([
    ["a fleet that isn't instant", { Type: "request" }, "UnsupportedOperation"],
    ["no target", { TargetCapacitySpecification: { TotalTargetCapacity: 0 } }, "InvalidTargetCapacitySpecification"],
    ["an unknown strategy", { OnDemandOptions: { AllocationStrategy: "cheapest" as never } }, "InvalidParameterValue"],
    ["a minimum without a single type or zone", spot(2, { MinTargetCapacity: 1 }), "InvalidParameterCombination"],
    [
      "a reserved tag",
      { TagSpecifications: [{ ResourceType: "instance", Tags: [{ Key: "aws:x", Value: "" }] }] },
      "InvalidParameterValue",
    ],
    [
      "too many tags",
      {
        TagSpecifications: [
          { ResourceType: "instance", Tags: Array.from({ length: 51 }, (_, i) => ({ Key: `k${i}`, Value: "" })) },
        ],
      },
      "TagLimitExceeded",
    ],
    ["a token that is too long", { ClientToken: "x".repeat(65) }, "InvalidClientToken"],
    [
      "attribute-based choice",
      {
        LaunchTemplateConfigs: [
          {
            LaunchTemplateSpecification: { LaunchTemplateName: "demo", Version: "1" },
            Overrides: [{ InstanceRequirements: { VCpuCount: { Min: 1 }, MemoryMiB: { Min: 1 } } }],
          },
        ],
      },
      "UnsupportedOperation",
    ],
    [
      "an unknown template",
      { LaunchTemplateConfigs: [{ LaunchTemplateSpecification: { LaunchTemplateName: "nope", Version: "$Latest" } }] },
      "InvalidLaunchTemplateName.NotFoundException",
    ],
    [
      "an unknown template id",
      { LaunchTemplateConfigs: [{ LaunchTemplateSpecification: { LaunchTemplateId: "lt-0f", Version: "$Latest" } }] },
      "InvalidLaunchTemplateId.NotFound",
    ],
    [
      "an unknown version",
      { LaunchTemplateConfigs: [{ LaunchTemplateSpecification: { LaunchTemplateName: "demo", Version: "7" } }] },
      "InvalidLaunchTemplateId.VersionNotFound",
    ],
    [
      "no version",
      { LaunchTemplateConfigs: [{ LaunchTemplateSpecification: { LaunchTemplateName: "demo" } }] },
      "MissingParameter",
    ],
  ])("is told so: %s", async (_title, change, code) => {
    await expect(send({ ...fleet([a("m5.large")]), ...change })).rejects.toMatchObject({
      name: code,
      $metadata: { httpStatusCode: 400 },
    });
  });

  it("names one pool twice", async () => {
    await expect(send(fleet([a("m5.large"), a("m5.large", { Priority: 1 })]))).rejects.toMatchObject({
      name: "InvalidFleetConfig",
    });
  });

  it("puts a subnet into a zone where it isn't", async () => {
    await expect(send(fleet([a("m5.large", { AvailabilityZone: "us-east-1b" })]))).rejects.toMatchObject({
      name: "InvalidParameterCombination",
    });
  });

  it("has taken nothing", async () => {
    await send({ ...fleet([a("m5.large")]), Type: "request" }).catch(() => undefined);
    const { Subnets } = await region.client.send(new DescribeSubnetsCommand({ SubnetIds: [subnets.a] }));
    expect(Subnets?.[0]?.AvailableIpAddressCount).toBe(251);
  });
});
