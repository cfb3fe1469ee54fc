// The EC2 adapter on moto: a second opinion on request shapes, templates, filters, pages, tags and subnets. moto's fleets take
// the first override and know neither tokens nor capacity, so that those tests are left to the fleet endpoint.
import {
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeImagesCommand,
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
  type EC2Client,
  type Tag,
} from "@aws-sdk/client-ec2";
import { describe, expect, inject, it } from "vitest";
import { createEc2Client, createEc2Cloud } from "../../shared/adapters/ec2/index.ts";
import { type CloudSubject, Context, type Need } from "../contracts/cloud/subject.ts";
import { runCloudSuite } from "../contracts/cloud/suite.ts";

const lacks: readonly Need[] = [
  "tokens",
  "replay control",
  "lost answers",
  "capacity control",
  "address control",
  "quota control",
  "failure control",
  "errors for tags of unknown instances",
];
const noMoto = inject("noMoto");

function connect(): EC2Client {
  return createEc2Client({
    region: "us-east-1",
    endpoint: inject("moto"),
    credentials: { accessKeyId: "moto", secretAccessKey: "moto" },
    attemptTimeoutMs: 90_000,
  });
}

async function makeSubject(): Promise<CloudSubject> {
  const client = connect();
  const discovery: Tag[] = [{ Key: "karpenter.sh/discovery", Value: "demo" }];
  const { Vpc } = await client.send(new CreateVpcCommand({ CidrBlock: "10.0.0.0/16" }));
  const subnet = async (zone: string, index: number, tags: Tag[]): Promise<string> => {
    const { Subnet } = await client.send(
      new CreateSubnetCommand({
        VpcId: Vpc!.VpcId!,
        CidrBlock: `10.0.${index * 4}.0/22`,
        AvailabilityZone: `us-east-1${zone}`,
        TagSpecifications: tags.length === 0 ? [] : [{ ResourceType: "subnet", Tags: tags }],
      }),
    );
    return Subnet!.SubnetId!;
  };
  const subnets = {
    a: await subnet("a", 0, discovery),
    b: await subnet("b", 1, discovery),
    c: await subnet("c", 2, []),
  };
  const { GroupId } = await client.send(
    new CreateSecurityGroupCommand({
      GroupName: "demo-nodes",
      Description: "nodes of the demo",
      VpcId: Vpc!.VpcId!,
      TagSpecifications: [{ ResourceType: "security-group", Tags: discovery }],
    }),
  );
  const { Images } = await client.send(
    new DescribeImagesCommand({ Filters: [{ Name: "architecture", Values: ["x86_64"] }], Owners: ["amazon"] }),
  );
  const image = Images!.find((i) => i.Platform === undefined)!;
  return {
    cloud: createEc2Cloud({ client, clock: { now: () => Date.parse("2026-01-01T00:00:00Z") } }),
    subnets,
    securityGroup: GroupId!,
    image: { id: image.ImageId!, name: image.Name! },
    async close() {
      client.destroy();
    },
  };
}

if (noMoto === "") {
  runCloudSuite("EC2 adapter on moto", makeSubject, { lacks });

  describe("moto", () => {
    it("keeps of a template what the adapter sent", async () => {
      const subject = await makeSubject();
      const client = connect();
      const request = new Context(() => subject, lacks).fresh();
      await subject.cloud.launch({
        ...request,
        templates: [{ ...request.templates[0]!, name: "kept" }],
        overrides: [{ ...request.overrides[0]!, template: "kept" }],
      });
      const { LaunchTemplates } = await client.send(
        new DescribeLaunchTemplatesCommand({ LaunchTemplateNames: ["kept"] }),
      );
      expect(LaunchTemplates![0]!.Tags).toEqual([{ Key: "from-template", Value: "yes" }]);
      const { LaunchTemplateVersions } = await client.send(
        new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName: "kept", Versions: ["$Latest"] }),
      );
      expect(LaunchTemplateVersions![0]!.LaunchTemplateData).toMatchObject({
        ImageId: subject.image.id,
        UserData: Buffer.from("#!/bin/sh\necho hello\n").toString("base64"),
        SecurityGroupIds: [subject.securityGroup],
        BlockDeviceMappings: [{ DeviceName: "/dev/xvda", Ebs: { VolumeSize: 20, VolumeType: "gp3", Encrypted: true } }],
        MetadataOptions: { HttpTokens: "required", HttpPutResponseHopLimit: 1 },
      });
      await subject.close();
      client.destroy();
    });
  });
} else {
  describe.skip(`EC2 adapter on moto (skipped: ${noMoto})`, () => {
    it("needs moto", () => {});
  });
}
