// The fleet endpoint beside moto: the same calls to both, and the same answers where moto's are EC2's. Not among them is what moto does
// otherwise than EC2: it deletes templates by id only, and its fleets drop the template's security groups.
import * as ec2 from "@aws-sdk/client-ec2";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openRegion, type Region } from "../local/ec2/small-region.ts";

interface Side {
  readonly client: ec2.EC2Client;
  readonly subnet: string;
  readonly group: string;
  readonly image: string;
}

const unknownInstance = "i-0123456789abcdef0";
const noMoto = inject("noMoto");

/** Refused calls, each the same on both sides. */
const refused: readonly [string, (side: Side) => Promise<unknown>][] = [
  [
    "describe an unknown instance",
    ({ client }) => client.send(new ec2.DescribeInstancesCommand({ InstanceIds: [unknownInstance] })),
  ],
  [
    "terminate an unknown instance",
    ({ client }) => client.send(new ec2.TerminateInstancesCommand({ InstanceIds: [unknownInstance] })),
  ],
  [
    "describe an unknown subnet",
    ({ client }) => client.send(new ec2.DescribeSubnetsCommand({ SubnetIds: ["subnet-0123456789abcdef0"] })),
  ],
  [
    "describe an unknown group",
    ({ client }) => client.send(new ec2.DescribeSecurityGroupsCommand({ GroupIds: ["sg-0123456789abcdef0"] })),
  ],
  [
    "describe an unknown image",
    ({ client }) => client.send(new ec2.DescribeImagesCommand({ ImageIds: ["ami-0123456789abcdef0"] })),
  ],
  [
    "describe an unknown type",
    ({ client }) => client.send(new ec2.DescribeInstanceTypesCommand({ InstanceTypes: ["z9.huge" as never] })),
  ],
  [
    "describe an unknown template",
    ({ client }) => client.send(new ec2.DescribeLaunchTemplatesCommand({ LaunchTemplateNames: ["nothing"] })),
  ],
  [
    "make a template twice",
    async ({ client, image }) => {
      const input = { LaunchTemplateName: "twice", LaunchTemplateData: { ImageId: image } };
      await client.send(new ec2.CreateLaunchTemplateCommand(input));
      await client.send(new ec2.CreateLaunchTemplateCommand({ ...input, ClientToken: "another" }));
    },
  ],
  ["rehearse a description", ({ client }) => client.send(new ec2.DescribeInstancesCommand({ DryRun: true }))],
];

async function openMoto(): Promise<Side & { close(): void }> {
  const client = new ec2.EC2Client({
    region: "us-east-1",
    endpoint: inject("moto"),
    credentials: { accessKeyId: "moto", secretAccessKey: "moto" },
    maxAttempts: 1,
  });
  const { Subnets } = await client.send(
    new ec2.DescribeSubnetsCommand({
      Filters: [
        { Name: "availability-zone", Values: ["us-east-1a"] },
        { Name: "default-for-az", Values: ["true"] },
      ],
    }),
  );
  const { GroupId } = await client.send(
    new ec2.CreateSecurityGroupCommand({ GroupName: "parity", Description: "parity", VpcId: Subnets![0]!.VpcId! }),
  );
  const { Images } = await client.send(
    new ec2.DescribeImagesCommand({ Owners: ["amazon"], Filters: [{ Name: "architecture", Values: ["x86_64"] }] }),
  );
  return {
    client,
    subnet: Subnets![0]!.SubnetId!,
    group: GroupId!,
    image: Images!.find((i) => i.Platform === undefined)!.ImageId!,
    close: () => client.destroy(),
  };
}

async function openOurs(region: Region): Promise<Side> {
  const { Subnets } = await region.client.send(
    new ec2.DescribeSubnetsCommand({ Filters: [{ Name: "availability-zone", Values: ["us-east-1a"] }] }),
  );
  const { Images } = await region.client.send(
    new ec2.DescribeImagesCommand({ Filters: [{ Name: "architecture", Values: ["x86_64"] }] }),
  );
  const { SecurityGroups } = await region.client.send(
    new ec2.DescribeSecurityGroupsCommand({ Filters: [{ Name: "vpc-id", Values: [Subnets![0]!.VpcId!] }] }),
  );
  return {
    client: region.client,
    subnet: Subnets![0]!.SubnetId!,
    group: SecurityGroups![0]!.GroupId!,
    image: Images![0]!.ImageId!,
  };
}

/** One spot instance from a template, described. */
async function launchAndDescribe({ client, subnet, group, image }: Side): Promise<ec2.Instance> {
  await client.send(
    new ec2.CreateLaunchTemplateCommand({
      LaunchTemplateName: "parity",
      LaunchTemplateData: {
        ImageId: image,
        SecurityGroupIds: [group],
        UserData: "aGVsbG8=",
        Monitoring: { Enabled: true },
        TagSpecifications: [{ ResourceType: "instance", Tags: [{ Key: "from", Value: "template" }] }],
      },
    }),
  );
  const fleet = await client.send(
    new ec2.CreateFleetCommand({
      Type: "instant",
      LaunchTemplateConfigs: [
        {
          LaunchTemplateSpecification: { LaunchTemplateName: "parity", Version: "$Latest" },
          Overrides: [{ InstanceType: "m5.large", SubnetId: subnet, AvailabilityZone: "us-east-1a" }],
        },
      ],
      TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: "spot" },
      TagSpecifications: [{ ResourceType: "instance", Tags: [{ Key: "launch", Value: "1" }] }],
    }),
  );
  const ids = fleet.Instances!.flatMap((i) => i.InstanceIds ?? []);
  const { Reservations } = await client.send(new ec2.DescribeInstancesCommand({ InstanceIds: ids }));
  return Reservations![0]!.Instances![0]!;
}

describe.skipIf(noMoto !== "")(`the fleet endpoint and moto${noMoto === "" ? "" : ` (skipped: ${noMoto})`}`, () => {
  let region: Region;
  let ours: Side;
  let moto: Side & { close(): void };
  beforeAll(async () => {
    region = await openRegion();
    [ours, moto] = [await openOurs(region), await openMoto()];
  });
  afterAll(async () => {
    moto?.close();
    await region?.close();
  });

  it.each(refused)("give the same error when callers %s", async (_title, call) => {
    const codes = await Promise.all(
      [ours, moto].map((side) =>
        call(side).then(
          () => "no error",
          (error: Error) => error.name,
        ),
      ),
    );
    expect(codes[0]).toBe(codes[1]);
    expect(codes[0]).not.toBe("no error");
  });

  it("describe a launched instance alike", async () => {
    const [a, b] = [await launchAndDescribe(ours), await launchAndDescribe(moto)];
    const outline = (instance: ec2.Instance, side: Side) => ({
      type: instance.InstanceType,
      lifecycle: instance.InstanceLifecycle,
      zone: instance.Placement?.AvailabilityZone,
      tenancy: instance.Placement?.Tenancy,
      inSubnet: instance.SubnetId === side.subnet,
      ofImage: instance.ImageId === side.image,
      architecture: instance.Architecture,
      root: instance.RootDeviceType,
      virtualization: instance.VirtualizationType,
      launched: instance.LaunchTime instanceof Date,
      private: /^10\.|^172\./.test(instance.PrivateIpAddress ?? ""),
      dns: instance.PrivateDnsName?.replace(/\d+/g, "0"),
      tags: instance.Tags?.map((t) => t.Key)
        .filter((key) => !key?.startsWith("aws:"))
        .sort(),
    });
    expect(outline(a, ours)).toEqual(outline(b, moto));
  });
});
