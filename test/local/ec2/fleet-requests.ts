// CreateFleet requests of the fleet tests, and what their answers come to.
import type {
  CreateFleetCommandInput,
  CreateFleetCommandOutput,
  FleetLaunchTemplateOverridesRequest,
} from "@aws-sdk/client-ec2";
import { subnets } from "./small-region.ts";

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
