// Instances, launch templates and tags through the SDK, with their filters, pages and errors.
import {
  CreateFleetCommand,
  CreateLaunchTemplateCommand,
  CreateLaunchTemplateVersionCommand,
  CreateTagsCommand,
  DeleteLaunchTemplateCommand,
  DeleteTagsCommand,
  DescribeInstancesCommand,
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeTagsCommand,
  type Filter,
  paginateDescribeInstances,
  paginateDescribeTags,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { groups, images, openRegion, type Region, start, subnets } from "./small-region.ts";

let region: Region;
let spotIds: string[];
let onDemandIds: string[];

beforeAll(async () => {
  region = await openRegion();
  await region.client.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: "nodes",
      LaunchTemplateData: {
        ImageId: images.x86,
        UserData: Buffer.from("#!/bin/sh\necho 'Grüße & <tags>'\n").toString("base64"),
        NetworkInterfaces: [{ DeviceIndex: 0, AssociatePublicIpAddress: false, Groups: [groups.nodes] }],
        IamInstanceProfile: { Name: "nodes" },
        MetadataOptions: { HttpTokens: "required", HttpPutResponseHopLimit: 1 },
        Monitoring: { Enabled: true },
        BlockDeviceMappings: [{ DeviceName: "/dev/xvda", Ebs: { VolumeSize: 20, VolumeType: "gp3", Encrypted: true } }],
        TagSpecifications: [
          {
            ResourceType: "instance",
            Tags: [
              { Key: "origin", Value: "template" },
              { Key: "both", Value: "template" },
            ],
          },
        ],
      },
    }),
  );
  spotIds = await launch("spot", "us-east-1a", 4);
  onDemandIds = await launch("on-demand", "us-east-1b", 3);
});
afterAll(() => region.close());

async function launch(kind: "spot" | "on-demand", zone: string, count: number): Promise<string[]> {
  const answer = await region.client.send(
    new CreateFleetCommand({
      Type: "instant",
      LaunchTemplateConfigs: [
        {
          LaunchTemplateSpecification: { LaunchTemplateName: "nodes", Version: "$Default" },
          Overrides: [{ InstanceType: "m5.large", AvailabilityZone: zone }],
        },
      ],
      TargetCapacitySpecification: { TotalTargetCapacity: count, DefaultTargetCapacityType: kind },
      TagSpecifications: [
        {
          ResourceType: "instance",
          Tags: [
            { Key: "kind", Value: kind },
            { Key: "both", Value: "fleet" },
            { Key: "odd", Value: "a*b?c\\d" },
          ],
        },
      ],
    }),
  );
  return answer.Instances!.flatMap((i) => i.InstanceIds ?? []);
}

