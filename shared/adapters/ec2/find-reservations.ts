// Capacity reservations that selector terms name: terms are OR'd, a term's fields AND'd.

import {
  type EC2Client,
  type CapacityReservation as Ec2Reservation,
  type Filter,
  paginateDescribeCapacityReservations,
} from "@aws-sdk/client-ec2";
import type { ReservationTerm } from "../../core/model/index.ts";
import type { Cloud } from "../../ports/index.ts";
import { tagFilters } from "./selectors.ts";

type Found = Awaited<ReturnType<Cloud["findReservations"]>>[number];

/** Sorted by id; only active ones. A term without any field selects nothing, an unknown id is absent and not an error. */
export async function findReservations(
  client: EC2Client,
  terms: readonly ReservationTerm[],
): Promise<readonly Found[]> {
  const found = new Map<string, Found>();
  const keep = (reservations: readonly Ec2Reservation[]): void => {
    for (const reservation of reservations) {
      const read = toReservation(reservation);
      if (read !== undefined) found.set(read.id, read);
    }
  };
  const ids = terms.flatMap(({ id }) => id ?? []);
  if (ids.length > 0) keep(await findByIds(client, ids));
  for (const term of terms) {
    const filters = filtersOf(term);
    if (term.id === undefined && filters.length > 0) keep(await find(client, filters));
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function filtersOf({ ownerID, instanceMatchCriteria, tags }: ReservationTerm): Filter[] {
  const filters = tagFilters(tags);
  if (ownerID !== undefined) filters.push({ Name: "owner-id", Values: [ownerID] });
  if (instanceMatchCriteria !== undefined) {
    filters.push({ Name: "instance-match-criteria", Values: [instanceMatchCriteria] });
  }
  return filters;
}

const active: Filter = { Name: "state", Values: ["active"] };

async function find(client: EC2Client, filters: readonly Filter[], ids?: readonly string[]): Promise<Ec2Reservation[]> {
  const all: Ec2Reservation[] = [];
  const input = { Filters: [...filters, active], ...(ids === undefined ? {} : { CapacityReservationIds: [...ids] }) };
  for await (const page of paginateDescribeCapacityReservations({ client }, input)) {
    all.push(...(page.CapacityReservations ?? []));
  }
  return all;
}

/** EC2 answers a list with an unknown id with an error, and knows no filter for ids: then each is asked for by itself. */
async function findByIds(client: EC2Client, ids: readonly string[]): Promise<readonly Ec2Reservation[]> {
  try {
    return await find(client, [], ids);
  } catch (error) {
    if (!/^InvalidCapacityReservationId/.test((error as Error).name)) throw error;
    if (ids.length === 1) return [];
    const each: Ec2Reservation[] = [];
    for (const id of ids) each.push(...(await findByIds(client, [id])));
    return each;
  }
}

function toReservation(reservation: Ec2Reservation): Found | undefined {
  const { CapacityReservationId: id, InstanceType: instanceType, AvailabilityZone: zone } = reservation;
  if (id === undefined || instanceType === undefined || zone === undefined || reservation.State !== "active") return;
  return {
    id,
    ownerId: reservation.OwnerId ?? "",
    instanceType,
    zone,
    type: reservation.ReservationType === "capacity-block" ? "capacity-block" : "default",
    interruptible: reservation.Interruptible ?? false,
    matching: reservation.InstanceMatchCriteria === "targeted" ? "targeted" : "open",
    ...(reservation.EndDate === undefined ? {} : { endAtMs: reservation.EndDate.getTime() }),
    left: reservation.AvailableInstanceCount ?? 0,
  };
}
