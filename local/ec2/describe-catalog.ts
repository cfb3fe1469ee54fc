// What the region sells: DescribeInstanceTypes, DescribeInstanceTypeOfferings, DescribeSpotPriceHistory.
import type {
  DescribeInstanceTypeOfferingsRequest,
  DescribeInstanceTypeOfferingsResult,
  DescribeInstanceTypesRequest,
  DescribeInstanceTypesResult,
  DescribeSpotPriceHistoryRequest,
  DescribeSpotPriceHistoryResult,
  InstanceTypeInfo,
  SpotPrice,
} from "@aws-sdk/client-ec2";
import { endDryRun } from "./client-tokens.ts";
import { Ec2Error } from "./ec2-error.ts";
import { applyFilters, type FilterTable } from "./filters.ts";
import { cutPage } from "./paging.ts";
import type { World } from "./world.ts";

const typeFilters: FilterTable<InstanceTypeInfo> = {
  "instance-type": (t) => [t.InstanceType],
  "bare-metal": (t) => [String(t.BareMetal ?? false)],
  "burstable-performance-supported": (t) => [String(t.BurstablePerformanceSupported ?? false)],
  "current-generation": (t) => [String(t.CurrentGeneration ?? false)],
  hypervisor: (t) => [t.Hypervisor],
  "instance-storage-supported": (t) => [String(t.InstanceStorageSupported ?? false)],
  "memory-info.size-in-mib": (t) => [String(t.MemoryInfo?.SizeInMiB ?? "")],
  "network-info.efa-supported": (t) => [String(t.NetworkInfo?.EfaSupported ?? false)],
  "processor-info.supported-architecture": (t) => t.ProcessorInfo?.SupportedArchitectures ?? [],
  "supported-usage-class": (t) => t.SupportedUsageClasses ?? [],
  "supported-root-device-type": (t) => t.SupportedRootDeviceTypes ?? [],
  "supported-virtualization-type": (t) => t.SupportedVirtualizationTypes ?? [],
  "vcpu-info.default-vcpus": (t) => [String(t.VCpuInfo?.DefaultVCpus ?? "")],
};

export function describeInstanceTypes(world: World, input: DescribeInstanceTypesRequest): DescribeInstanceTypesResult {
  endDryRun(input.DryRun);
  const names = input.InstanceTypes ?? [];
  if (names.length > 0 && input.MaxResults !== undefined) {
    throw new Ec2Error(
      "InvalidParameterCombination",
      "The parameter instanceTypes cannot be used with the parameter maxResults",
    );
  }
  if (names.length > 100) {
    throw new Ec2Error("InvalidParameterValue", "At most 100 instance types can be named in one call");
  }
  const unknown = names.filter((name) => !world.catalog.types.has(name));
  if (unknown.length > 0) {
    throw new Ec2Error(
      "InvalidInstanceType",
      `The following supplied instance types do not exist: [${unknown.join(", ")}]`,
    );
  }
  const named =
    names.length > 0 ? names.map((name) => world.catalog.types.get(name)!) : [...world.catalog.types.values()];
  const found = applyFilters(named, input.Filters, typeFilters);
  const sorted = [...found].sort((a, b) => (a.InstanceType! < b.InstanceType! ? -1 : 1));
  const page = cutPage(sorted, (t) => t.InstanceType!, input, { least: 5, most: 100, byDefault: 100 });
  return { InstanceTypes: [...page.items], NextToken: page.NextToken };
}

interface OfferingPlace {
  readonly instanceType: string;
  readonly location: string;
}

