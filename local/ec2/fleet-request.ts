// From a CreateFleet request to the pools it may launch from. Everything that EC2 refuses before it tries to launch is refused here.
import type {
  CreateFleetRequest,
  FleetLaunchTemplateOverridesRequest,
  RequestLaunchTemplateData,
} from "@aws-sdk/client-ec2";
import type { Candidate, Strategy } from "./allocate.ts";
import type { CapacityType } from "./catalog.ts";
import { Ec2Error } from "./ec2-error.ts";
import { reservationIdOf } from "./reservations.ts";
import { findTemplate, findVersion } from "./templates.ts";
import type { World } from "./world.ts";

/** One override in one subnet, with what its instances will be made of. */
export interface FleetOption {
  readonly index: number;
  readonly instanceType: string;
  readonly zone: string;
  readonly subnetId: string;
  readonly template: { readonly id: string; readonly version: string };
  readonly override: FleetLaunchTemplateOverridesRequest;
  readonly launch: RequestLaunchTemplateData;
}

/** One capacity type's share of the fleet. */
export interface FleetPart {
  readonly capacityType: CapacityType;
  readonly target: number;
  readonly strategy: Strategy;
  readonly poolsToUse: number;
  readonly minimum: number;
  readonly single: "type" | "zone" | undefined;
}

const spotStrategies = [
  "lowest-price",
  "diversified",
  "capacity-optimized",
  "capacity-optimized-prioritized",
  "price-capacity-optimized",
] as const;
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/fleet-quotas.html
const mostTemplates = 50;
const mostOverrides = 300;
const onDemandStrategies = ["lowest-price", "prioritized"] as const;

/** Fields whose meaning this endpoint doesn't have. Ignoring one would give a fleet that nobody asked for. */
export function refuseLeftOut(input: CreateFleetRequest): void {
  const type = input.Type ?? "maintain";
  const overrides = (input.LaunchTemplateConfigs ?? []).flatMap((config) => config.Overrides ?? []);
  const present: readonly [unknown, string][] = [
    [type === "instant" ? undefined : type, `Type ${type}`],
    [input.SpotOptions?.MaxTotalPrice, "SpotOptions.MaxTotalPrice"],
    [
      input.SpotOptions?.InstanceInterruptionBehavior === "terminate"
        ? undefined
        : input.SpotOptions?.InstanceInterruptionBehavior,
      "SpotOptions.InstanceInterruptionBehavior but terminate",
    ],
    [input.SpotOptions?.MaintenanceStrategies, "SpotOptions.MaintenanceStrategies"],
    [input.OnDemandOptions?.MaxTotalPrice, "OnDemandOptions.MaxTotalPrice"],
    [input.OnDemandOptions?.CapacityReservationOptions, "OnDemandOptions.CapacityReservationOptions"],
    [input.ReservedCapacityOptions, "ReservedCapacityOptions"],
    [overrides.find((o) => o.InstanceRequirements !== undefined), "InstanceRequirements"],
    [overrides.find((o) => o.Placement !== undefined), "placement of overrides"],
  ];
  const found = present.find(([value]) => value !== undefined);
  if (found !== undefined) {
    throw new Ec2Error(
      "UnsupportedOperation",
      `This endpoint makes instant fleets of named types only: it has no ${found[1]}`,
    );
  }
}

/** How the target is split between on-demand and spot. Throws for numbers that don't add up. */
export function readParts(input: CreateFleetRequest): readonly FleetPart[] {
  const capacity = input.TargetCapacitySpecification!;
  const total = capacity.TotalTargetCapacity ?? 0;
  if ((capacity.TargetCapacityUnitType ?? "units") !== "units") {
    throw new Ec2Error("InvalidParameterValue", "TargetCapacityUnitType must be units where instance types are named");
  }
  const byDefault = capacity.DefaultTargetCapacityType ?? "spot";
  if (byDefault !== "spot" && byDefault !== "on-demand") {
    throw new Ec2Error("InvalidParameterValue", `DefaultTargetCapacityType ${byDefault} is not one of spot, on-demand`);
  }
  let onDemand = capacity.OnDemandTargetCapacity ?? 0;
  let spot = capacity.SpotTargetCapacity ?? 0;
  const rest = total - onDemand - spot;
  if (!Number.isInteger(total) || total < 1 || total > 10_000 || rest < 0) {
    throw new Ec2Error(
      "InvalidTargetCapacitySpecification",
      `TotalTargetCapacity ${total} must be 1 to 10000 and cover the on-demand and spot targets`,
    );
  }
  if (byDefault === "spot") spot += rest;
  else onDemand += rest;
  return [readPart("on-demand", onDemand, input), readPart("spot", spot, input)].filter((part) => part.target > 0);
}

function readPart(capacityType: CapacityType, target: number, input: CreateFleetRequest): FleetPart {
  const options = capacityType === "spot" ? input.SpotOptions : input.OnDemandOptions;
  const field = capacityType === "spot" ? "SpotOptions" : "OnDemandOptions";
  const strategy = options?.AllocationStrategy ?? "lowest-price";
  const strategies: readonly string[] = capacityType === "spot" ? spotStrategies : onDemandStrategies;
  if (!strategies.includes(strategy)) {
    throw new Ec2Error(
      "InvalidParameterValue",
      `${field}.AllocationStrategy ${strategy} is not one of ${strategies.join(", ")}`,
    );
  }
  const single =
    options?.SingleInstanceType === true ? "type" : options?.SingleAvailabilityZone === true ? "zone" : undefined;
  const minimum = options?.MinTargetCapacity ?? 0;
  if (minimum > 0 && single === undefined) {
    throw new Ec2Error(
      "InvalidParameterCombination",
      `${field}.MinTargetCapacity needs SingleInstanceType or SingleAvailabilityZone`,
    );
  }
  if (minimum > target) {
    throw new Ec2Error(
      "InvalidParameterValue",
      `${field}.MinTargetCapacity ${minimum} is more than the target ${target}`,
    );
  }
  const poolsToUse = input.SpotOptions?.InstancePoolsToUseCount;
  if (capacityType === "spot" && poolsToUse !== undefined && strategy !== "lowest-price") {
    throw new Ec2Error(
      "InvalidParameterCombination",
      "InstancePoolsToUseCount goes with the lowest-price strategy only",
    );
  }
  return {
    capacityType,
    target,
    strategy: strategy as Strategy,
    poolsToUse: capacityType === "spot" ? (poolsToUse ?? 1) : 1,
    minimum,
    single,
  };
}

