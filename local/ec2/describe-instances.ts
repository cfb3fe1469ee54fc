// DescribeInstances, DescribeInstanceStatus and TerminateInstances.
import type {
  DescribeInstanceStatusRequest,
  DescribeInstanceStatusResult,
  DescribeInstancesRequest,
  DescribeInstancesResult,
  InstanceStatus,
  Instance as InstanceView,
  Reservation,
  TerminateInstancesRequest,
  TerminateInstancesResult,
} from "@aws-sdk/client-ec2";
import { endDryRun } from "./client-tokens.ts";
import { Ec2Error } from "./ec2-error.ts";
import { applyFilters, type FilterTable } from "./filters.ts";
import { endLife, findInstances, stateOf, visibleInstances } from "./instance-states.ts";
import { cutPage } from "./paging.ts";
import { tagList } from "./tags.ts";
import { type Instance, lifecycleOf, type World } from "./world.ts";

function filtersOf(world: World): FilterTable<Instance> {
  return {
    "instance-id": (i) => [i.id],
    "instance-type": (i) => [i.pool.instanceType],
    "instance-state-name": (i) => [i.state],
    "instance-state-code": (i) => [String(stateOf(i.state).Code)],
    "instance-lifecycle": (i) => [lifecycleOf(i.pool.capacityType)],
    "availability-zone": (i) => [i.pool.zone],
    "availability-zone-id": (i) => [world.network.subnets.get(i.subnetId)?.zoneId],
    "subnet-id": (i) => [i.subnetId],
    "network-interface.subnet-id": (i) => [i.subnetId],
    "vpc-id": (i) => [i.vpcId],
    "image-id": (i) => [i.imageId],
    "reservation-id": (i) => [i.reservationId],
    "spot-instance-request-id": (i) => [i.spotRequestId],
    "client-token": (i) => [i.clientToken],
    "capacity-reservation-id": (i) => [i.reservation?.id],
    architecture: (i) => [i.architecture],
    "private-ip-address": (i) => [i.address.address],
    "network-interface.addresses.private-ip-address": (i) => [i.address.address],
    "private-dns-name": (i) => [privateDnsNameOf(world, i)],
    "launch-time": (i) => [new Date(i.launchedAt).toISOString()],
    "instance.group-id": (i) => i.securityGroupIds,
    "iam-instance-profile.arn": (i) => [profileArnOf(world, i)],
    "owner-id": () => [world.accountId],
  };
}

export function describeInstances(world: World, input: DescribeInstancesRequest): DescribeInstancesResult {
  endDryRun(input.DryRun);
  if (input.InstanceIds?.length && input.MaxResults !== undefined) {
    throw new Ec2Error(
      "InvalidParameterCombination",
      "The parameter instancesSet cannot be used with the parameter maxResults",
    );
  }
  const page = cutPage(find(world, input.InstanceIds, input.Filters), keyOf, input, bounds);
  const reservations = new Map<string, Reservation>();
  for (const instance of page.items) {
    let reservation = reservations.get(instance.reservationId);
    if (reservation === undefined) {
      reservation = { ReservationId: instance.reservationId, OwnerId: world.accountId, Groups: [], Instances: [] };
      reservations.set(instance.reservationId, reservation);
    }
    reservation.Instances!.push(viewInstance(world, instance));
  }
  return { Reservations: [...reservations.values()], NextToken: page.NextToken };
}

export function describeInstanceStatus(
  world: World,
  input: DescribeInstanceStatusRequest,
): DescribeInstanceStatusResult {
  endDryRun(input.DryRun);
  const all = find(world, input.InstanceIds, input.Filters);
  const chosen = input.IncludeAllInstances === true ? all : all.filter((i) => i.state === "running");
  const page = cutPage(chosen, keyOf, input, bounds);
  return { InstanceStatuses: page.items.map((i) => viewStatus(world, i)), NextToken: page.NextToken };
}

const bounds = { least: 5, most: 1000, byDefault: 1000 };

/** The instances that are meant, in launch order, which is that of the pages. */
function find(
  world: World,
  ids: readonly string[] | undefined,
  filters: DescribeInstancesRequest["Filters"],
): readonly Instance[] {
  const named = ids?.length ? findInstances(world, [...new Set(ids)]) : visibleInstances(world);
  const found = applyFilters(named, filters, filtersOf(world), (i) => world.tags.of(i.id));
  return [...found].sort((a, b) => a.sequence - b.sequence);
}