describe("DescribeInstances", () => {
  const find = async (...Filters: Filter[]): Promise<string[]> =>
    (await region.client.send(new DescribeInstancesCommand({ Filters }))).Reservations!.flatMap((r) =>
      r.Instances!.map((i) => i.InstanceId!),
    );

  it("shows what the template and the fleet made of an instance", async () => {
    const answer = await region.client.send(new DescribeInstancesCommand({ InstanceIds: [spotIds[0]!] }));
    expect(answer.Reservations).toHaveLength(1);
    expect(answer.Reservations![0]!.Instances![0]).toMatchObject({
      InstanceId: spotIds[0],
      ImageId: images.x86,
      State: { Code: 0, Name: "pending" },
      InstanceType: "m5.large",
      InstanceLifecycle: "spot",
      SpotInstanceRequestId: expect.stringMatching(/^sir-/),
      LaunchTime: new Date(start),
      Architecture: "x86_64",
      Placement: { AvailabilityZone: "us-east-1a", AvailabilityZoneId: "use1-az1", Tenancy: "default" },
      PrivateIpAddress: "10.0.0.4",
      PrivateDnsName: "ip-10-0-0-4.ec2.internal",
      SubnetId: subnets.a,
      SecurityGroups: [{ GroupId: groups.nodes, GroupName: "demo-nodes" }],
      IamInstanceProfile: { Arn: "arn:aws:iam::123456789012:instance-profile/nodes" },
      MetadataOptions: { State: "applied", HttpTokens: "required", HttpPutResponseHopLimit: 1 },
      Monitoring: { State: "enabled" },
    });
    const tags = Object.fromEntries(answer.Reservations![0]!.Instances![0]!.Tags!.map((t) => [t.Key, t.Value]));
    expect(tags).toMatchObject({
      origin: "template",
      both: "fleet",
      kind: "spot",
      "aws:ec2launchtemplate:version": "1",
    });
    expect(Object.keys(tags).sort()).toEqual(expect.arrayContaining(["aws:ec2:fleet-id", "aws:ec2launchtemplate:id"]));
    expect(region.ec2.userDataOf(spotIds[0]!)).toBe("#!/bin/sh\necho 'Grüße & <tags>'\n");
  });

  it.each<[string, Filter[], "spot" | "onDemand" | "all" | "none"]>([
    ["tag:kind", [{ Name: "tag:kind", Values: ["spot"] }], "spot"],
    ["tag with a wildcard", [{ Name: "tag:kind", Values: ["s?o*"] }], "spot"],
    ["tag with escaped wildcards", [{ Name: "tag:odd", Values: ["a\\*b\\?c\\\\d"] }], "all"],
    ["tag values are case-sensitive", [{ Name: "tag:kind", Values: ["SPOT"] }], "none"],
    ["tag-key", [{ Name: "tag-key", Values: ["kind"] }], "all"],
    ["instance-lifecycle", [{ Name: "instance-lifecycle", Values: ["spot"] }], "spot"],
    ["availability-zone", [{ Name: "availability-zone", Values: ["us-east-1b", "us-east-1c"] }], "onDemand"],
    ["subnet-id", [{ Name: "subnet-id", Values: [subnets.a] }], "spot"],
    ["instance-type", [{ Name: "instance-type", Values: ["m5.*"] }], "all"],
    ["instance-state-name", [{ Name: "instance-state-name", Values: ["pending", "running"] }], "all"],
    ["another state", [{ Name: "instance-state-name", Values: ["terminated"] }], "none"],
    ["instance.group-id", [{ Name: "instance.group-id", Values: [groups.nodes] }], "all"],
    [
      "filters are AND'd",
      [
        { Name: "tag:kind", Values: ["spot"] },
        { Name: "availability-zone", Values: ["us-east-1b"] },
      ],
      "none",
    ],
    ["vpc-id of no instance", [{ Name: "vpc-id", Values: ["vpc-0"] }], "none"],
  ])("filters by %s", async (_title, filters, expected) => {
    const sets = { spot: spotIds, onDemand: onDemandIds, all: [...spotIds, ...onDemandIds], none: [] };
    expect((await find(...filters)).sort()).toEqual([...sets[expected]].sort());
  });

  it("gives pages that neither repeat nor leave out", async () => {
    const seen: string[] = [];
    let pages = 0;
    for await (const page of paginateDescribeInstances({ client: region.client, pageSize: 5 }, {})) {
      pages++;
      seen.push(...page.Reservations!.flatMap((r) => r.Instances!.map((i) => i.InstanceId!)));
    }
    expect(pages).toBe(2);
    expect(seen).toEqual([...spotIds, ...onDemandIds]);
  });

  it.each<[string, object, string]>([
    ["an unknown id", { InstanceIds: ["i-0123456789abcdef0"] }, "InvalidInstanceID.NotFound"],
    ["an id that is none", { InstanceIds: ["node-1"] }, "InvalidInstanceID.Malformed"],
    ["an unknown filter", { Filters: [{ Name: "colour", Values: ["red"] }] }, "InvalidParameterValue"],
    ["a filter without values", { Filters: [{ Name: "instance-id", Values: [] }] }, "InvalidParameterValue"],
    ["a page that is too small", { MaxResults: 4 }, "InvalidParameterValue"],
    ["a page and ids together", { MaxResults: 5, InstanceIds: ["i-0123456789abcdef0"] }, "InvalidParameterCombination"],
    ["a token that is none", { NextToken: "what" }, "InvalidNextToken"],
    ["a dry run", { DryRun: true }, "DryRunOperation"],
  ])("refuses %s", async (_title, input, code) => {
    await expect(region.client.send(new DescribeInstancesCommand(input))).rejects.toMatchObject({ name: code });
  });
});

