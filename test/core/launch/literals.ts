import type { FleetRequest, InstanceType, Offering } from "../../../shared/core/model/index.ts";

const zoneIds: Readonly<Record<string, string>> = { "us-east-1a": "use1-az1", "us-east-1b": "use1-az2" };

export function offering(
  zone: string,
  capacityType: Offering["capacityType"],
  priceMicroUsd: number,
  change: Partial<Offering> = {},
): Offering {
  return { zone, zoneId: zoneIds[zone]!, capacityType, priceMicroUsd, available: true, ...change };
}

export function type(
  name: string,
  offerings: readonly Offering[],
  labels: Readonly<Record<string, readonly string[]>> = {},
): InstanceType {
  return {
    name,
    labels: {
      "kubernetes.io/arch": ["amd64"],
      "kubernetes.io/os": ["linux"],
      "node.kubernetes.io/instance-type": [name],
      ...labels,
    },
    capacity: { cpu: 2_000, memory: 8_000, pods: 29 },
    allocatable: { cpu: 1_900, memory: 7_000, pods: 29 },
    offerings,
  };
}

/** On demand and spot in both zones. */
export function sold(
  name: string,
  onDemand: number,
  spot: number,
  labels: Readonly<Record<string, readonly string[]>> = {},
): InstanceType {
  return type(
    name,
    [
      offering("us-east-1a", "on-demand", onDemand),
      offering("us-east-1a", "spot", spot),
      offering("us-east-1b", "on-demand", onDemand),
      offering("us-east-1b", "spot", spot + 1),
    ],
    labels,
  );
}

export const subnets = [
  { id: "subnet-a", zone: "us-east-1a", freeAddresses: 10 },
  { id: "subnet-b", zone: "us-east-1b", freeAddresses: 10 },
];

export function request(
  overrides: readonly [string, string, string, number][],
  change: Partial<FleetRequest> = {},
): FleetRequest {
  return {
    clientToken: "l1",
    count: 1,
    capacityType: "spot",
    allocationStrategy: "price-capacity-optimized",
    templates: [],
    overrides: overrides.map(([instanceType, zone, subnetId, priceMicroUsd]) => ({
      instanceType,
      zone,
      subnetId,
      priceMicroUsd,
      imageId: "ami-x86",
      template: "t",
    })),
    tags: {},
    ...change,
  };
}