function keyOf(instance: Instance): string {
  return String(instance.sequence).padStart(12, "0");
}

/** All or nothing: one unknown id and none is terminated. Instances that are on their way out already stay so. */
export function terminateInstances(world: World, input: TerminateInstancesRequest): TerminateInstancesResult {
  const ids = [...new Set(input.InstanceIds)];
  if (ids.length === 0) throw new Ec2Error("MissingParameter", "The request must contain the parameter InstanceId");
  if (ids.length > 1000)
    throw new Ec2Error("InvalidParameterValue", "At most 1000 instances can be terminated in one call");
  const instances = findInstances(world, ids);
  endDryRun(input.DryRun);
  return {
    TerminatingInstances: instances.map((instance) => {
      const before = stateOf(instance.state);
      endLife(world, instance, "user", world.clock.now());
      return { InstanceId: instance.id, PreviousState: before, CurrentState: stateOf(instance.state) };
    }),
  };
}

function privateDnsNameOf(world: World, { address }: Instance): string {
  const host = `ip-${address.address.replaceAll(".", "-")}`;
  return world.catalog.region === "us-east-1"
    ? `${host}.ec2.internal`
    : `${host}.${world.catalog.region}.compute.internal`;
}

function profileArnOf(world: World, { launch }: Instance): string | undefined {
  const profile = launch.IamInstanceProfile;
  if (profile === undefined) return undefined;
  return profile.Arn ?? `arn:aws:iam::${world.accountId}:instance-profile/${profile.Name}`;
}

/** A terminated instance keeps its id, type, state and tags; what it gave back is gone from the description too. */
function viewInstance(world: World, instance: Instance): InstanceView {
  const { pool, launch } = instance;
  const ended = instance.state === "terminated";
  const profile = profileArnOf(world, instance);
  const metadata = launch.MetadataOptions;
  return {
    InstanceId: instance.id,
    ImageId: instance.imageId,
    State: stateOf(instance.state),
    StateReason: instance.stateReason,
    InstanceType: pool.instanceType as NonNullable<InstanceView["InstanceType"]>,
    InstanceLifecycle: lifecycleOf(pool.capacityType),
    SpotInstanceRequestId: instance.spotRequestId,
    ...(instance.reservation === undefined ? {} : { CapacityReservationId: instance.reservation.id }),
    ClientToken: instance.clientToken,
    LaunchTime: new Date(instance.launchedAt),
    Architecture: instance.architecture as NonNullable<InstanceView["Architecture"]>,
    AmiLaunchIndex: 0,
    EbsOptimized: launch.EbsOptimized ?? false,
    Monitoring: { State: launch.Monitoring?.Enabled === true ? "enabled" : "disabled" },
    Placement: {
      AvailabilityZone: pool.zone,
      AvailabilityZoneId: world.network.subnets.get(instance.subnetId)?.zoneId,
      Tenancy: "default",
      GroupName: "",
    },
    PrivateDnsName: ended ? "" : privateDnsNameOf(world, instance),
    PublicDnsName: "",
    ...(ended
      ? {}
      : { PrivateIpAddress: instance.address.address, SubnetId: instance.subnetId, VpcId: instance.vpcId }),
    SecurityGroups: ended
      ? []
      : instance.securityGroupIds.map((id) => ({ GroupId: id, GroupName: world.network.groups.get(id)?.name })),
    ...(profile === undefined ? {} : { IamInstanceProfile: { Arn: profile } }),
    ...(launch.KeyName === undefined ? {} : { KeyName: launch.KeyName }),
    ...(metadata === undefined ? {} : { MetadataOptions: { State: "applied", ...metadata } }),
    RootDeviceType: "ebs",
    VirtualizationType: "hvm",
    Tags: tagList(world.tags.of(instance.id)),
  };
}

function viewStatus(world: World, instance: Instance): InstanceStatus {
  const healthy = instance.state === "running";
  const status = { Status: healthy ? ("ok" as const) : ("not-applicable" as const) };
  return {
    InstanceId: instance.id,
    AvailabilityZone: instance.pool.zone,
    AvailabilityZoneId: world.network.subnets.get(instance.subnetId)?.zoneId,
    InstanceState: stateOf(instance.state),
    InstanceStatus: status,
    SystemStatus: status,
    Events: [],
  };
}