export function describeInstanceTypeOfferings(
  world: World,
  input: DescribeInstanceTypeOfferingsRequest,
): DescribeInstanceTypeOfferingsResult {
  endDryRun(input.DryRun);
  const by = input.LocationType ?? "region";
  const ids = new Map(world.catalog.zones.map((z) => [z.name, z.id]));
  const locate: Readonly<Record<string, (zones: readonly string[]) => readonly string[]>> = {
    region: (zones) => (zones.length > 0 ? [world.catalog.region] : []),
    "availability-zone": (zones) => zones,
    "availability-zone-id": (zones) => zones.map((z) => ids.get(z) ?? z),
  };
  const read = locate[by];
  if (read === undefined)
    throw new Ec2Error(
      "InvalidParameterValue",
      `The location type ${by} is not one of ${Object.keys(locate).join(", ")}`,
    );
  const all = [...world.catalog.types.keys()].flatMap((instanceType) =>
    read(world.catalog.zonesOf(instanceType)).map((location) => ({ instanceType, location })),
  );
  const found = applyFilters<OfferingPlace>(all, input.Filters, {
    "instance-type": (o) => [o.instanceType],
    location: (o) => [o.location],
  });
  const keyOf = (o: OfferingPlace): string => `${o.instanceType}\u0000${o.location}`;
  const sorted = [...found].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const page = cutPage(sorted, keyOf, input, { least: 5, most: 1000, byDefault: 1000 });
  return {
    InstanceTypeOfferings: page.items.map((o) => ({
      InstanceType: o.instanceType as NonNullable<InstanceTypeInfo["InstanceType"]>,
      LocationType: by,
      Location: o.location,
    })),
    NextToken: page.NextToken,
  };
}

const spotProduct = "Linux/UNIX";

/** Newest first within a type and zone. With StartTime, the price that held then is the oldest one given, as EC2 does. */
export function describeSpotPriceHistory(
  world: World,
  input: DescribeSpotPriceHistoryRequest,
): DescribeSpotPriceHistoryResult {
  endDryRun(input.DryRun);
  const from = input.StartTime?.getTime() ?? Number.NEGATIVE_INFINITY;
  const until = input.EndTime?.getTime() ?? world.clock.now();
  const points: (SpotPrice & { readonly key: string })[] = [];
  for (const instanceType of world.catalog.types.keys()) {
    for (const zone of world.catalog.zonesOf(instanceType)) {
      const history = world.catalog.spotHistoryOf(instanceType, zone);
      const holding = history.filter((p) => p.at <= from).at(-1)?.at ?? Number.NEGATIVE_INFINITY;
      for (const [i, point] of history.entries()) {
        if (point.at > until || point.at < holding) continue;
        points.push({
          key: [instanceType, zone, String(999_999 - i).padStart(6, "0")].join("\u0000"),
          InstanceType: instanceType as NonNullable<SpotPrice["InstanceType"]>,
          AvailabilityZone: zone,
          AvailabilityZoneId: world.catalog.zones.find((z) => z.name === zone)?.id,
          ProductDescription: spotProduct,
          SpotPrice: point.usd.toFixed(6),
          Timestamp: new Date(point.at),
        });
      }
    }
  }
  const chosen = points.filter(
    (p) =>
      (!input.InstanceTypes?.length || input.InstanceTypes.includes(p.InstanceType!)) &&
      (!input.ProductDescriptions?.length || input.ProductDescriptions.some((d) => d.startsWith(spotProduct))) &&
      (input.AvailabilityZone === undefined || input.AvailabilityZone === p.AvailabilityZone),
  );
  const found = applyFilters(chosen, input.Filters, {
    "availability-zone": (p) => [p.AvailabilityZone],
    "instance-type": (p) => [p.InstanceType],
    "product-description": () => [spotProduct, `${spotProduct} (Amazon VPC)`],
    "spot-price": (p) => [p.SpotPrice],
    timestamp: (p) => [p.Timestamp?.toISOString()],
  });
  const sorted = [...found].sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = cutPage(sorted, (p) => p.key, input, { least: 1, most: 1000, byDefault: 1000 });
  return { SpotPriceHistory: page.items.map(({ key: _key, ...price }) => price), NextToken: page.NextToken ?? "" };
}
