// What the region describes, and the wire itself where the SDK would hide it.
import {
  DescribeAvailabilityZonesCommand,
  DescribeImagesCommand,
  DescribeInstanceTypesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  paginateDescribeInstanceTypeOfferings,
  paginateDescribeInstanceTypes,
  paginateDescribeSpotPriceHistory,
} from "@aws-sdk/client-ec2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDefaultCatalog } from "../../../shared/adapters/catalog/index.ts";
import { catalog, groups, images, openRegion, type Region, start, subnets } from "./small-region.ts";

let region: Region;

beforeAll(async () => {
  region = await openRegion();
});
afterAll(() => region.close());

describe("the region", () => {
  it("describes subnets groups, zones and images", async () => {
    const found = await region.client.send(
      new DescribeSubnetsCommand({ Filters: [{ Name: "tag:karpenter.sh/discovery", Values: ["demo"] }] }),
    );
    expect(
      found.Subnets!.map((s) => [s.SubnetId, s.AvailabilityZone, s.AvailabilityZoneId, s.AvailableIpAddressCount]),
    ).toEqual([
      [subnets.a, "us-east-1a", "use1-az1", 251],
      [subnets.b, "us-east-1b", "use1-az2", 251],
    ]);
    const sg = await region.client.send(
      new DescribeSecurityGroupsCommand({ Filters: [{ Name: "group-name", Values: ["demo-n*"] }] }),
    );
    expect(sg.SecurityGroups!.map((g) => g.GroupId)).toEqual([groups.nodes]);
    const zones = await region.client.send(new DescribeAvailabilityZonesCommand({}));
    expect(zones.AvailabilityZones!.map((z) => `${z.ZoneName}=${z.ZoneId}`)).toEqual([
      "us-east-1a=use1-az1",
      "us-east-1b=use1-az2",
      "us-east-1c=use1-az4",
    ]);
    const arm = await region.client.send(
      new DescribeImagesCommand({ Owners: ["amazon"], Filters: [{ Name: "architecture", Values: ["arm64"] }] }),
    );
    expect(arm.Images!.map((i) => i.ImageId)).toEqual([images.arm]);
    expect((await region.client.send(new DescribeImagesCommand({ Owners: ["self"] }))).Images).toEqual([]);
    await expect(region.client.send(new DescribeSubnetsCommand({ SubnetIds: ["subnet-0f"] }))).rejects.toMatchObject({
      name: "InvalidSubnetID.NotFound",
    });
    await expect(region.client.send(new DescribeImagesCommand({ ImageIds: ["ami-0f"] }))).rejects.toMatchObject({
      name: "InvalidAMIID.NotFound",
    });
    await expect(region.client.send(new DescribeSecurityGroupsCommand({ GroupIds: ["sg-0f"] }))).rejects.toMatchObject({
      name: "InvalidGroup.NotFound",
    });
  });

  it("describes instance types as the catalog has them, in pages", async () => {
    const types = [];
    for await (const page of paginateDescribeInstanceTypes({ client: region.client, pageSize: 5 }, {}))
      types.push(...page.InstanceTypes!);
    expect(types).toEqual(catalog.instanceTypes);
    await expect(
      region.client.send(new DescribeInstanceTypesCommand({ InstanceTypes: ["m5.large", "z9.huge" as never] })),
    ).rejects.toMatchObject({ name: "InvalidInstanceType" });
  });

  it("describes offerings by zone, in pages", async () => {
    const offered: string[] = [];
    for await (const page of paginateDescribeInstanceTypeOfferings(
      { client: region.client, pageSize: 5 },
      { LocationType: "availability-zone-id" },
    )) {
      offered.push(...page.InstanceTypeOfferings!.map((o) => `${o.InstanceType} ${o.Location}`));
    }
    expect(offered).toHaveLength(4 * 3 + 1 + 2);
    expect(offered.filter((o) => o.startsWith("m6g"))).toEqual(["m6g.large use1-az1", "m6g.large use1-az2"]);
  });

  it("describes spot prices, newest first, in pages, from the price that held at the start", async () => {
    region.clock.advance(3_600_000);
    region.ec2.setSpotPrice("r5.large", "us-east-1a", 0.061);
    const history = async (from: number): Promise<string[]> => {
      const points: string[] = [];
      const input = {
        InstanceTypes: ["r5.large" as const],
        AvailabilityZone: "us-east-1a",
        ProductDescriptions: ["Linux/UNIX"],
        StartTime: new Date(from),
      };
      for await (const page of paginateDescribeSpotPriceHistory({ client: region.client, pageSize: 1 }, input)) {
        points.push(...page.SpotPriceHistory!.map((p) => p.SpotPrice!));
      }
      return points;
    };
    expect(await history(start)).toEqual(["0.061000", "0.050000"]);
    expect(await history(region.clock.now())).toEqual(["0.061000"]);
  });
});

