// From the sealed request to the SDK's input. Pure and in a fixed order: the same request gives the same bytes.

import type {
  CreateFleetCommandInput,
  CreateLaunchTemplateCommandInput,
  FleetLaunchTemplateOverridesRequest,
  LaunchTemplateBlockDeviceMappingRequest,
  RequestLaunchTemplateData,
  SpotAllocationStrategy,
  Tag,
  TagSpecification,
  VolumeType,
} from "@aws-sdk/client-ec2";
import type { BlockDevice, FleetRequest, LaunchTemplate } from "../../core/model/index.ts";
import { OperationError } from "../../ports/index.ts";

/** Sorted by key: a sealed request that was stored and read again may have its keys in another order. */
export function toTags(tags: Readonly<Record<string, string>>): Tag[] {
  return Object.entries(tags)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([Key, Value]) => ({ Key, Value }));
}

function tagAll(types: readonly NonNullable<TagSpecification["ResourceType"]>[], tags: Tag[]): TagSpecification[] {
  return tags.length === 0 ? [] : types.map((ResourceType) => ({ ResourceType, Tags: tags }));
}

/** A template's name is a hash of its content, so it has one version; one that somebody adds is nothing that was sealed. */
const templateVersion = "1";

/**
 * The instant fleet of a sealed request: all on demand or all spot. A reservation is used through on-demand launches, a
 * capacity block by launches of its own kind.
 */
export function toFleetInput(request: FleetRequest): CreateFleetCommandInput {
  const spot = request.capacityType === "spot";
  const block = request.templates.some(({ marketType }) => marketType === "capacity-block");
  return {
    Type: "instant",
    ClientToken: request.clientToken,
    LaunchTemplateConfigs: request.templates.map((template) => ({
      LaunchTemplateSpecification: { LaunchTemplateName: template.name, Version: templateVersion },
      Overrides: request.overrides.filter((o) => o.template === template.name).map(toOverride),
    })),
    TargetCapacitySpecification: {
      TotalTargetCapacity: request.count,
      DefaultTargetCapacityType: spot ? "spot" : block ? "capacity-block" : "on-demand",
    },
    ...(spot
      ? { SpotOptions: { AllocationStrategy: spotStrategyOf(request) } }
      : {
          OnDemandOptions: {
            AllocationStrategy: request.allocationStrategy === "prioritized" ? "prioritized" : "lowest-price",
          },
        }),
    TagSpecifications: tagAll(["instance", "volume", "fleet"], toTags(request.tags)),
  };
}

function spotStrategyOf({ allocationStrategy }: FleetRequest): SpotAllocationStrategy {
  if (allocationStrategy !== "prioritized") return allocationStrategy;
  throw new TypeError("spot capacity has no strategy `prioritized`");
}

function toOverride(override: FleetRequest["overrides"][number]): FleetLaunchTemplateOverridesRequest {
  return {
    InstanceType: override.instanceType as NonNullable<FleetLaunchTemplateOverridesRequest["InstanceType"]>,
    SubnetId: override.subnetId,
    AvailabilityZone: override.zone,
    ImageId: override.imageId,
    ...(override.priority === undefined ? {} : { Priority: override.priority }),
  };
}

/** A template needs no token: its name is taken once, and making it again is answered that it exists. */
export function toTemplateInput(template: LaunchTemplate): CreateLaunchTemplateCommandInput {
  const tags = toTags(template.tags);
  return {
    LaunchTemplateName: template.name,
    LaunchTemplateData: toTemplateContent(template, tags),
    TagSpecifications: tagAll(["launch-template"], tags),
  };
}

function toTemplateContent(template: LaunchTemplate, tags: Tag[]): RequestLaunchTemplateData {
  const { associatePublicIpAddress: publicIp, capacityReservationId: reservation, securityGroupIds } = template;
  const metadata = template.metadataOptions;
  return {
    ImageId: template.imageId,
    UserData: Buffer.from(template.userData).toString("base64"),
    // EC2 wants the groups on the interface when the template says anything about the interface.
    ...(publicIp === undefined
      ? { SecurityGroupIds: [...securityGroupIds] }
      : { NetworkInterfaces: [{ DeviceIndex: 0, AssociatePublicIpAddress: publicIp, Groups: [...securityGroupIds] }] }),
    ...(template.instanceProfile === undefined ? {} : { IamInstanceProfile: { Name: template.instanceProfile } }),
    ...(template.blockDevices.length === 0 ? {} : { BlockDeviceMappings: template.blockDevices.map(toBlockDevice) }),
    MetadataOptions: {
      HttpEndpoint: metadata.httpEndpoint,
      HttpProtocolIpv6: metadata.httpProtocolIPv6,
      HttpPutResponseHopLimit: metadata.httpPutResponseHopLimit,
      HttpTokens: metadata.httpTokens,
    },
    Monitoring: { Enabled: template.detailedMonitoring },
    ...(reservation === undefined
      ? {}
      : {
          CapacityReservationSpecification: {
            CapacityReservationPreference: "capacity-reservations-only",
            CapacityReservationTarget: { CapacityReservationId: reservation },
          },
        }),
    ...(template.marketType === undefined ? {} : { InstanceMarketOptions: { MarketType: template.marketType } }),
    TagSpecifications: tagAll(["instance", "volume", "network-interface"], tags),
  };
}

function toBlockDevice(device: BlockDevice): LaunchTemplateBlockDeviceMappingRequest {
  const { deviceName, rootVolume: _root, volumeSizeGiB, kmsKeyId, snapshotId, ...rest } = device;
  if (deviceName === undefined) {
    throw new OperationError("a block device of a launch template needs a deviceName, such as /dev/xvda", {
      retry: "never",
      code: "bad-request",
    });
  }
  return {
    DeviceName: deviceName,
    Ebs: defined({
      VolumeSize: volumeSizeGiB,
      VolumeType: rest.volumeType as VolumeType | undefined,
      Iops: rest.iops,
      Throughput: rest.throughput,
      Encrypted: rest.encrypted,
      KmsKeyId: kmsKeyId,
      SnapshotId: snapshotId,
      DeleteOnTermination: rest.deleteOnTermination,
      VolumeInitializationRate: rest.volumeInitializationRate,
    }),
  };
}

function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