/** Every override as the subnets it may be launched in. Throws for templates and pools that can't be read. */
export function readOptions(world: World, input: CreateFleetRequest): readonly FleetOption[] {
  const options: FleetOption[] = [];
  const pools = new Set<string>();
  for (const config of input.LaunchTemplateConfigs ?? []) {
    const specification = config.LaunchTemplateSpecification;
    if (specification?.Version === undefined) {
      throw new Ec2Error(
        "MissingParameter",
        "Each LaunchTemplateSpecification must name a launch template and its version",
      );
    }
    const record = findTemplate(world, specification);
    const version = findVersion(record, specification.Version);
    for (const override of config.Overrides?.length ? config.Overrides : [{}]) {
      const launch = merge(version.content, override);
      const places = placesOf(world, override, launch);
      for (const place of places) {
        const index = options.length;
        const instanceType = launch.InstanceType ?? "m1.small";
        options.push({
          index,
          instanceType,
          ...place,
          template: { id: record.id, version: String(version.number) },
          override: places.length > 1 ? { ...override, SubnetId: place.subnetId } : override,
          launch,
        });
      }
      refuseDuplicates(pools, launch, places);
    }
  }
  const overrides = (input.LaunchTemplateConfigs ?? []).reduce(
    (sum, config) => sum + (config.Overrides?.length ?? 0),
    0,
  );
  if (overrides > mostOverrides || (input.LaunchTemplateConfigs ?? []).length > mostTemplates) {
    throw new Ec2Error(
      "InvalidParameterValue",
      `A fleet takes at most ${mostTemplates} templates and ${mostOverrides} overrides`,
    );
  }
  if (options.length === 0) {
    throw new Ec2Error("MissingParameter", "The request must contain the parameter LaunchTemplateConfigs");
  }
  return options;
}

/** EC2 refuses two overrides of one pool; the subnets that one override lists may share a zone. */
function refuseDuplicates(
  pools: Set<string>,
  launch: RequestLaunchTemplateData,
  places: readonly { zone: string }[],
): void {
  for (const zone of new Set(places.map((place) => place.zone))) {
    const pool = [launch.InstanceType, zone, reservationIdOf(launch) ?? ""].join("/");
    if (pools.has(pool)) {
      throw new Ec2Error("InvalidFleetConfig", `The fleet configuration contains duplicate instance pools: ${pool}`);
    }
    pools.add(pool);
  }
}

/** The template's content with the override's fields on top. */
function merge(
  content: RequestLaunchTemplateData,
  override: FleetLaunchTemplateOverridesRequest,
): RequestLaunchTemplateData {
  return {
    ...content,
    ...(override.InstanceType === undefined ? {} : { InstanceType: override.InstanceType }),
    ...(override.ImageId === undefined ? {} : { ImageId: override.ImageId }),
  };
}

function placesOf(
  world: World,
  override: FleetLaunchTemplateOverridesRequest,
  launch: RequestLaunchTemplateData,
): readonly { zone: string; subnetId: string }[] {
  const zone = override.AvailabilityZone ?? world.catalog.zones.find((z) => z.id === override.AvailabilityZoneId)?.name;
  const subnets = override.SubnetId ?? launch.NetworkInterfaces?.[0]?.SubnetId;
  if (subnets !== undefined) {
    return subnets.split(",").map((text) => {
      const id = text.trim();
      const subnet = world.network.subnets.get(id);
      if (subnet !== undefined && zone !== undefined && subnet.zone !== zone) {
        throw new Ec2Error("InvalidParameterCombination", `The subnet ${id} is not in the Availability Zone ${zone}`);
      }
      return { zone: subnet?.zone ?? zone ?? "", subnetId: id };
    });
  }
  const defaults = [...world.network.subnets.values()].filter(
    (s) => s.defaultForZone && (zone === undefined || s.zone === zone),
  );
  if (defaults.length === 0) {
    throw new Ec2Error("MissingInput", `No subnet was named and there is no default subnet in ${zone ?? "any zone"}`);
  }
  return defaults.map((s) => ({ zone: s.zone, subnetId: s.id }));
}

/** The options as the allocation sees them. */
export function candidatesOf(
  world: World,
  options: readonly FleetOption[],
  capacityType: CapacityType,
): readonly Candidate[] {
  return options.map((option) => {
    const pool = { instanceType: option.instanceType, zone: option.zone, capacityType };
    const { Priority, WeightedCapacity } = option.override;
    return {
      index: option.index,
      pool,
      subnetId: option.subnetId,
      weight: WeightedCapacity ?? 1,
      priceUsd: world.catalog.priceOf(pool) ?? Number.MAX_SAFE_INTEGER,
      ...(Priority === undefined ? {} : { priority: Priority }),
    };
  });
}
