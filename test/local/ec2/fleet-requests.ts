// CreateFleet requests of the fleet tests, and what their answers come to.
import {
  type CreateFleetCommandInput,
  type CreateFleetCommandOutput,
  CreateLaunchTemplateCommand,
  type FleetLaunchTemplateOverridesRequest,
} from "@aws-sdk/client-ec2";
import { groups, images, openRegion, type Region, subnets } from "./small-region.ts";

/** A region with one instance profile, and the template "demo" that `fleet` launches from. */
export async function openFleetRegion(): Promise<Region> {
  const region = await openRegion({ settings: { instanceProfiles: ["nodes"] } });
  await makeTemplateIn(region, "demo", { SecurityGroupIds: [groups.nodes] });
  return region;
}

export async function makeTemplateIn(region: Region, name: string, content: object): Promise<void> {
  await region.client.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: name,
      LaunchTemplateData: { ImageId: images.x86, ...content },
    }),
  );
}

export type Override = FleetLaunchTemplateOverridesRequest;
export const a = (InstanceType: Override["InstanceType"], more: Override = {}): Override => ({
  InstanceType,
  SubnetId: subnets.a,
  ...more,
});
export const b = (InstanceType: Override["InstanceType"], more: Override = {}): Override => ({
  InstanceType,
  SubnetId: subnets.b,
  ...more,
});

export function fleet(
  overrides: Override[],
  change: Partial<CreateFleetCommandInput> = {},
  template = "demo",
): CreateFleetCommandInput {
  return {
    Type: "instant",
    LaunchTemplateConfigs: [
      { LaunchTemplateSpecification: { LaunchTemplateName: template, Version: "$Latest" }, Overrides: overrides },
    ],
    TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: "on-demand" },
    ...change,
  };
}

export const onDemand = (count: number): Partial<CreateFleetCommandInput> => ({
  TargetCapacitySpecification: { TotalTargetCapacity: count, DefaultTargetCapacityType: "on-demand" },
});
export const spot = (
  count: number,
  options: CreateFleetCommandInput["SpotOptions"] = {},
): Partial<CreateFleetCommandInput> => ({
  TargetCapacitySpecification: { TotalTargetCapacity: count, DefaultTargetCapacityType: "spot" },
  SpotOptions: { AllocationStrategy: "price-capacity-optimized", ...options },
});

/** Launched as "type count", refused as "type code". */
export function outline(answer: CreateFleetCommandOutput): { launched: string[]; refused: string[] } {
  return {
    launched: (answer.Instances ?? []).map((i) => `${i.InstanceType} ${i.InstanceIds?.length}`).sort(),
    refused: (answer.Errors ?? [])
      .map((e) => `${e.LaunchTemplateAndOverrides?.Overrides?.InstanceType} ${e.ErrorCode}`)
      .sort(),
  };
}
