// What a fleet can get at this moment: for each override the tightest of configuration, offering, quota, addresses and capacity.
// Taking from a supply changes only the supply: the world changes when the launches are carried out.
import type { RequestLaunchTemplateData } from "@aws-sdk/client-ec2";
import type { Candidate, Supply } from "./allocate.ts";
import type { Refusal } from "./capacity.ts";
import type { FleetOption } from "./fleet-request.ts";
import { quotaKeyOf, vcpusOf } from "./instance-states.ts";
import { quotaErrorOf, quotaGroupOf } from "./quotas.ts";
import { reservationIdOf } from "./reservations.ts";
import type { World } from "./world.ts";

/** A view over the world in which several allocations may be tried. */
export function createSupply(world: World, options: readonly FleetOption[]): Supply {
  const taken = new Map<string, number>();
  const takenOf = (key: string): number => taken.get(key) ?? 0;
  const faults = new Map<number, Refusal | undefined>();
  const faultOf = (candidate: Candidate): Refusal | undefined => {
    if (!faults.has(candidate.index)) faults.set(candidate.index, findFault(world, options[candidate.index]!));
    return faults.get(candidate.index);
  };
  const reservationOf = (c: Candidate): string | undefined => reservationIdOf(options[c.index]!.launch);
  const keysOf = (c: Candidate): { pool: string; subnet: string; quota: string } => ({
    pool: reservationOf(c) ?? `pool/${c.pool.instanceType}/${c.pool.zone}/${c.pool.capacityType}`,
    subnet: `subnet/${c.subnetId}`,
    quota: `quota/${quotaKeyOf(c.pool)}`,
  });
  const freeOf = (c: Candidate): number => {
    if (world.capacity.refusal(c.pool) !== undefined) return 0;
    const reservation = world.reservations.get(reservationOf(c) ?? "");
    const free = reservation === undefined ? world.capacity.free(c.pool) : reservation.total - reservation.used;
    return free - takenOf(keysOf(c).pool);
  };

  return {
    free: freeOf,
    most(candidate, wanted) {
      const fault =
        faultOf(candidate) ??
        spotFault(candidate, reservationOf(candidate)) ??
        world.capacity.refusal(candidate.pool) ??
        tooCheap(world, options, candidate);
      if (fault !== undefined) return { count: 0, refusal: fault };
      const { subnet, quota } = keysOf(candidate);
      const bounds: readonly [number, () => Refusal][] = [
        [quotaLeft(world, candidate, takenOf(quota)), () => quotaRefusal(candidate)],
        [
          world.network.subnets.get(candidate.subnetId)!.freeAddresses - takenOf(subnet),
          () => addressRefusal(candidate),
        ],
        [freeOf(candidate), () => capacityRefusal(candidate, reservationOf(candidate))],
      ];
      const [count, refusal] = bounds.reduce((tightest, bound) => (bound[0] < tightest[0] ? bound : tightest));
      return count >= wanted ? { count: wanted } : { count: Math.max(0, count), refusal: refusal() };
    },
    take(candidate, count) {
      const { pool, subnet, quota } = keysOf(candidate);
      taken.set(pool, takenOf(pool) + count);
      taken.set(subnet, takenOf(subnet) + count);
      taken.set(quota, takenOf(quota) + count * vcpusOf(world, candidate.pool.instanceType));
    },
  };
}

function quotaLeft(world: World, candidate: Candidate, takenVcpus: number): number {
  const { capacityType, instanceType } = candidate.pool;
  const quota = world.quotas[capacityType]?.[quotaGroupOf(instanceType)];
  if (quota === undefined) return Number.POSITIVE_INFINITY;
  const inUse = world.vcpusInUse.get(quotaKeyOf(candidate.pool)) ?? 0;
  return Math.floor((quota - inUse - takenVcpus) / vcpusOf(world, instanceType));
}

function quotaRefusal({ pool }: Candidate): Refusal {
  const code = quotaErrorOf(pool.capacityType);
  const message =
    pool.capacityType === "spot"
      ? "Max spot instance count exceeded"
      : `Launching ${pool.instanceType} would exceed the vCPU limit of its group (${quotaGroupOf(pool.instanceType)}).`;
  return { code, message };
}

function addressRefusal({ subnetId }: Candidate): Refusal {
  return {
    code: "InsufficientFreeAddressesInSubnet",
    message: `There are not enough free addresses in subnet '${subnetId}' to satisfy the requested number of instances.`,
  };
}

