// The embedded world's region: a subnet in each zone and a security group that the guide's tags find, and EKS images of
// every kind that an AL2023 alias stands for.
import { createHash } from "node:crypto";
import type { Catalog } from "../shared/core/model/index.ts";
import type { WorldClock } from "./clock.ts";
import { createEc2, type Ec2 } from "./ec2/ec2.ts";
import type { Ec2Options } from "./ec2/options.ts";

export const clusterName = "production-main";
/** The version that the embedded API, its nodes and their images have. */
export const kubernetesVersion = "1.36";
const imageRelease = "v20250301";
const discovery = { "karpenter.sh/discovery": clusterName };
/** Enough for what a person tries, few enough to meet a refusal. */
const capacityPerPool = 20;

const imageKinds = [
  ["x86_64", "standard"],
  ["arm64", "standard"],
  ["x86_64", "nvidia"],
  ["arm64", "nvidia"],
  ["x86_64", "neuron"],
] as const;

/** Seventeen hexadecimal digits, as EC2's ids end. */
function idSuffix(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 17);
}

function image(architecture: "x86_64" | "arm64", variant: string) {
  return {
    ImageId: `ami-${idSuffix(`${architecture}/${variant}`)}`,
    Name: `amazon-eks-node-al2023-${architecture}-${variant}-${kubernetesVersion}-${imageRelease}`,
    Architecture: architecture,
    CreationDate: "2025-03-01T00:00:00.000Z",
    OwnerId: "602401143452",
    ImageOwnerAlias: "amazon",
    Public: true,
    RootDeviceType: "ebs",
    VirtualizationType: "hvm",
  } as const;
}

/** An EC2 that serves nothing until it listens. */
export function createCloud(
  clock: WorldClock,
  catalog: Catalog,
  seed: number,
  settings: NonNullable<Ec2Options["settings"]> = {},
): Ec2 {
  return createEc2({
    clock,
    catalog,
    seed,
    settings,
    capacityPerPool,
    network: {
      subnets: catalog.zones.map((zone, index) => ({
        id: `subnet-${idSuffix(zone.name)}`,
        zone: zone.name,
        cidr: `10.0.${index * 16}.0/20`,
        tags: discovery,
      })),
      securityGroups: [{ id: `sg-${idSuffix("nodes")}`, name: "nodes", tags: discovery }],
    },
    images: imageKinds.map(([architecture, variant]) => image(architecture, variant)),
  });
}
