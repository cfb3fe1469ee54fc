// On-demand capacity reservations: instances that are paid for and kept, each reservation for one type in one zone. Launches use
// one only by naming it in their template ("targeted").
import type {
  DescribeCapacityReservationsRequest,
  DescribeCapacityReservationsResult,
  RequestLaunchTemplateData,
} from "@aws-sdk/client-ec2";
import { endDryRun } from "./client-tokens.ts";
import { Ec2Error } from "./ec2-error.ts";
import { applyFilters, type FilterTable } from "./filters.ts";
import { cutPage } from "./paging.ts";
import { tagList } from "./tags.ts";
import type { CapacityReservation, World } from "./world.ts";

/** The reservation that a launch of this content targets, if any. */
export function reservationIdOf(launch: RequestLaunchTemplateData): string | undefined {
  return launch.CapacityReservationSpecification?.CapacityReservationTarget?.CapacityReservationId;
}

const filters: FilterTable<CapacityReservation> = {
  "instance-type": (r) => [r.instanceType],
  "availability-zone": (r) => [r.zone],
  state: () => ["active"],
  "instance-match-criteria": () => ["targeted"],
};

export function describeCapacityReservations(
  world: World,
  input: DescribeCapacityReservationsRequest,
): DescribeCapacityReservationsResult {
  endDryRun(input.DryRun);
  const unknown = input.CapacityReservationIds?.find((id) => !world.reservations.has(id));
  if (unknown !== undefined) {
    throw new Ec2Error("InvalidCapacityReservationId.NotFound", `The capacity reservation '${unknown}' does not exist`);
  }
  const all = [...world.reservations.values()];
  const named = input.CapacityReservationIds?.length
    ? all.filter((r) => input.CapacityReservationIds!.includes(r.id))
    : all;
  const found = applyFilters(named, input.Filters, filters, (r) => world.tags.of(r.id));
  const sorted = [...found].sort((a, b) => (a.id < b.id ? -1 : 1));
  const page = cutPage(sorted, (r) => r.id, input, { least: 1, most: 1000, byDefault: 1000 });
  return {
    CapacityReservations: page.items.map((r) => ({
      CapacityReservationId: r.id,
      CapacityReservationArn: `arn:aws:ec2:${world.catalog.region}:${world.accountId}:capacity-reservation/${r.id}`,
      OwnerId: world.accountId,
      InstanceType: r.instanceType,
      InstancePlatform: "Linux/UNIX",
      AvailabilityZone: r.zone,
      AvailabilityZoneId: world.catalog.zones.find((z) => z.name === r.zone)?.id,
      Tenancy: "default",
      TotalInstanceCount: r.total,
      AvailableInstanceCount: r.total - r.used,
      State: "active",
      EndDateType: "unlimited",
      InstanceMatchCriteria: "targeted",
      Tags: tagList(world.tags.of(r.id)),
    })),
    NextToken: page.NextToken,
  };
}
