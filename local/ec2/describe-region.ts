// What the region and the account have: zones, subnets, security groups and images.
import type {
  DescribeAvailabilityZonesRequest,
  DescribeAvailabilityZonesResult,
  DescribeImagesRequest,
  DescribeImagesResult,
  DescribeSecurityGroupsRequest,
  DescribeSecurityGroupsResult,
  DescribeSubnetsRequest,
  DescribeSubnetsResult,
  Image,
} from "@aws-sdk/client-ec2";
import { endDryRun } from "./client-tokens.ts";
import { Ec2Error } from "./ec2-error.ts";
import { applyFilters, type FilterTable } from "./filters.ts";
import { findSubnet, type SecurityGroup, type Subnet } from "./network.ts";
import { cutPage } from "./paging.ts";
import { tagList } from "./tags.ts";
import type { World } from "./world.ts";

const bounds = { least: 5, most: 1000, byDefault: 1000 };

const subnetFilters: FilterTable<Subnet> = {
  "subnet-id": (s) => [s.id],
  "vpc-id": (s) => [s.vpcId],
  "availability-zone": (s) => [s.zone],
  availabilityZone: (s) => [s.zone],
  "availability-zone-id": (s) => [s.zoneId],
  "cidr-block": (s) => [s.cidr],
  "default-for-az": (s) => [String(s.defaultForZone)],
  "available-ip-address-count": (s) => [String(s.freeAddresses)],
  state: () => ["available"],
};

export function describeSubnets(world: World, input: DescribeSubnetsRequest): DescribeSubnetsResult {
  endDryRun(input.DryRun);
  const named = input.SubnetIds?.length
    ? input.SubnetIds.map((id) => findSubnet(world.network, id))
    : [...world.network.subnets.values()];
  const found = applyFilters(named, input.Filters, subnetFilters, (s) => world.tags.of(s.id));
  const page = cutPage(sortById(found), (s) => s.id, input, bounds);
  return {
    Subnets: page.items.map((s) => ({
      SubnetId: s.id,
      SubnetArn: `arn:aws:ec2:${world.catalog.region}:${world.accountId}:subnet/${s.id}`,
      VpcId: s.vpcId,
      OwnerId: world.accountId,
      AvailabilityZone: s.zone,
      AvailabilityZoneId: s.zoneId,
      CidrBlock: s.cidr,
      AvailableIpAddressCount: s.freeAddresses,
      MapPublicIpOnLaunch: s.mapPublicIp,
      DefaultForAz: s.defaultForZone,
      State: "available",
      Tags: tagList(world.tags.of(s.id)),
    })),
    NextToken: page.NextToken,
  };
}

const groupFilters: FilterTable<SecurityGroup> = {
  "group-id": (g) => [g.id],
  "group-name": (g) => [g.name],
  "vpc-id": (g) => [g.vpcId],
  description: (g) => [g.name],
};

export function describeSecurityGroups(
  world: World,
  input: DescribeSecurityGroupsRequest,
): DescribeSecurityGroupsResult {
  endDryRun(input.DryRun);
  const all = [...world.network.groups.values()];
  const unknown = input.GroupIds?.find((id) => !world.network.groups.has(id));
  if (unknown !== undefined) {
    throw new Ec2Error("InvalidGroup.NotFound", `The security group '${unknown}' does not exist`);
  }
  const named = all.filter(
    (g) =>
      (!input.GroupIds?.length || input.GroupIds.includes(g.id)) &&
      (!input.GroupNames?.length || input.GroupNames.includes(g.name)),
  );
  const found = applyFilters(named, input.Filters, groupFilters, (g) => world.tags.of(g.id));
  const page = cutPage(sortById(found), (g) => g.id, input, bounds);
  return {
    SecurityGroups: page.items.map((g) => ({
      GroupId: g.id,
      GroupName: g.name,
      Description: g.name,
      VpcId: g.vpcId,
      OwnerId: world.accountId,
      IpPermissions: [],
      IpPermissionsEgress: [],
      Tags: tagList(world.tags.of(g.id)),
    })),
    NextToken: page.NextToken,
  };
}

