// Subnets whose addresses run out, and security groups.

import { createIds } from "./chance.ts";
import { Ec2Error } from "./ec2-error.ts";

export interface SubnetSeed {
  readonly id: string;
  readonly zone: string;
  readonly vpcId?: string;
  readonly cidr?: string;
  /** Free addresses at the start; by default what the CIDR holds, less the five that AWS keeps. */
  readonly freeAddresses?: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly mapPublicIp?: boolean;
  /** Used for overrides that name a zone and no subnet. */
  readonly defaultForZone?: boolean;
}

export interface SecurityGroupSeed {
  readonly id: string;
  readonly name: string;
  readonly vpcId?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface Subnet {
  readonly id: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly vpcId: string;
  readonly cidr: string;
  readonly mapPublicIp: boolean;
  readonly defaultForZone: boolean;
  freeAddresses: number;
  readonly taken: Set<number>;
}

export interface SecurityGroup {
  readonly id: string;
  readonly name: string;
  readonly vpcId: string;
}

export interface Network {
  readonly subnets: ReadonlyMap<string, Subnet>;
  readonly groups: ReadonlyMap<string, SecurityGroup>;
}

export interface NetworkSeed {
  readonly subnets: readonly SubnetSeed[];
  readonly securityGroups: readonly SecurityGroupSeed[];
}

const defaultVpc = "vpc-0a1b2c3d4e5f60718";
/** AWS keeps the first four addresses of a subnet and the last. */
const keptAddresses = 5;

/** One /20 subnet in each zone and one security group: a world that works without naming a network. */
export function defaultNetwork(zones: readonly { readonly name: string }[], seed: number): NetworkSeed {
  const ids = createIds(seed + 1);
  return {
    subnets: zones.map((zone, i) => ({
      id: ids("subnet"),
      zone: zone.name,
      cidr: `10.0.${i * 16}.0/20`,
      defaultForZone: true,
    })),
    securityGroups: [{ id: ids("sg"), name: "default" }],
  };
}

/** Throws for a subnet in a zone that the region doesn't have: a mistake of the caller's. */
export function createNetwork(seed: NetworkSeed, zones: readonly { name: string; id: string }[]): Network {
  const subnets = new Map<string, Subnet>();
  for (const [i, given] of seed.subnets.entries()) {
    const zone = zones.find((z) => z.name === given.zone);
    if (zone === undefined) throw new Error(`subnet ${given.id}: the region has no zone ${given.zone}`);
    const cidr = given.cidr ?? `10.${i + 1}.0.0/20`;
    subnets.set(given.id, {
      id: given.id,
      zone: zone.name,
      zoneId: zone.id,
      vpcId: given.vpcId ?? defaultVpc,
      cidr,
      mapPublicIp: given.mapPublicIp ?? false,
      defaultForZone: given.defaultForZone ?? false,
      freeAddresses: given.freeAddresses ?? addressesOf(cidr) - keptAddresses,
      taken: new Set(),
    });
  }
  const groups = new Map(
    seed.securityGroups.map((g) => [g.id, { id: g.id, name: g.name, vpcId: g.vpcId ?? defaultVpc }] as const),
  );
  return { subnets, groups };
}

function addressesOf(cidr: string): number {
  return 2 ** (32 - Number(cidr.split("/")[1]));
}

/** Throws InvalidSubnetID.NotFound. */
export function findSubnet(network: Network, id: string): Subnet {
  const subnet = network.subnets.get(id);
  if (subnet === undefined) {
    throw new Ec2Error("InvalidSubnetID.NotFound", `The subnet ID '${id}' does not exist`);
  }
  return subnet;
}

/** Takes the lowest free address. The caller has looked at `freeAddresses`. */
export function takeAddress(subnet: Subnet): { readonly offset: number; readonly address: string } {
  let offset = keptAddresses - 1;
  while (subnet.taken.has(offset)) offset++;
  subnet.taken.add(offset);
  subnet.freeAddresses--;
  const base = subnet.cidr
    .split("/")[0]!
    .split(".")
    .reduce((sum, part) => sum * 256 + Number(part), 0);
  const value = base + offset;
  const address = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
  return { offset, address };
}

export function giveBackAddress(subnet: Subnet, offset: number): void {
  if (subnet.taken.delete(offset)) subnet.freeAddresses++;
}