function capacityRefusal({ pool }: Candidate, reservationId: string | undefined): Refusal {
  if (reservationId !== undefined) {
    const message = `The capacity reservation ${reservationId} has not enough instances left.`;
    return { code: "ReservationCapacityExceeded", message };
  }
  const message =
    pool.capacityType === "spot"
      ? `There is no Spot capacity left for ${pool.instanceType} in ${pool.zone} that matches the request.`
      : `There is not enough ${pool.instanceType} capacity in the Availability Zone ${pool.zone}.`;
  return { code: "InsufficientInstanceCapacity", message };
}

function spotFault({ pool }: Candidate, reservationId: string | undefined): Refusal | undefined {
  if (pool.capacityType !== "spot" || reservationId === undefined) return undefined;
  return {
    code: "InvalidParameterCombination",
    message: `A Spot Instance can't be launched into the capacity reservation ${reservationId}.`,
  };
}

function tooCheap(world: World, options: readonly FleetOption[], { index, pool }: Candidate): Refusal | undefined {
  const most = options[index]!.override.MaxPrice;
  const price = world.catalog.priceOf(pool);
  if (pool.capacityType !== "spot" || most === undefined || price === undefined || Number(most) >= price)
    return undefined;
  return {
    code: "SpotMaxPriceTooLow",
    message: `The maximum price ${most} is below the Spot price ${price} of ${pool.instanceType}.`,
  };
}

/** Why no instance can be made of this option whatever the capacity, if so. */
function findFault(world: World, option: FleetOption): Refusal | undefined {
  return (
    networkFault(world, option) ??
    reservationFault(world, option) ??
    imageFault(world, option) ??
    profileFault(world, option.launch) ??
    offeringFault(world, option)
  );
}

/** The security groups that an instance of this content gets. */
export function groupsOf(launch: RequestLaunchTemplateData): readonly string[] {
  return launch.NetworkInterfaces?.[0]?.Groups ?? launch.SecurityGroupIds ?? [];
}

function networkFault(world: World, { subnetId, launch }: FleetOption): Refusal | undefined {
  const subnet = world.network.subnets.get(subnetId);
  if (subnet === undefined) {
    return { code: "InvalidSubnetID.NotFound", message: `The subnet ID '${subnetId}' does not exist` };
  }
  for (const id of groupsOf(launch)) {
    const group = world.network.groups.get(id);
    if (group === undefined)
      return { code: "InvalidGroup.NotFound", message: `The security group '${id}' does not exist` };
    if (group.vpcId !== subnet.vpcId) {
      return {
        code: "InvalidParameter",
        message: `Security group ${id} and subnet ${subnetId} belong to different networks.`,
      };
    }
  }
  return undefined;
}

function imageFault(world: World, { launch, instanceType }: FleetOption): Refusal | undefined {
  const id = launch.ImageId;
  if (id === undefined) return { code: "MissingParameter", message: "The request must contain the parameter ImageId" };
  const image = world.images.get(id);
  if (image === undefined) return { code: "InvalidAMIID.NotFound", message: `The image id '[${id}]' does not exist` };
  const supported = world.catalog.types.get(instanceType)?.ProcessorInfo?.SupportedArchitectures;
  if (supported === undefined || supported.some((a) => a === image.Architecture)) return undefined;
  return {
    code: "InvalidParameterValue",
    message: `The architecture '${supported.join(",")}' of the instance type does not match the architecture '${image.Architecture}' of the image.`,
  };
}

function profileFault(world: World, { IamInstanceProfile: profile }: RequestLaunchTemplateData): Refusal | undefined {
  const known = world.settings.instanceProfiles;
  if (known === undefined || profile === undefined) return undefined;
  const name = profile.Name ?? profile.Arn?.split("/").at(-1) ?? "";
  if (known.includes(name)) return undefined;
  return {
    code: "InvalidParameterValue",
    message: `Value (${name}) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name`,
  };
}

function reservationFault(world: World, { launch, instanceType, zone }: FleetOption): Refusal | undefined {
  const id = reservationIdOf(launch);
  if (id === undefined) return undefined;
  const reservation = world.reservations.get(id);
  if (reservation === undefined) {
    return {
      code: "InvalidCapacityReservationId.NotFound",
      message: `The capacity reservation '${id}' does not exist`,
    };
  }
  if (reservation.instanceType === instanceType && reservation.zone === zone) return undefined;
  return {
    code: "InvalidParameterValue",
    message: `The capacity reservation ${id} is for ${reservation.instanceType} in ${reservation.zone}, not for ${instanceType} in ${zone}.`,
  };
}

function offeringFault(world: World, { instanceType, zone }: FleetOption): Refusal | undefined {
  if (world.catalog.zonesOf(instanceType).includes(zone)) return undefined;
  return {
    code: world.catalog.types.has(instanceType) ? "Unsupported" : "InvalidParameterValue",
    message: `The instance type ${instanceType} is not offered in the Availability Zone ${zone}.`,
  };
}