describe("launch templates", () => {
  const name = "versioned";

  it("are made once a name, keep versions, and are described and deleted", async () => {
    const create = new CreateLaunchTemplateCommand({
      LaunchTemplateName: name,
      ClientToken: "template-1",
      LaunchTemplateData: { ImageId: images.x86, SecurityGroupIds: [groups.nodes] },
      TagSpecifications: [{ ResourceType: "launch-template", Tags: [{ Key: "owner", Value: "demo" }] }],
    });
    const { LaunchTemplate: made } = await region.client.send(create);
    expect((await region.client.send(create)).LaunchTemplate).toEqual(made);
    await expect(
      region.client.send(
        new CreateLaunchTemplateCommand({ LaunchTemplateName: name, LaunchTemplateData: { ImageId: images.x86 } }),
      ),
    ).rejects.toMatchObject({ name: "InvalidLaunchTemplateName.AlreadyExistsException" });

    await region.client.send(
      new CreateLaunchTemplateVersionCommand({
        LaunchTemplateName: name,
        SourceVersion: "1",
        LaunchTemplateData: { ImageId: images.arm },
      }),
    );
    const described = await region.client.send(
      new DescribeLaunchTemplatesCommand({ Filters: [{ Name: "tag:owner", Values: ["demo"] }] }),
    );
    expect(described.LaunchTemplates).toEqual([{ ...made, LatestVersionNumber: 2 }]);
    const versions = await region.client.send(
      new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId: made!.LaunchTemplateId!, Versions: ["$Latest"] }),
    );
    expect(versions.LaunchTemplateVersions).toMatchObject([
      {
        VersionNumber: 2,
        DefaultVersion: false,
        LaunchTemplateData: { ImageId: images.arm, SecurityGroupIds: [groups.nodes] },
      },
    ]);

    await region.client.send(new DeleteLaunchTemplateCommand({ LaunchTemplateName: name }));
    await expect(
      region.client.send(new DescribeLaunchTemplatesCommand({ LaunchTemplateNames: [name] })),
    ).rejects.toMatchObject({ name: "InvalidLaunchTemplateName.NotFoundException" });
  });

  it.each([
    [
      "a name with spaces",
      { LaunchTemplateName: "a name", LaunchTemplateData: { ImageId: images.x86 } },
      "InvalidLaunchTemplateName.MalformedException",
    ],
    [
      "user data that isn't base64",
      { LaunchTemplateName: "bad-1", LaunchTemplateData: { UserData: "#!/bin/sh" } },
      "InvalidUserData.Malformed",
    ],
    [
      "user data over 16 KiB",
      { LaunchTemplateName: "bad-2", LaunchTemplateData: { UserData: Buffer.alloc(16_385).toString("base64") } },
      "InvalidUserData.Malformed",
    ],
  ])("refuse %s", async (_title, input, code) => {
    await expect(region.client.send(new CreateLaunchTemplateCommand(input))).rejects.toMatchObject({ name: code });
  });
});

describe("tags", () => {
  it("are put, read and deleted, all or nothing", async () => {
    const [first, second] = onDemandIds;
    await region.client.send(
      new CreateTagsCommand({ Resources: [first!, second!], Tags: [{ Key: "team", Value: "blue" }] }),
    );
    await expect(
      region.client.send(
        new CreateTagsCommand({ Resources: [first!, "i-0123456789abcdef0"], Tags: [{ Key: "team", Value: "red" }] }),
      ),
    ).rejects.toMatchObject({ name: "InvalidInstanceID.NotFound" });
    await expect(
      region.client.send(new CreateTagsCommand({ Resources: [first!], Tags: [{ Key: "aws:team", Value: "red" }] })),
    ).rejects.toMatchObject({ name: "InvalidParameterValue" });
    const team = {
      Filters: [
        { Name: "key", Values: ["team"] },
        { Name: "resource-type", Values: ["instance"] },
      ],
    };
    expect((await region.client.send(new DescribeTagsCommand(team))).Tags).toEqual(
      [first!, second!]
        .sort()
        .map((ResourceId) => ({ ResourceId, ResourceType: "instance", Key: "team", Value: "blue" })),
    );
    await region.client.send(new DeleteTagsCommand({ Resources: [first!], Tags: [{ Key: "team", Value: "green" }] }));
    await region.client.send(new DeleteTagsCommand({ Resources: [second!], Tags: [{ Key: "team" }] }));
    expect((await region.client.send(new DescribeTagsCommand(team))).Tags).toHaveLength(1);
  });

  it("are described in pages", async () => {
    const keys: string[] = [];
    for await (const page of paginateDescribeTags(
      { client: region.client, pageSize: 5 },
      {
        Filters: [{ Name: "resource-id", Values: [spotIds[0]!] }],
      },
    )) {
      keys.push(...page.Tags!.map((t) => t.Key!));
    }
    expect(keys).toEqual([
      "aws:ec2:fleet-id",
      "aws:ec2launchtemplate:id",
      "aws:ec2launchtemplate:version",
      "both",
      "kind",
      "odd",
      "origin",
    ]);
  });
});

describe("TerminateInstances", () => {
  const terminate = (ids: string[]) => region.client.send(new TerminateInstancesCommand({ InstanceIds: ids }));

  it("ends all or none", async () => {
    await expect(terminate([onDemandIds[0]!, "i-0123456789abcdef0"])).rejects.toMatchObject({
      name: "InvalidInstanceID.NotFound",
      message: expect.stringContaining("i-0123456789abcdef0"),
    });
    const { TerminatingInstances: ended } = await terminate([onDemandIds[0]!]);
    expect(ended).toMatchObject([
      { InstanceId: onDemandIds[0], PreviousState: { Name: "pending" }, CurrentState: { Name: "shutting-down" } },
    ]);
    const again = await terminate([onDemandIds[0]!]);
    expect(again.TerminatingInstances).toMatchObject([
      { PreviousState: { Name: "shutting-down" }, CurrentState: { Name: "shutting-down" } },
    ]);
  });
});