function sortById<T extends { readonly id: string }>(items: readonly T[]): readonly T[] {
  return [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
}

interface Zone {
  readonly name: string;
  readonly id: string;
}

export function describeAvailabilityZones(
  world: World,
  input: DescribeAvailabilityZonesRequest,
): DescribeAvailabilityZonesResult {
  endDryRun(input.DryRun);
  const unknown = input.ZoneNames?.find((name) => !world.catalog.zones.some((z) => z.name === name));
  if (unknown !== undefined) throw new Ec2Error("InvalidParameterValue", `Invalid availability zone: [${unknown}]`);
  const named = world.catalog.zones.filter(
    (z) =>
      (!input.ZoneNames?.length || input.ZoneNames.includes(z.name)) &&
      (!input.ZoneIds?.length || input.ZoneIds.includes(z.id)),
  );
  const zones = applyFilters<Zone>(named, input.Filters, {
    "zone-name": (z) => [z.name],
    "zone-id": (z) => [z.id],
    "zone-type": () => ["availability-zone"],
    "region-name": () => [world.catalog.region],
    "opt-in-status": () => ["opt-in-not-required"],
    state: () => ["available"],
  });
  return {
    AvailabilityZones: zones.map((z) => ({
      ZoneName: z.name,
      ZoneId: z.id,
      RegionName: world.catalog.region,
      GroupName: world.catalog.region,
      NetworkBorderGroup: world.catalog.region,
      ZoneType: "availability-zone",
      OptInStatus: "opt-in-not-required",
      State: "available",
      Messages: [],
    })),
  };
}

const imageFilters: FilterTable<Image> = {
  "image-id": (i) => [i.ImageId],
  name: (i) => [i.Name],
  "owner-id": (i) => [i.OwnerId],
  "owner-alias": (i) => [i.ImageOwnerAlias],
  architecture: (i) => [i.Architecture],
  state: (i) => [i.State],
  "is-public": (i) => [String(i.Public ?? false)],
  "root-device-type": (i) => [i.RootDeviceType],
  "virtualization-type": (i) => [i.VirtualizationType],
};

/** Deprecated images are left out unless they are named or asked for. */
export function describeImages(world: World, input: DescribeImagesRequest): DescribeImagesResult {
  endDryRun(input.DryRun);
  const unknown = input.ImageIds?.find((id) => !world.images.has(id));
  if (unknown !== undefined) {
    throw new Ec2Error("InvalidAMIID.NotFound", `The image id '[${unknown}]' does not exist`);
  }
  const now = world.clock.now();
  const named = [...world.images.values()].filter(
    (image) =>
      (!input.ImageIds?.length || input.ImageIds.includes(image.ImageId!)) &&
      (!input.Owners?.length || input.Owners.some((owner) => isOwner(world, image, owner))) &&
      (input.IncludeDeprecated === true || input.ImageIds?.length || !isDeprecated(image, now)),
  );
  const found = applyFilters(named, input.Filters, imageFilters, (i) => world.tags.of(i.ImageId!));
  const sorted = [...found].sort((a, b) => (a.ImageId! < b.ImageId! ? -1 : 1));
  const page = cutPage(sorted, (i) => i.ImageId!, input, { least: 1, most: 1000 });
  return {
    Images: page.items.map((i) => ({ ...i, Tags: tagList(world.tags.of(i.ImageId!)) })),
    NextToken: page.NextToken,
  };
}

function isOwner(world: World, image: Image, owner: string): boolean {
  return (
    owner === image.OwnerId ||
    owner === image.ImageOwnerAlias ||
    (owner === "self" && image.OwnerId === world.accountId)
  );
}

function isDeprecated(image: Image, now: number): boolean {
  return image.DeprecationTime !== undefined && Date.parse(image.DeprecationTime) <= now;
}
