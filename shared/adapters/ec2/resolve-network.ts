// Subnets and security groups that selector terms name: terms are OR'd, a term's fields AND'd.

import {
  type EC2Client,
  type Filter,
  paginateDescribeSecurityGroups,
  paginateDescribeSubnets,
} from "@aws-sdk/client-ec2";
import type { Cloud, ResolvedNetwork } from "../../ports/index.ts";
import { tagFilters } from "./selectors.ts";

type Terms = Parameters<Cloud["resolveNetwork"]>[0];
type SubnetFound = ResolvedNetwork["subnets"][number];
type GroupFound = ResolvedNetwork["securityGroups"][number];

/** Both lists are sorted by id; a term without any field selects nothing. */
export async function resolveNetwork(client: EC2Client, terms: Terms): Promise<ResolvedNetwork> {
  const subnets = new Map<string, SubnetFound>();
  for (const term of terms.subnets) {
    for (const subnet of await findSubnets(client, filtersOf(term, "subnet-id"))) subnets.set(subnet.id, subnet);
  }
  const groups = new Map<string, GroupFound>();
  for (const term of terms.securityGroups) {
    for (const group of await findGroups(client, filtersOf(term, "group-id"))) groups.set(group.id, group);
  }
  return { subnets: sorted(subnets), securityGroups: sorted(groups) };
}

function filtersOf(term: Terms["securityGroups"][number], idFilter: string): Filter[] {
  const filters = tagFilters(term.tags);
  if (term.id !== undefined) filters.push({ Name: idFilter, Values: [term.id] });
  if (term.name !== undefined) filters.push({ Name: "group-name", Values: [term.name] });
  return filters;
}

async function findSubnets(client: EC2Client, filters: Filter[]): Promise<SubnetFound[]> {
  const found: SubnetFound[] = [];
  if (filters.length === 0) return found;
  for await (const page of paginateDescribeSubnets({ client }, { Filters: filters })) {
    for (const subnet of page.Subnets ?? []) {
      if (subnet.SubnetId === undefined || subnet.AvailabilityZone === undefined) continue;
      found.push({
        id: subnet.SubnetId,
        zone: subnet.AvailabilityZone,
        zoneId: subnet.AvailabilityZoneId ?? "",
        freeAddresses: subnet.AvailableIpAddressCount ?? 0,
      });
    }
  }
  return found;
}

async function findGroups(client: EC2Client, filters: Filter[]): Promise<GroupFound[]> {
  const found: GroupFound[] = [];
  if (filters.length === 0) return found;
  for await (const page of paginateDescribeSecurityGroups({ client }, { Filters: filters })) {
    for (const group of page.SecurityGroups ?? []) {
      if (group.GroupId !== undefined) found.push({ id: group.GroupId, name: group.GroupName ?? "" });
    }
  }
  return found;
}

function sorted<T>(found: ReadonlyMap<string, T>): T[] {
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}
