// The endpoint's state at its beginning.
import type { Image } from "@aws-sdk/client-ec2";
import { createCapacity } from "./capacity.ts";
import { createCatalog } from "./catalog.ts";
import { createIds } from "./chance.ts";
import type { Ec2Event } from "./events.ts";
import { createNetwork, defaultNetwork } from "./network.ts";
import type { Ec2Options } from "./options.ts";
import { createTags } from "./tags.ts";
import { createTimeline } from "./timeline.ts";
import { defaultSettings, type World } from "./world.ts";

const defaultCapacityPerPool = 1000;
const defaultAccountId = "123456789012";

/** Throws for options that contradict each other: a mistake of the caller's. */
export function createWorld(options: Ec2Options, emit: (event: Ec2Event) => void): World {
  const seed = options.seed ?? 1;
  const catalog = createCatalog(options.catalog, options.clock.now());
  const networkSeed = options.network ?? defaultNetwork(catalog.zones, seed);
  let sequence = 0;
  const world: World = {
    clock: options.clock,
    newId: options.ids ?? createIds(seed),
    nextSequence: () => ++sequence,
    accountId: options.accountId ?? defaultAccountId,
    settings: { ...defaultSettings, ...options.settings },
    catalog,
    capacity: createCapacity(
      catalog,
      options.catalog.unavailable ?? [],
      options.capacityPerPool ?? defaultCapacityPerPool,
    ),
    network: createNetwork(networkSeed, catalog.zones),
    quotas: options.quotas ?? {},
    timeline: createTimeline(),
    tags: createTags(),
    images: new Map(),
    templates: new Map(),
    instances: new Map(),
    tokens: new Map(),
    reservations: new Map(
      (options.catalog.reserved ?? []).map(({ id, instanceType, zone, count }) => [
        id,
        { id, instanceType, zone, total: count, used: 0 },
      ]),
    ),
    vcpusInUse: new Map(),
    emit,
  };
  for (const { id, tags = {} } of [...networkSeed.subnets, ...networkSeed.securityGroups]) world.tags.putOwn(id, tags);
  for (const image of options.images ?? defaultImages()) putImage(world, image);
  return world;
}

/** Adds or replaces an image. Throws if it lacks an id or architecture: a mistake of the caller's. */
export function putImage(world: World, image: Image): void {
  if (image.ImageId === undefined || image.Architecture === undefined) {
    throw new Error("an image needs ImageId and Architecture");
  }
  const { Tags, ...rest } = image;
  world.images.set(image.ImageId, { State: "available", OwnerId: world.accountId, ...rest });
  for (const { Key = "", Value = "" } of Tags ?? []) world.tags.putOwn(image.ImageId, { [Key]: Value });
}

/** Names as the EKS-optimized AL2023 images have them. */
function defaultImages(): readonly Image[] {
  const shared = {
    CreationDate: "2026-01-01T00:00:00.000Z",
    OwnerId: "602401143452",
    ImageOwnerAlias: "amazon",
    Public: true,
    RootDeviceType: "ebs",
    VirtualizationType: "hvm",
  } as const;
  return [
    {
      ...shared,
      ImageId: "ami-0000000000000a001",
      Name: "amazon-eks-node-al2023-x86_64-standard-1.34-v20260101",
      Architecture: "x86_64",
    },
    {
      ...shared,
      ImageId: "ami-0000000000000a002",
      Name: "amazon-eks-node-al2023-arm64-standard-1.34-v20260101",
      Architecture: "arm64",
    },
  ];
}