describe("the shipped catalog", () => {
  it("is described type for type as it stands there", async () => {
    const shipped = readDefaultCatalog();
    const full = await openRegion({ catalog: shipped, network: { subnets: [], securityGroups: [] } });
    const described: object[] = [];
    for await (const page of paginateDescribeInstanceTypes({ client: full.client }, {})) {
      described.push(...page.InstanceTypes!);
    }
    await full.close();
    expect(described).toHaveLength(shipped.instanceTypes.length);
    const byName = new Map(shipped.instanceTypes.map((type) => [type.InstanceType, type]));
    for (const type of described as { InstanceType: string }[]) expect(type).toEqual(byName.get(type.InstanceType));
  });
});

describe("the wire", () => {
  const post = async (body: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(region.endpoint, { method: "POST", body });
    return { status: response.status, text: await response.text() };
  };

  it("answers an action it doesn't have as EC2 does", async () => {
    await expect(region.client.send(new DescribeVpcsCommand({}))).rejects.toMatchObject({
      name: "InvalidAction",
      $metadata: { httpStatusCode: 400, requestId: expect.stringMatching(/^req-/) },
    });
    const { status, text } = await post("Action=Nonsense&Version=2016-11-15");
    expect(status).toBe(400);
    expect(text).toContain("<Code>InvalidAction</Code>");
  });

  it.each([
    ["no action", "Version=2016-11-15", "MissingAction"],
    ["an unknown parameter", "Action=DescribeInstances&Colour=red", "UnknownParameter"],
    ["an unknown parameter inside", "Action=DescribeInstances&Filter.1.Nmae=x", "UnknownParameter"],
    ["a list index that is none", "Action=DescribeInstances&Filter.x.Name=y", "UnknownParameter"],
    ["a missing parameter", "Action=CreateFleet&Type=instant", "MissingParameter"],
    ["text for a number", "Action=DescribeInstances&MaxResults=many", "InvalidParameterValue"],
    ["text for a boolean", "Action=DescribeInstances&DryRun=perhaps", "InvalidParameterValue"],
    ["an empty part", "Action=DescribeInstances&Filter..Name=x", "MalformedQueryString"],
  ])("refuses %s", async (_title, body, code) => {
    const { status, text } = await post(body);
    expect(status).toBe(400);
    expect(text).toContain(`<Code>${code}</Code>`);
  });

  it("answers what curl would send", async () => {
    const { status, text } = await post(
      "Action=DescribeAvailabilityZones&Version=2016-11-15&ZoneName.2=us-east-1b&ZoneName.1=us-east-1a",
    );
    expect(status).toBe(200);
    expect(text).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<DescribeAvailabilityZonesResponse xmlns="http:\/\/ec2.amazonaws.com\/doc\/2016-11-15\/"><requestId>req-/,
    );
    expect(text.match(/<zoneName>/g)).toHaveLength(2);
  });
});
